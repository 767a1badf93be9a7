package org.smc4j.cdc;

/**
 * The arithmetic of cursors. Inside, a place in the stream is its position: all bytes that have passed since the start, 64 bits, of
 * which the cursor (wrap and count) is the part that the peer sees. So differences are subtractions, and the one conversion back,
 * {@link #distance}, is where a cursor of the peer meets what is already known.
 *
 * <p>The rules of spec/30-cdc.md §4 in these terms: "advance" adds to a position; "difference" and "large difference" subtract;
 * the receive guard of SMC-R drops cursors with a negative distance.
 */
public final class Positions {
    /** What {@link #distance} says of a count beyond the ring's end. */
    public static final long OUTSIDE = Long.MIN_VALUE;

    private static final int WRAPS = 1 << 16;

    private Positions() {
    }

    /** The cursor's wrap at this position in a ring of {@code size} bytes. */
    public static int wrap(long position, int size) {
        return (int) (position / size) & WRAPS - 1;
    }

    /** The cursor's count at this position in a ring of {@code size} bytes: the offset in the ring. */
    public static int count(long position, int size) {
        return (int) (position % size);
    }

    /**
     * How far a cursor is ahead of a position, in bytes; negative if it is behind. Wraps have 16 bits, so of all distances that the
     * cursor can mean this is the shortest.
     *
     * <p>The kernel's guard compares wraps as numbers and takes wrap 0 for newer than any other, so that it lets a cursor through
     * that was sent again from before the ring's first end; here that one too is behind.
     *
     * @param count 32 bits, unsigned
     * @return {@link #OUTSIDE} if the cursor is not within the ring
     */
    public static long distance(long position, int wrap, int count, int size) {
        if (count < 0 || count >= size) {
            return OUTSIDE;
        }
        long cycle = (long) WRAPS * size;
        long ahead = (long) wrap * size + count - position % cycle;
        if (ahead >= cycle / 2) {
            return ahead - cycle;
        }
        return ahead < -cycle / 2 ? ahead + cycle : ahead;
    }
}
