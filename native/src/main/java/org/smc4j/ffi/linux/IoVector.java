package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Pieces of memory that are sent one behind the other in one call, without a copy. Used by one thread at a time; sending
 * allocates nothing. The caller makes sure that the memory is there while it is sent.
 */
public final class IoVector {
    private static final int MSGHDR_SIZE = 56;
    private static final int HEADER_PIECES = 16;
    private static final int HEADER_COUNT = 24;
    private static final int PIECE = 16;
    private static final int MSG_MORE = 0x8000;

    private final MemorySegment header;
    private final MemorySegment pieces;
    private final int capacity;
    /** Pieces from first up to end are left to be sent. */
    private int first;
    private int end;

    /** @param arena its end frees the memory of this vector */
    public IoVector(Arena arena, int capacity) {
        this.capacity = capacity;
        header = arena.allocate(MSGHDR_SIZE, 8);
        pieces = arena.allocate((long) capacity * PIECE, 8);
    }

    public int capacity() {
        return capacity;
    }

    public boolean isEmpty() {
        return first == end;
    }

    /** The index of the first piece that is not sent completely. */
    public int first() {
        return first;
    }

    /** The number of pieces that were added since it was empty. */
    public int end() {
        return end;
    }

    public void add(long address, long length) {
        pieces.set(ValueLayout.JAVA_LONG, (long) end * PIECE, address);
        pieces.set(ValueLayout.JAVA_LONG, (long) end * PIECE + 8, length);
        end++;
    }

    public void clear() {
        first = 0;
        end = 0;
    }

    /**
     * Sends what the socket has room for, without blocking, and leaves the rest.
     *
     * @param more whether TCP may keep a segment that is not full for what is sent next, or up to 200 ms
     * @return the number of bytes, or a negated errno
     */
    public long sendNow(int fd, boolean more) {
        header.set(ValueLayout.JAVA_LONG, HEADER_PIECES, pieces.address() + (long) first * PIECE);
        header.set(ValueLayout.JAVA_LONG, HEADER_COUNT, end - first);
        int flags = Linux.MSG_DONTWAIT | Linux.MSG_NOSIGNAL | (more ? MSG_MORE : 0);
        long sent = Syscall.call(Syscall.SENDMSG, fd, header.address(), flags);
        if (sent > 0) {
            advance(sent);
        }
        return sent;
    }

    private void advance(long sent) {
        long left = sent;
        while (left > 0) {
            long address = pieces.get(ValueLayout.JAVA_LONG, (long) first * PIECE);
            long length = pieces.get(ValueLayout.JAVA_LONG, (long) first * PIECE + 8);
            if (left < length) {
                pieces.set(ValueLayout.JAVA_LONG, (long) first * PIECE, address + left);
                pieces.set(ValueLayout.JAVA_LONG, (long) first * PIECE + 8, length - left);
                return;
            }
            left -= length;
            first++;
        }
        // Empty pieces at the end are sent as well.
        while (first < end && pieces.get(ValueLayout.JAVA_LONG, (long) first * PIECE + 8) == 0) {
            first++;
        }
        if (first == end) {
            clear();
        }
    }
}
