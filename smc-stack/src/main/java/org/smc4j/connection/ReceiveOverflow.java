package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.smc4j.linkgroup.BufferMemory;

/**
 * What was taken out of a full RMBE because its reader takes nothing: TCP takes some megabytes before it makes a writer wait, and
 * programs rely on it. Both ends write a large message first and read then, which a ring alone would turn into a deadlock. The peer
 * sees no more than a reader that has read; so it works with any peer, and what a process wrote before its end is already here.
 *
 * <p>Comes before everything in the ring. Belongs to whoever holds the lane of the ring, but for {@link #size}.
 */
final class ReceiveOverflow {
    /** Most bytes kept, as with SMC-D: what Linux lets the send buffer of a TCP socket grow to by default. */
    static final int LIMIT = 4 << 20;

    private final BufferMemory memory;
    private final ArrayDeque<BufferMemory.Block> blocks = new ArrayDeque<>();
    /** Bytes of the first block that were read. */
    private long read;
    private volatile int size;

    ReceiveOverflow(BufferMemory memory) {
        this.memory = memory;
    }

    /** Bytes kept; anybody may look. */
    int size() {
        return size;
    }

    /** Room for so many bytes behind all others, for the caller to fill; null if there is no memory, or they are too many. */
    MemorySegment append(int n) {
        BufferMemory.Block block = n > LIMIT - size ? null : memory.allocate(n);
        if (block == null) {
            return null;
        }
        blocks.add(block);
        size += n;
        return block.segment();
    }

    /** Takes out the first bytes, at most so many, maybe fewer although there are more. */
    int read(MemorySegment target, long offset, int length) {
        BufferMemory.Block first = blocks.element();
        long left = first.segment().byteSize() - read;
        int n = (int) Math.min(length, left);
        MemorySegment.copy(first.segment(), read, target, offset, n);
        read += n;
        size -= n;
        if (n == left) {
            read = 0;
            blocks.remove().close();
        }
        return n;
    }

    /** Gives the memory back. What was not read still counts: it is lost, which the peer is to know. */
    void free() {
        blocks.forEach(BufferMemory.Block::close);
        blocks.clear();
    }
}
