package org.smc4j.roce.software;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Where the bytes of a packet lie: up to two pieces of registered memory, which stay registered until they are let go. */
final class Payload {
    static final int MOST_PIECES = 2;
    /** All addresses of the process; what is accessed through it was checked before. */
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    final Region[] regions = new Region[MOST_PIECES];
    final long[] addresses = new long[MOST_PIECES];
    final int[] lengths = new int[MOST_PIECES];
    int pieces;

    /** @param region that was entered for this piece, null for inline data, which nobody can take away */
    void add(Region region, long address, int length) {
        regions[pieces] = region;
        addresses[pieces] = address;
        lengths[pieces] = length;
        pieces++;
    }

    /** Lets the memory go: it may be taken away from now on. */
    void leave() {
        for (int i = 0; i < pieces; i++) {
            if (regions[i] != null) {
                regions[i].leave();
                regions[i] = null;
            }
        }
        pieces = 0;
    }

    /** Somebody else lets the memory go. */
    void handOver() {
        for (int i = 0; i < pieces; i++) {
            regions[i] = null;
        }
        pieces = 0;
    }

    byte[] copy() {
        int total = 0;
        for (int i = 0; i < pieces; i++) {
            total += lengths[i];
        }
        byte[] bytes = new byte[total];
        int offset = 0;
        for (int i = 0; i < pieces; i++) {
            MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, addresses[i], bytes, offset, lengths[i]);
            offset += lengths[i];
        }
        return bytes;
    }
}
