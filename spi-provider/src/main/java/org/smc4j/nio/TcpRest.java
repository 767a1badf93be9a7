package org.smc4j.nio;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.stream.SmcStream;

/**
 * The receiving direction of a connection as far as TCP brings it: until the peer's switch. A stream that may return to TCP needs more
 * care than others: the bytes behind the switch are not the application's, and those before are taken out of the way if it does not
 * read them.
 */
final class TcpRest {
    private static final int CHUNK = 1 << 16;

    private final int fd;
    /** Bytes that the application has read. Written under the read lock; once attached under this as well. */
    private volatile long received;
    // Guarded by this: bytes that were taken out of the way, null before there are any.
    private byte[] kept;
    private int from;
    private int to;

    TcpRest(int fd) {
        this.fd = fd;
    }

    long received() {
        return received;
    }

    /** The JDK has read so many bytes; the caller holds the read lock. */
    void add(long bytes) {
        received = received + bytes;
    }

    /**
     * Reads what comes before the switch; the caller holds the read lock.
     *
     * @return as {@link Linux#receiveNow}; EAGAIN at the switch
     */
    int receive(SmcStream stream, long address, int length) {
        if (!stream.mayReturnToTcp()) {
            return counted(Linux.receiveNow(fd, address, length));
        }
        synchronized (this) {
            if (from < to) {
                int n = Math.min(length, to - from);
                MemorySegment.copy(kept, from, NativeMemory.ALL, ValueLayout.JAVA_BYTE, address, n);
                from += n;
                return counted(n);
            }
            int most = length;
            long offset = stream.switchOffset();
            if (offset < 0) {
                // A peer goes back to TCP only when it knows that this end knows the offset: as long as that is not known, whatever is
                // there is before it.
                most = Linux.peekNow(fd, address, length);
                if (most <= 0) {
                    return most;
                }
                offset = stream.switchOffset();
            }
            if (offset >= 0) {
                most = (int) Math.min(most, offset - received);
            }
            return most > 0 ? counted(Linux.receiveNow(fd, address, most)) : -Errno.EAGAIN;
        }
    }

    private int counted(int n) {
        add(Math.max(0, n));
        return n;
    }

    /**
     * Takes the bytes before the switch out of the way.
     *
     * @param open of the same TCP connection; that of the application may be closed by now
     * @return how many are still to come, or a negated errno
     */
    synchronized long take(int open, long offset) {
        long left = offset - received - (to - from);
        while (left > 0) {
            int n = keep(open, (int) Math.min(left, CHUNK));
            if (n <= 0) {
                return n == -Errno.EAGAIN || n == -Errno.EINTR ? left : n == 0 ? -Errno.ECONNRESET : n;
            }
            left -= n;
        }
        return 0;
    }

    private int keep(int open, int most) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(most);
            int n = Linux.receiveNow(open, buffer.address(), most);
            if (n > 0) {
                kept = kept == null ? new byte[n] : Arrays.copyOfRange(kept, from, to + n);
                to += n - from;
                from = 0;
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, kept, to - n, n);
            }
            return n;
        }
    }

    synchronized boolean isKept() {
        return from < to;
    }

    /** Bytes before the switch that can be read. */
    synchronized int available(SmcStream stream) {
        int all = to - from + Math.max(0, Linux.available(fd));
        long offset = stream.switchOffset();
        return offset < 0 ? all : (int) Math.max(0, Math.min(all, offset - received));
    }

    /** Whether there are bytes behind the switch. */
    synchronized boolean isBehind(long offset) {
        return offset >= 0 && to - from + Linux.available(fd) > offset - received;
    }
}
