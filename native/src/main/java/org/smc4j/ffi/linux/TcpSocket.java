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
    private static final int SO_ATTACH_FILTER = 26;
    private static final int SO_DETACH_FILTER = 27;
    private static final short BPF_RETURN = 0x06;
    private static final int TCP_INFO = 11;
    private static final int INFO_SIZE = 104;
    private static final int INFO_PROBES = 3;
    private static final int INFO_UNACKNOWLEDGED = 24;
    private static final int INFO_LAST_ACK = 56;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_FLAGS = 0x800 | 0x80000;

    private TcpSocket() {
    }

    /** A socket for addresses of that many bytes, 4 or 16. */
    public static int open(int addressLength) {
        int family = addressLength == 4 ? SocketAddresses.AF_INET : SocketAddresses.AF_INET6;
        return (int) Syscall.call(Syscall.SOCKET, family, SOCK_STREAM | SOCK_FLAGS, 0);
    }

    /**
     * How the other end's kernel answers.
     *
     * @param probes          that were sent since its last answer
     * @param unacknowledged  segments that it has not acknowledged
     * @param lastAckMillis   since it last acknowledged anything
     */
    public record Info(int probes, int unacknowledged, int lastAckMillis) {
    }

    public static int bind(int fd, Address address) {
        return bind(fd, address, 0);
    }

    /** @param scope the index of the network interface that a link-local address belongs to, 0 for others */
    public static int bind(int fd, Address address, int scope) {
        return withAddress(Syscall.BIND, fd, address, scope);
    }

    /** Begins to connect; EINPROGRESS as a rule, and {@link #error} when the socket has become writable. */
    public static int connect(int fd, Address address) {
        return connect(fd, address, 0);
    }

    /** @param scope as for {@link #bind(int, Address, int)} */
    public static int connect(int fd, Address address, int scope) {
        return withAddress(Syscall.CONNECT, fd, address, scope);
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

    /** What is known of the connection, or null if the kernel does not tell. */
    public static Info info(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(INFO_SIZE, 8);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, INFO_SIZE);
            long result = Syscall.call(Syscall.GETSOCKOPT, fd, IPPROTO_TCP, TCP_INFO, info.address(), length.address(), 0);
            return result < 0 ? null : new Info(Byte.toUnsignedInt(info.get(ValueLayout.JAVA_BYTE, INFO_PROBES)),
                    info.get(ValueLayout.JAVA_INT, INFO_UNACKNOWLEDGED), info.get(ValueLayout.JAVA_INT, INFO_LAST_ACK));
        }
    }

    /** Lets the kernel drop every segment that arrives for the socket, as if its way were cut; or no more. */
    public static int dropIncoming(int fd, boolean drop) {
        if (!drop) {
            return setOption(fd, SOL_SOCKET, SO_DETACH_FILTER, 0);
        }
        try (Arena arena = Arena.ofConfined()) {
            // One instruction that returns 0 bytes of each packet.
            MemorySegment instruction = arena.allocate(8, 8);
            instruction.set(ValueLayout.JAVA_SHORT, 0, BPF_RETURN);
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
            program.set(ValueLayout.JAVA_LONG, 8, instruction.address());
            return (int) Syscall.call(Syscall.SETSOCKOPT, fd, SOL_SOCKET, SO_ATTACH_FILTER, program.address(), 16, 0);
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

    private static int withAddress(int call, int fd, Address address, int scope) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = SocketAddresses.encode(arena, address, scope);
            return (int) Syscall.call(call, fd, encoded.address(), encoded.byteSize());
        }
    }
}
