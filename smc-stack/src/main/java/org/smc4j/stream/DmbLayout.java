package org.smc4j.stream;

/**
 * Where things lie in the memory of one DMB: the CDC header (bytes 0–31, written by the peer), the ring behind it, the device
 * page behind the DMB, and the {@linkplain Overflow overflow area}. All values are in the byte order of the host, as both ends run on it.
 */
final class DmbLayout {
    /** Bytes of the CDC header at the start of every DMB (spec/30-cdc.md §2). */
    static final int HEADER_SIZE = 32;

    static final long EYECATCHER_OFFSET = 0;
    static final byte EYECATCHER = (byte) 0xFE;
    /** wrap (16 bit), count (32 bit), flag bytes written 0: the producer cursor of the peer. */
    static final long PRODUCER_OFFSET = 8;
    /** wrap (16 bit), count (32 bit), producer flags, connection state flags: the consumer cursor of the peer. */
    static final long CONSUMER_OFFSET = 16;

    // Offsets in the device page. The owner of the DMB asks for a wake-up, the peer clears the request when it wakes; each
    // word pair is read by one eight-byte load.
    static final int WAIT_DATA = 0;
    static final int WAIT_DATA_EVENT = 4;
    static final int WAIT_SPACE = 64;
    static final int WAIT_SPACE_EVENT = 68;
    /** Written by the peer once: TCP bytes that precede the ring, plus one. */
    static final int SWITCH_OFFSET = 128;
    /** Written by the peer: ring position of the last urgent byte, plus one. */
    static final int URGENT_OFFSET = 136;
    /** Written by the peer: bytes that it has ever put into the overflow area. */
    static final int OVERFLOW_STORED = 144;
    /** Written by the peer: 1 while it leaves out the barrier between its cursor and its look at the requests above. */
    static final int WITHOUT_BARRIER = 152;
    /** Written by the owner: bytes that it has ever taken out of the overflow area. */
    static final int OVERFLOW_TAKEN = 192;
    /** Written by the owner once: 1 if it issues a barrier after a request where the peer leaves out its own. */
    static final int OFFERS_BARRIER = 200;

    private static final int STATE_FLAGS_SHIFT = 56;
    private static final int COUNT_SHIFT = 16;

    private DmbLayout() {
    }

    static long cursor(int wrap, int count, int stateFlags) {
        return (long) wrap & 0xFFFF | ((long) count & 0xFFFFFFFFL) << COUNT_SHIFT | (long) stateFlags << STATE_FLAGS_SHIFT;
    }

    static int wrap(long word) {
        return (int) word & 0xFFFF;
    }

    static int count(long word) {
        return (int) (word >>> COUNT_SHIFT);
    }

    static int stateFlags(long word) {
        return (int) (word >>> STATE_FLAGS_SHIFT);
    }

    /**
     * How far a cursor moved, in bytes, or -1 if no honest peer can have moved it like that.
     *
     * @param limit the most it may have moved, at most {@code size}
     */
    static int advance(long from, long to, int size, int limit) {
        int count = count(to);
        if (count < 0 || count >= size) {
            return -1;
        }
        int moved;
        if (wrap(to) == wrap(from)) {
            moved = count - count(from);
        } else if (wrap(to) == (wrap(from) + 1 & 0xFFFF)) {
            moved = size - count(from) + count;
        } else {
            return -1;
        }
        return moved < 0 || moved > limit ? -1 : moved;
    }
}
