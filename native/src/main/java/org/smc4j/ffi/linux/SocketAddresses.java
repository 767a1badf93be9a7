package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The addresses of an IPv4 or IPv6 socket, as the kernel has them. */
public final class SocketAddresses {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    private static final int IPV4_BYTES = 4;
    private static final int SCOPE_OFFSET = 24;
    private static final ValueLayout.OfShort BIG_SHORT =
            ValueLayout.JAVA_SHORT.withOrder(java.nio.ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {
    }

    /** An IP address of 4 or 16 bytes and a port 0–65535. IPv4-mapped addresses are given as IPv4. */
    public record Address(byte[] bytes, int port) {
    }

    /** The local address, null if the descriptor is not an IP socket. */
    public static Address local(int fd) {
        return get(Syscall.GETSOCKNAME, fd);
    }

    /** The peer's address, null if the descriptor is not a connected IP socket. */
    public static Address remote(int fd) {
        return get(Syscall.GETPEERNAME, fd);
    }

    private static Address get(int call, int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(28, 4);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 28);
            if (Syscall.call(call, fd, address.address(), length.address()) < 0) {
                return null;
            }
            int port = Short.toUnsignedInt(address.get(BIG_SHORT, 2));
            return switch (address.get(ValueLayout.JAVA_SHORT, 0)) {
                case AF_INET -> new Address(address.asSlice(4, 4).toArray(ValueLayout.JAVA_BYTE), port);
                case AF_INET6 -> new Address(unmapped(address.asSlice(8, 16).toArray(ValueLayout.JAVA_BYTE)), port);
                default -> null;
            };
        }
    }

    /** The kernel's structure for an address of 4 or 16 bytes, the latter with its scope. */
    static MemorySegment encode(Arena arena, Address address, int scope) {
        boolean ipv4 = address.bytes().length == IPV4_BYTES;
        MemorySegment encoded = arena.allocate(ipv4 ? 16 : 28, 4);
        encoded.set(ValueLayout.JAVA_SHORT, 0, (short) (ipv4 ? AF_INET : AF_INET6));
        encoded.set(BIG_SHORT, 2, (short) address.port());
        MemorySegment.copy(address.bytes(), 0, encoded, ValueLayout.JAVA_BYTE, ipv4 ? 4 : 8, address.bytes().length);
        if (!ipv4) {
            encoded.set(ValueLayout.JAVA_INT, SCOPE_OFFSET, scope);
        }
        return encoded;
    }

    private static byte[] unmapped(byte[] bytes) {
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return bytes;
            }
        }
        return bytes[10] == -1 && bytes[11] == -1 ? new byte[] {bytes[12], bytes[13], bytes[14], bytes[15]} : bytes;
    }
}
