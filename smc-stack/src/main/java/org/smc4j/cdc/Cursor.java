package org.smc4j.cdc;

import org.smc4j.wire.Checks;

/**
 * A place in a ring, as it is sent (spec/30-cdc.md §4). Whether the count lies in the ring is for whoever knows the ring's size.
 *
 * @param wrap  how often the end of the ring was passed, 16 bits
 * @param count bytes from the start of the ring, 32 bits
 */
public record Cursor(int wrap, long count) {
    public static final Cursor START = new Cursor(0, 0);

    private static final long MAX_COUNT = 0xFFFF_FFFFL;

    public Cursor {
        Checks.range("cursor wrap", wrap, 0, Checks.U16);
        Checks.range("cursor count", count, 0, MAX_COUNT);
    }

    /** The cursor after so many bytes through a ring of this size; see {@link Positions}. */
    public static Cursor at(long position, int size) {
        return new Cursor(Positions.wrap(position, size), Positions.count(position, size));
    }

    @Override
    public String toString() {
        return wrap + ":" + count;
    }
}
