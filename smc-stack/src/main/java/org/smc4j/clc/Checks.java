package org.smc4j.clc;

/** Argument checks of the records: a violation is a programming error, never the effect of received bytes. */
final class Checks {
    static final int MAX_VERSION = 15;
    static final int NIBBLE = 0xF;
    static final int U8 = 0xFF;
    static final int U16 = 0xFFFF;
    static final int U24 = 0xFF_FFFF;

    private Checks() {
    }

    static void range(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(field + ": " + value + " is not in " + min + ".." + max);
        }
    }

    static void that(boolean condition, String rule) {
        if (!condition) {
            throw new IllegalArgumentException(rule);
        }
    }
}
