package org.smc4j.cdc;

/** The numbers of the CDC messages of one sender for one connection: 16 bits, the first is 1 (spec/30-cdc.md §7). */
public final class SequenceNumbers {
    private static final int MASK = 0xFFFF;

    private SequenceNumbers() {
    }

    /** The number after this one. */
    public static int next(int number) {
        return number + 1 & MASK;
    }

    /** Whether a number was used before the other, as far as 16 bits can tell. */
    public static boolean isBefore(int number, int other) {
        return (short) (number - other) < 0;
    }
}
