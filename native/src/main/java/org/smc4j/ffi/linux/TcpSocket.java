package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.smc4j.ffi.linux.SocketAddresses.Address;

/**
 * TCP sockets that the classes of the JDK, and whoever instruments them, do not see. All sockets made here are close-on-exec and
 * non-blocking.
 */
public final class TcpSocket {
    public static final int SOL_SOCKET = Linux.SOL_SOCKET;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_KEEPALIVE = 9;
    public static final int IPPROTO_TCP = 6;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_KEEPIDLE = 4;
    public static final int TCP_KEEPINTVL = 5;
    public static final int TCP_KEEPCNT = 6;
    public static final int TCP_USER_TIMEOUT = 18;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_V6ONLY = 26;

    private static final int SO_ERROR = 4;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_FLAGS = 0x800 | 0x80000;

    private TcpSocket() {
    }

    /** A socket for addresses of that many bytes, 4 or 16. */
    public static int open(int addressLength) {
        int family = addressLength == 4 ? SocketAddresses.AF_INET : SocketAddresses.AF_INET6;
        return (int) Syscall.call(Syscall.SOCKET, family, SOCK_STREAM | SOCK_FLAGS, 0);
    }

    public static int bind(int fd, Address address) {
        return withAddress(Syscall.BIND, fd, address);
    }

    /** Begins to connect; EINPROGRESS as a rule, and {@link #error} when the socket has become writable. */
    public static int connect(int fd, Address address) {
        return withAddress(Syscall.CONNECT, fd, address);
    }

    public static int listen(int fd, int backlog) {
        return (int) Syscall.call(Syscall.LISTEN, fd, backlog, 0);
    }

    public static int accept(int fd) {
        return (int) Syscall.call(Syscall.ACCEPT4, fd, 0, 0, SOCK_FLAGS, 0, 0);
    }

    /** The pending error of a socket, which it then forgets: 0 or a negated errno. */
    public static int error(int fd) {
        int error = Linux.getSocketOption(fd, SOL_SOCKET, SO_ERROR);
        return error > 0 ? -error : error;
    }

    public static int setOption(int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            return (int) Syscall.call(Syscall.SETSOCKOPT, fd, level, option, encoded.address(), Integer.BYTES, 0);
        }
    }

    /** Sends what the socket has room for: the number of bytes, or a negated errno. */
    public static int send(int fd, byte[] bytes, int offset) {
        int length = bytes.length - offset;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(1, length));
            MemorySegment.copy(bytes, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
            return (int) Syscall.call(Syscall.SENDTO, fd, buffer.address(), length, Linux.MSG_NOSIGNAL, 0, 0);
        }
    }

    /** Receives into the array from {@code offset} on: the number of bytes, 0 at the end of the stream, or a negated errno. */
    public static int receive(int fd, byte[] bytes, int offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(1, bytes.length - offset));
            int result = (int) Syscall.call(Syscall.RECVFROM, fd, buffer.address(), bytes.length - offset, 0, 0, 0);
            if (result > 0) {
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, offset, result);
            }
            return result;
        }
    }

    private static int withAddress(int call, int fd, Address address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = SocketAddresses.encode(arena, address);
            return (int) Syscall.call(call, fd, encoded.address(), encoded.byteSize());
        }
    }
}
