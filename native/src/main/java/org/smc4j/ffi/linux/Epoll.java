package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An epoll instance. {@link #add}, {@link #modify} and {@link #remove} may be called by any thread; {@link #await} and the
 * accessors of its events belong to one thread at a time. The caller makes sure that nobody uses it after {@link #close}.
 */
public final class Epoll implements AutoCloseable {
    public static final int IN = 0x001;
    public static final int OUT = 0x004;
    public static final int ERR = 0x008;
    public static final int HUP = 0x010;
    public static final int RDHUP = 0x2000;
    public static final int EDGE = 1 << 31;

    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int MODIFY = 3;
    // The kernel packs the struct on x86-64 only.
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
    private static final int EVENT_SIZE = PACKED ? 12 : 16;
    private static final int DATA_OFFSET = PACKED ? 4 : 8;

    private final int fd;
    private final int capacity;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment events;

    private Epoll(int fd, int capacity) {
        this.fd = fd;
        this.capacity = capacity;
        this.events = arena.allocate((long) capacity * EVENT_SIZE, 8);
    }

    /** @throws IllegalStateException if the process has no descriptor left */
    public static Epoll open(int capacity) {
        int fd = (int) Syscall.call(Syscall.EPOLL_CREATE1, 0x80000, 0, 0);
        if (fd < 0) {
            throw new IllegalStateException("epoll_create1: " + Errno.describe(fd));
        }
        return new Epoll(fd, capacity);
    }

    public int add(int target, int interest) {
        return add(target, interest, 0);
    }

    /**
     * @param tag comes back with the events; tells them from those of an earlier descriptor of the same number, which may still
     *     have been reported
     */
    public int add(int target, int interest, int tag) {
        return control(fd, ADD, target, interest, tag);
    }

    public int modify(int target, int interest) {
        return modify(target, interest, 0);
    }

    /** @param tag as for {@link #add(int, int, int)} */
    public int modify(int target, int interest, int tag) {
        return control(fd, MODIFY, target, interest, tag);
    }

    public int remove(int target) {
        return control(fd, REMOVE, target, 0, 0);
    }

    /** Waits for events; blocks up to {@code millis} (-1: without limit). The number of events, or a negated errno. */
    public int await(int millis) {
        return (int) Syscall.call(Syscall.EPOLL_PWAIT, fd, events.address(), capacity, millis, 0, 8);
    }

    public int readyDescriptor(int index) {
        return events.get(ValueLayout.JAVA_INT_UNALIGNED, (long) index * EVENT_SIZE + DATA_OFFSET);
    }

    public int readyTag(int index) {
        return events.get(ValueLayout.JAVA_INT_UNALIGNED, (long) index * EVENT_SIZE + DATA_OFFSET + Integer.BYTES);
    }

    public int readyEvents(int index) {
        return events.get(ValueLayout.JAVA_INT_UNALIGNED, (long) index * EVENT_SIZE);
    }

    @Override
    public void close() {
        Linux.close(fd);
        arena.close();
    }

    private static int control(int fd, int operation, int target, int interest, int tag) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment event = scratch.allocate(16, 8);
            event.set(ValueLayout.JAVA_INT_UNALIGNED, 0, interest);
            event.set(ValueLayout.JAVA_INT_UNALIGNED, DATA_OFFSET, target);
            event.set(ValueLayout.JAVA_INT_UNALIGNED, DATA_OFFSET + Integer.BYTES, tag);
            return (int) Syscall.call(Syscall.EPOLL_CTL, fd, operation, target, event.address(), 0, 0);
        }
    }
}
