package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * SEQPACKET sockets of the UNIX domain with abstract names, which pass messages together with descriptors. All sockets made
 * here are close-on-exec and non-blocking. Abstract names belong to the network namespace and vanish with the process.
 */
public final class UnixSocket {
    /** The longest message that {@link #receive} takes and {@link #send} sends, in bytes. */
    public static final int MAX_MESSAGE = 8192;
    /** The most descriptors that one message carries. */
    public static final int MAX_DESCRIPTORS = 4;
    /** An abstract name has at most this many bytes. */
    public static final int MAX_NAME = 107;

    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int SOCK_FLAGS = 0x800 | 0x80000;
    private static final int SCM_RIGHTS = 1;
    private static final int SO_PEERCRED = 17;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_CTRUNC = 0x08;
    private static final int MSGHDR_SIZE = 56;
    private static final int CMSG_HEADER = 16;
    private static final int CONTROL_SIZE = 64;

    private UnixSocket() {
    }

    /** Who is at the other end of a connected socket, as the kernel saw it when it connected or listened. */
    public record Credentials(int pid, int uid) {
    }

    /** A message with the descriptors that came with it; {@code truncated} if either did not fit or could not be made. */
    public record Message(ByteBuffer bytes, int[] descriptors, boolean truncated) {
        /** Closes every descriptor of the message. */
        public void closeDescriptors() {
            for (int descriptor : descriptors) {
                Linux.close(descriptor);
            }
        }
    }

    public static int open() {
        return (int) Syscall.call(Syscall.SOCKET, AF_UNIX, SOCK_SEQPACKET | SOCK_FLAGS, 0);
    }

    public static int bind(int fd, String name) {
        return withName(Syscall.BIND, fd, name);
    }

    public static int connect(int fd, String name) {
        return withName(Syscall.CONNECT, fd, name);
    }

    public static int listen(int fd, int backlog) {
        return (int) Syscall.call(Syscall.LISTEN, fd, backlog, 0);
    }

    public static int accept(int fd) {
        return (int) Syscall.call(Syscall.ACCEPT4, fd, 0, 0, SOCK_FLAGS, 0, 0);
    }

    /** The peer's credentials, or null if the socket is not connected. */
    public static Credentials peerCredentials(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(12, 4);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 12);
            long result = Syscall.call(Syscall.GETSOCKOPT, fd, Linux.SOL_SOCKET, SO_PEERCRED, value.address(),
                    length.address(), 0);
            return result < 0 ? null
                    : new Credentials(value.get(ValueLayout.JAVA_INT, 0), value.get(ValueLayout.JAVA_INT, 4));
        }
    }

    /** Sends one message with the given descriptors; never blocks (a full queue is EAGAIN). */
    public static int send(int fd, byte[] message, int... descriptors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(Math.max(1, message.length));
            MemorySegment.copy(message, 0, data, ValueLayout.JAVA_BYTE, 0, message.length);
            MemorySegment header = messageHeader(arena, data, message.length);
            if (descriptors.length > 0) {
                int length = CMSG_HEADER + 4 * descriptors.length;
                MemorySegment control = arena.allocate(CONTROL_SIZE, 8);
                control.set(ValueLayout.JAVA_LONG, 0, length);
                control.set(ValueLayout.JAVA_INT, 8, Linux.SOL_SOCKET);
                control.set(ValueLayout.JAVA_INT, 12, SCM_RIGHTS);
                for (int i = 0; i < descriptors.length; i++) {
                    control.set(ValueLayout.JAVA_INT, CMSG_HEADER + 4L * i, descriptors[i]);
                }
                header.set(ValueLayout.JAVA_LONG, 32, control.address());
                header.set(ValueLayout.JAVA_LONG, 40, (length + 7) & ~7);
            }
            return (int) Syscall.call(Syscall.SENDMSG, fd, header.address(), Linux.MSG_DONTWAIT | Linux.MSG_NOSIGNAL);
        }
    }

    /**
     * Receives one message, without blocking.
     *
     * @return the message, null at end of stream
     * @throws Unavailable if there is none, with the negated errno
     */
    public static Message receive(int fd) throws Unavailable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(MAX_MESSAGE);
            MemorySegment control = arena.allocate(CONTROL_SIZE, 8);
            MemorySegment header = messageHeader(arena, data, MAX_MESSAGE);
            header.set(ValueLayout.JAVA_LONG, 32, control.address());
            header.set(ValueLayout.JAVA_LONG, 40, CONTROL_SIZE);
            int length = (int) Syscall.call(Syscall.RECVMSG, fd, header.address(), Linux.MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
            if (length < 0) {
                throw new Unavailable(length);
            }
            int[] descriptors = descriptors(header, control);
            if (length == 0 && descriptors.length == 0) {
                return null;
            }
            int flags = header.get(ValueLayout.JAVA_INT, 48);
            byte[] bytes = data.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            return new Message(ByteBuffer.wrap(bytes), descriptors, (flags & (MSG_TRUNC | MSG_CTRUNC)) != 0);
        }
    }

    /** No message now: {@code result} is the negated errno. */
    public static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1;
        private final int result;

        Unavailable(int result) {
            super(null, null, false, false);
            this.result = result;
        }

        public int result() {
            return result;
        }
    }

    private static int[] descriptors(MemorySegment header, MemorySegment control) {
        long controlLength = header.get(ValueLayout.JAVA_LONG, 40);
        if (controlLength < CMSG_HEADER || control.get(ValueLayout.JAVA_INT, 8) != Linux.SOL_SOCKET
                || control.get(ValueLayout.JAVA_INT, 12) != SCM_RIGHTS) {
            return new int[0];
        }
        long length = Math.min(control.get(ValueLayout.JAVA_LONG, 0), CONTROL_SIZE);
        int[] descriptors = new int[(int) Math.max(0, (length - CMSG_HEADER) / 4)];
        for (int i = 0; i < descriptors.length; i++) {
            descriptors[i] = control.get(ValueLayout.JAVA_INT, CMSG_HEADER + 4L * i);
        }
        return descriptors;
    }

    private static MemorySegment messageHeader(Arena arena, MemorySegment data, long length) {
        MemorySegment vector = arena.allocate(16, 8);
        vector.set(ValueLayout.JAVA_LONG, 0, data.address());
        vector.set(ValueLayout.JAVA_LONG, 8, length);
        MemorySegment header = arena.allocate(MSGHDR_SIZE, 8);
        header.set(ValueLayout.JAVA_LONG, 16, vector.address());
        header.set(ValueLayout.JAVA_LONG, 24, 1);
        return header;
    }

    private static int withName(int call, int fd, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length > MAX_NAME) {
            throw new IllegalArgumentException("abstract name longer than " + MAX_NAME + " bytes: " + name);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(3 + bytes.length, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, 3, bytes.length);
            return (int) Syscall.call(call, fd, address.address(), address.byteSize());
        }
    }
}
