package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A netlink socket that becomes readable when a network interface of the network namespace, or an address of one, changes. What
 * has changed is to be looked up elsewhere.
 */
public final class RouteMonitor {
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_FLAGS = 0x800 | 0x80000;
    private static final int NETLINK_ROUTE = 0;
    private static final int GROUP_LINK = 0x1;
    private static final int GROUP_IPV4_ADDRESS = 0x10;
    private static final int GROUP_IPV6_ADDRESS = 0x100;
    private static final int ADDRESS_SIZE = 12;
    private static final int GROUPS_OFFSET = 8;

    private RouteMonitor() {
    }

    /** The descriptor, close-on-exec and non-blocking, or a negated errno. */
    public static int open() {
        int fd = (int) Syscall.call(Syscall.SOCKET, AF_NETLINK, SOCK_RAW | SOCK_FLAGS, NETLINK_ROUTE);
        if (fd < 0) {
            return fd;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_SIZE, 4);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_NETLINK);
            address.set(ValueLayout.JAVA_INT, GROUPS_OFFSET, GROUP_LINK | GROUP_IPV4_ADDRESS | GROUP_IPV6_ADDRESS);
            int result = (int) Syscall.call(Syscall.BIND, fd, address.address(), ADDRESS_SIZE);
            if (result < 0) {
                Linux.close(fd);
                return result;
            }
        }
        return fd;
    }

    /** Reads all that has come; whether there was anything. Messages that did not fit into the socket count as well. */
    public static boolean drain(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8192);
            boolean any = false;
            int result = Linux.receiveNow(fd, buffer.address(), (int) buffer.byteSize());
            while (result > 0 || result == -Errno.ENOBUFS) {
                any = true;
                result = Linux.receiveNow(fd, buffer.address(), (int) buffer.byteSize());
            }
            return any;
        }
    }
}
