package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * System calls on descriptors and memory. Every method returns the call's result, or the negated errno below zero; none
 * blocks unless it says so.
 */
public final class Linux {
    public static final int MFD_CLOEXEC = 1;
    public static final int MFD_ALLOW_SEALING = 2;
    public static final int F_ADD_SEALS = 1033;
    public static final int F_GET_SEALS = 1034;
    public static final int F_SEAL_SEAL = 1;
    public static final int F_SEAL_SHRINK = 2;
    public static final int F_SEAL_GROW = 4;
    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EFD_NONBLOCK = 0x800;
    public static final int POLLIN = 1;
    public static final int POLLOUT = 4;
    public static final int MSG_OOB = 1;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int SOL_SOCKET = 1;
    public static final int SO_LINGER = 13;
    public static final int SO_OOBINLINE = 10;
    private static final MemorySegment ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1L);
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int F_GETFL = 3;
    private static final int SEEK_END = 2;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int MADV_REMOVE = 9;
    private static final int MADV_POPULATE_WRITE = 23;
    private static final int FIONREAD = 0x541B;
    private static final int MSG_PEEK = 2;
    private static final int SHUT_WR = 1;
    private static final int POLLFD_SIZE = 8;
    private static final int TIMESPEC_SIZE = 16;
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;

    private Linux() {
    }

    public static int memfdCreate(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cName = arena.allocateFrom(name, StandardCharsets.US_ASCII);
            return (int) Syscall.call(Syscall.MEMFD_CREATE, cName.address(), MFD_CLOEXEC | MFD_ALLOW_SEALING, 0);
        }
    }

    public static int ftruncate(int fd, long length) {
        return (int) Syscall.call(Syscall.FTRUNCATE, fd, length, 0);
    }

    /** Allocates the pages of a file, so that a later access cannot fail for lack of memory. May block for memory. */
    public static int fallocate(int fd, long offset, long length) {
        return (int) Syscall.call(Syscall.FALLOCATE, fd, 0, offset, length, 0, 0);
    }

    /** The size of a file in bytes. */
    public static long size(int fd) {
        return Syscall.call(Syscall.LSEEK, fd, 0, SEEK_END);
    }

    public static int fcntl(int fd, int command, long argument) {
        return (int) Syscall.call(Syscall.FCNTL, fd, command, argument);
    }

    /** Maps a file for reading and writing, shared; the result is an address or a negated errno (at most 4095). */
    public static long mmapShared(int fd, long length) {
        return Syscall.call(Syscall.MMAP, 0, length, PROT_READ_WRITE, MAP_SHARED, fd, 0);
    }

    /** True if a result of {@link #mmapShared} is an error. Addresses have the sign bit clear on both architectures. */
    public static boolean mapFailed(long address) {
        return address < 0;
    }

    public static int munmap(long address, long length) {
        return (int) Syscall.call(Syscall.MUNMAP, address, length, 0);
    }

    /**
     * Makes sure that stores to the memory cannot fail. May block for memory.
     *
     * @return false if there is none; true also where the kernel cannot tell, which is so before Linux 5.14
     */
    public static boolean populate(long address, long length) {
        long result = Syscall.call(Syscall.MADVISE, address, length, MADV_POPULATE_WRITE);
        return result == 0 || result == -Errno.EINVAL;
    }

    /** Gives the memory of whole pages of a shared mapping back; they read as zero afterwards. */
    public static void discard(long address, long length) {
        Syscall.call(Syscall.MADVISE, address, length, MADV_REMOVE);
    }

    public static int close(int fd) {
        return (int) Syscall.call(Syscall.CLOSE, fd, 0, 0);
    }

    public static int eventfd() {
        return (int) Syscall.call(Syscall.EVENTFD2, 0, EFD_CLOEXEC | EFD_NONBLOCK, 0);
    }

    /** Whether calls on the descriptor do not block. */
    public static boolean isNonBlocking(int fd) {
        return (fcntl(fd, F_GETFL, 0) & EFD_NONBLOCK) != 0;
    }

    /** Another descriptor for the same open file, close-on-exec. */
    public static int duplicate(int fd) {
        return fcntl(fd, F_DUPFD_CLOEXEC, 0);
    }

    /** Adds one to an eventfd. */
    public static void signal(int fd) {
        Syscall.fast(Syscall.WRITE, fd, ONE.address(), ONE.byteSize(), 0);
    }

    /**
     * Blocks while the int at {@code address} holds {@code expected}, until a wake, a signal or the timeout.
     *
     * @param timespec address of a struct timespec with the relative timeout, 0 to wait without one
     */
    public static void futexWait(long address, int expected, long timespec) {
        Syscall.fast(Syscall.FUTEX, address, FUTEX_WAIT, expected, timespec);
    }

    /** Wakes every thread of any process that waits on the int at {@code address}. */
    public static void futexWake(long address) {
        Syscall.fast(Syscall.FUTEX, address, FUTEX_WAKE, Integer.MAX_VALUE, 0);
    }

    /** Receives without blocking whatever the descriptor's mode is; 0 is end of stream. */
    public static int receiveNow(int fd, long address, int length) {
        return (int) Syscall.call(Syscall.RECVFROM, fd, address, length, MSG_DONTWAIT, 0, 0);
    }

    /** Sends what the socket has room for, without blocking whatever the descriptor's mode is. */
    public static int sendNow(int fd, long address, int length) {
        return (int) Syscall.call(Syscall.SENDTO, fd, address, length, MSG_DONTWAIT | MSG_NOSIGNAL, 0, 0);
    }

    /** As {@link #receiveNow}, and leaves the bytes where they are. */
    public static int peekNow(int fd, long address, int length) {
        return (int) Syscall.call(Syscall.RECVFROM, fd, address, length, MSG_DONTWAIT | MSG_PEEK, 0, 0);
    }

    /** Sends one urgent byte, without blocking whatever the descriptor's mode is. */
    public static int sendUrgentNow(int fd, byte value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, value);
            return (int) Syscall.call(Syscall.SENDTO, fd, bytes.address(), 1, MSG_DONTWAIT | MSG_NOSIGNAL | MSG_OOB, 0, 0);
        }
    }

    /** Ends the sending direction of a socket. */
    public static int shutdownOutput(int fd) {
        return (int) Syscall.call(Syscall.SHUTDOWN, fd, SHUT_WR, 0);
    }

    /** Makes the close of a TCP socket a reset: SO_LINGER with 0 seconds. */
    public static int resetAtClose(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_INT, 1, 0);
            return (int) Syscall.call(Syscall.SETSOCKOPT, fd, SOL_SOCKET, SO_LINGER, value.address(), value.byteSize(), 0);
        }
    }

    /** Whether an operation on the descriptor would not block now, if only as it fails: {@link #POLLIN} or {@link #POLLOUT}. */
    public static boolean isReady(int fd, int event) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment poll = arena.allocate(POLLFD_SIZE + TIMESPEC_SIZE, 8);
            poll.set(ValueLayout.JAVA_INT, 0, fd);
            poll.set(ValueLayout.JAVA_SHORT, 4, (short) event);
            return Syscall.call(Syscall.PPOLL, poll.address(), 1, poll.address() + POLLFD_SIZE, 0, 0, 0) != 0;
        }
    }

    /** Bytes that can be read from a socket now. */
    public static int available(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            int result = (int) Syscall.call(Syscall.IOCTL, fd, FIONREAD, value.address());
            return result < 0 ? result : value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** The first int of a socket option. For SO_LINGER: 0 if off, see {@link #linger}. */
    public static int getSocketOption(int fd, int level, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 4);
            int result = (int) Syscall.call(Syscall.GETSOCKOPT, fd, level, option, value.address(), length.address(), 0);
            return result < 0 ? result : value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** SO_LINGER in seconds, -1 if off, or a negated errno below -1. */
    public static int linger(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 8);
            int result = (int) Syscall.call(Syscall.GETSOCKOPT, fd, SOL_SOCKET, SO_LINGER, value.address(),
                    length.address(), 0);
            if (result < 0) {
                return result == -1 ? -2 : result;
            }
            return value.get(ValueLayout.JAVA_INT, 0) == 0 ? -1 : value.get(ValueLayout.JAVA_INT, 4);
        }
    }

    /** Fills the array with random bytes fit for keys; blocks only until the kernel has seeded itself, early at boot. */
    public static void random(byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(1, bytes.length));
            for (int filled = 0; filled < bytes.length; ) {
                long result = Syscall.call(Syscall.GETRANDOM, buffer.address() + filled, bytes.length - filled, 0);
                if (result < 0 && result != -Errno.EINTR) {
                    throw new IllegalStateException("getrandom: " + Errno.describe(result));
                }
                filled += (int) Math.max(0, result);
            }
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
        }
    }

    public static int uid() {
        return (int) Syscall.call(Syscall.GETUID, 0, 0, 0);
    }
}
