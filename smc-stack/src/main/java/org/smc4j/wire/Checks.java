package org.smc4j.wire;

/** Argument checks of message records: a violation is a programming error, never the effect of received bytes. */
public final class Checks {
    public static final int NIBBLE = 0xF;
    public static final int U8 = 0xFF;
    public static final int U16 = 0xFFFF;
    public static final int U24 = 0xFF_FFFF;

    private Checks() {
    }

    /** @throws IllegalArgumentException if the value is not in {@code min..max} */
    public static void range(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(field + ": " + value + " is not in " + min + ".." + max);
        }
    }

    /** @throws IllegalArgumentException with the rule, if the condition does not hold */
    public static void that(boolean condition, String rule) {
        if (!condition) {
            throw new IllegalArgumentException(rule);
        }
    }
}
