package org.smc4j.stream;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/**
 * Bytes that a writer has written and that do not fit into the ring. TCP takes some megabytes before it makes a
 * writer wait, and programs rely on it: both ends write a large message first and read then, which a ring of 256 KiB would turn
 * into a deadlock. So when the ring has been full for a while without the peer taking anything, further bytes are put here, and the
 * doorbell moves them on. In normal flow this stays unused, as it costs a second copy.
 *
 * <p>Guarded by the sender's lane.
 */
final class Overflow {
    /** The most that is kept for one connection, in bytes: what Linux gives the send buffer of a TCP socket by default. */
    static final int LIMIT = 4 << 20;
    private static final int MAX_PIECE = 1 << 16;

    private final ArrayDeque<MemorySegment> pieces = new ArrayDeque<>();
    private int headOffset;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    int room() {
        return LIMIT - size;
    }

    /** Keeps a copy of at most {@code length} bytes; 0 if fewer than {@code least} would fit. */
    int store(MemorySegment source, long offset, int length, int least) {
        int room = room();
        if (room < least) {
            return 0;
        }
        int n = Math.min(length, room);
        for (int done = 0; done < n; done += MAX_PIECE) {
            int piece = Math.min(MAX_PIECE, n - done);
            pieces.add(MemorySegment.ofArray(source.asSlice(offset + done, piece).toArray(ValueLayout.JAVA_BYTE)));
        }
        size += n;
        return n;
    }

    MemorySegment head() {
        return pieces.element();
    }

    int headOffset() {
        return headOffset;
    }

    int headLength() {
        return (int) head().byteSize() - headOffset;
    }

    /** Forgets bytes of the head. */
    void remove(int n) {
        size -= n;
        headOffset += n;
        if (headOffset == head().byteSize()) {
            pieces.remove();
            headOffset = 0;
        }
    }
}
