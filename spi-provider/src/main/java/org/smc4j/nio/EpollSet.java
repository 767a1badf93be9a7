package org.smc4j.nio;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import sun.nio.ch.SocketHooks;

/**
 * One epoll instance of the JDK (of a Selector or of a group of asynchronous channels), as it would be if the kernel knew
 * about attached connections.
 *
 * <p>An attached connection is in the kernel's set with its doorbell, edge-triggered, instead of its TCP socket; what happens
 * on the TCP socket rings the doorbell too ({@link Wakeups}). Readiness comes from the ring. A connection that was ready or
 * whose doorbell rang is <em>hot</em> and looked at in every wait. When none is ready all are armed, looked at once more, and
 * left to their doorbells; so is one that was not ready in the last few waits, while others were. So a wait costs what is
 * active, not what is registered, and a selector that never runs out of work costs its peers no system call.
 *
 * <p>Registrations of all descriptors are remembered, since a connection can be registered long before it is attached.
 */
final class EpollSet {
    private static final int ADD = 1;
    private static final int DELETE = 2;
    private static final int ENOENT = 2;
    private static final int EEXIST = 17;
    private static final int EPOLLIN = 1;
    private static final int EPOLLOUT = 4;
    private static final int ONE_SHOT = 1 << 30;
    private static final int EDGE = 1 << 31;
    private static final int INTERRUPTED = -3;
    /** While attached connections are ready, the kernel's are looked at in every so many waits: none may starve. */
    private static final int KERNEL_LOOK_INTERVAL = 16;
    /** Looking at a connection in vain so often costs about as much as its doorbell does at both ends. */
    private static final int LOOKS_BEFORE_ARMED = 8;
    /**
     * So many doorbells at once are the first of many: the peer has much to say, and would make a system call for each
     * connection that is armed before this selector has come to look at it.
     */
    private static final int BURST = 8;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** Which hot connections that are not ready are left to their doorbells. */
    private enum Arm { NONE, IDLE, ALL }

    private static final class Entry {
        final int fd;
        int interest;
        /** In the set as the application sees it; a doorbell stays in the kernel's until the socket is closed. */
        boolean registered = true;
        SmcSocket socket;
        int doorbell;
        boolean hot;
        /** Waits in a row in which it was not ready. */
        int looks;

        Entry(int fd) {
            this.fd = fd;
        }
    }

    private final int epoll;
    // All guarded by this, which is never held while waiting.
    private final Map<Integer, Entry> entries = new HashMap<>();
    private final Map<Integer, Entry> doorbells = new HashMap<>();
    private final List<Entry> hot = new ArrayList<>();
    /** What was hot when the selector last ran out of work; some may have been forgotten since. */
    private final List<Entry> armed = new ArrayList<>();
    private int looksWithoutKernel;
    private final Patience patience;
    private boolean waiting;
    private boolean closed;

    EpollSet(int epoll, Patience patience) {
        this.epoll = epoll;
        this.patience = patience;
    }

    // -- epoll_ctl --

    /** As epoll_ctl: 0 or an errno. */
    synchronized int control(int operation, int fd, int interest, SmcSocket socket) {
        Entry entry = entries.get(fd);
        SmcSocket attached = socket != null && socket.stream() != null ? socket : null;
        if (entry != null && entry.socket != null && entry.socket != attached) {
            // The descriptor was closed and is another socket now.
            forget(entry);
            entry = null;
        }
        if (attached == null) {
            int error = SocketHooks.kernelControl(epoll, operation, fd, interest);
            if (error == 0) {
                remember(operation, fd, interest, entry);
            }
            return error;
        }
        if (entry != null && entry.socket == null) {
            // Attached between its registration and now.
            SocketHooks.kernelControl(epoll, DELETE, fd, 0);
            adopt(entry, attached);
        }
        boolean registered = entry != null && entry.registered;
        if (registered == (operation == ADD)) {
            return registered ? EEXIST : ENOENT;
        }
        if (operation == DELETE) {
            entry.registered = false;
            entry.interest = 0;
            return 0;
        }
        if (entry == null) {
            entry = new Entry(fd);
            entries.put(fd, entry);
            adopt(entry, attached);
        }
        entry.registered = true;
        entry.interest = interest;
        heat(entry);
        if (waiting) {
            entry.socket.stream().wakeSelf();
        }
        return 0;
    }

    private void remember(int operation, int fd, int interest, Entry entry) {
        if (operation == DELETE) {
            entries.remove(fd);
        } else if (entry == null) {
            Entry added = new Entry(fd);
            added.interest = interest;
            entries.put(fd, added);
        } else {
            entry.interest = interest;
        }
    }

    private void forget(Entry entry) {
        entries.remove(entry.fd);
        hot.remove(entry);
        if (entry.socket != null && doorbells.remove(entry.doorbell, entry)) {
            entry.socket.watchersChanged(-1);
            SocketHooks.kernelControl(epoll, DELETE, entry.doorbell, 0);
        }
    }

    private void adopt(Entry entry, SmcSocket socket) {
        entry.socket = socket;
        entry.doorbell = socket.stream().ownDoorbell();
        socket.watchersChanged(1);
        doorbells.put(entry.doorbell, entry);
        SocketHooks.kernelControl(epoll, ADD, entry.doorbell, EPOLLIN | EDGE);
    }

    private void heat(Entry entry) {
        entry.looks = 0;
        if (!entry.hot) {
            entry.hot = true;
            hot.add(entry);
        }
    }

    /** A connection was attached: if it is registered here, its doorbell takes the place of its TCP socket. */
    synchronized void attached(SmcSocket socket) {
        Entry entry = closed ? null : entries.get(socket.descriptor());
        if (entry != null && entry.socket == null) {
            SocketHooks.kernelControl(epoll, DELETE, entry.fd, 0);
            adopt(entry, socket);
            heat(entry);
        }
    }

    /** A socket is about to be closed, its doorbell with it. */
    synchronized void closing(SmcSocket socket) {
        Entry entry = closed ? null : entries.get(socket.descriptor());
        if (entry != null && (entry.socket == socket || entry.socket == null)) {
            forget(entry);
        }
    }

    synchronized void close() {
        closed = true;
        entries.clear();
        doorbells.clear();
        hot.clear();
        armed.clear();
    }

    // -- epoll_wait --

    /**
     * As epoll_wait, with the JDK's status for an interrupted call.
     *
     * @param mustArm whether a wait of 0 ms must leave the connections armed, as the caller sleeps on the epoll itself
     */
    int await(long events, int capacity, int millis, boolean mustArm) throws IOException {
        long deadline = millis > 0 ? System.nanoTime() + millis * NANOS_PER_MILLI : 0;
        int remaining = millis;
        while (true) {
            int ready = collect(events, 0, capacity, Arm.IDLE);
            if (ready == 0 && millis != 0 && hasHot()) {
                ready = collectSoon(events, capacity);
            }
            if (ready == 0 && (millis != 0 || mustArm)) {
                ready = collect(events, 0, capacity, Arm.ALL);
            }
            if (ready > 0) {
                return ready;
            }
            int polled = SocketHooks.kernelWait(epoll, events, capacity, remaining);
            if (polled == INTERRUPTED) {
                stopWaiting();
                return polled;
            }
            int kept = translate(events, polled);
            // Whoever sleeps on the epoll itself has no next turn in which what has just become hot could be armed.
            ready = kept + collect(events, kept, capacity, millis == 0 && mustArm ? Arm.ALL : Arm.NONE);
            if (ready > 0 || millis == 0) {
                stopWaiting();
                return ready;
            }
            if (millis > 0) {
                remaining = (int) Math.min(Integer.MAX_VALUE, (deadline - System.nanoTime()) / NANOS_PER_MILLI + 1);
                if (deadline - System.nanoTime() <= 0) {
                    stopWaiting();
                    return 0;
                }
            }
        }
    }

    /** As a thread that waits for one connection does. */
    private int collectSoon(long events, int capacity) throws IOException {
        long end = patience.begin();
        if (end != 0) {
            do {
                int ready = collect(events, 0, capacity, Arm.NONE);
                if (ready > 0) {
                    patience.paid(end);
                    return ready;
                }
            } while (patience.lasts(end));
        }
        return 0;
    }

    private synchronized boolean hasHot() {
        return !hot.isEmpty();
    }

    private synchronized void stopWaiting() {
        waiting = false;
    }

    /** Writes the events of ready connections from the index on, plus now and then what the kernel has. */
    private synchronized int collect(long events, int from, int capacity, Arm arm) throws IOException {
        int index = from;
        int write = 0;
        int size = hot.size();
        if (arm == Arm.ALL) {
            armed.clear();
        }
        for (int i = 0; i < size; i++) {
            Entry entry = hot.get(i);
            int bits = index < capacity ? ready(entry) : 0;
            if (bits == 0 && index < capacity && (arm == Arm.ALL || arm == Arm.IDLE && ++entry.looks > LOOKS_BEFORE_ARMED)) {
                arm(entry);
                bits = ready(entry);
                if (bits == 0) {
                    entry.hot = false;
                    if (arm == Arm.ALL) {
                        armed.add(entry);
                    }
                    continue;
                }
            }
            if (bits != 0) {
                entry.looks = 0;
                SocketHooks.putEvent(events, index++, entry.fd, bits);
                if ((entry.interest & ONE_SHOT) != 0) {
                    entry.interest = 0;
                }
            }
            hot.set(write++, entry);
        }
        while (hot.size() > write) {
            hot.remove(hot.size() - 1);
        }
        if (index == capacity) {
            // As the kernel: those that found no room come first the next time, whether these are served or not.
            Collections.rotate(hot, from - index);
        }
        if (from == 0) {
            if (index > 0 && index < capacity && ++looksWithoutKernel >= KERNEL_LOOK_INTERVAL) {
                looksWithoutKernel = 0;
                long rest = SocketHooks.event(events, index);
                int polled = SocketHooks.kernelWait(epoll, rest, capacity - index, 0);
                index += translate(rest, polled);
            }
            waiting = index == 0;
        }
        return index - from;
    }

    private static int ready(Entry entry) {
        int bits = 0;
        if ((entry.interest & EPOLLIN) != 0 && entry.socket.isReadable()) {
            bits |= EPOLLIN;
        }
        if ((entry.interest & EPOLLOUT) != 0 && entry.socket.isWritable()) {
            bits |= EPOLLOUT;
        }
        return bits;
    }

    private static void arm(Entry entry) {
        if ((entry.interest & EPOLLIN) != 0) {
            entry.socket.stream().armData(true);
        }
        if ((entry.interest & EPOLLOUT) != 0) {
            entry.socket.stream().armSpace(true);
            entry.socket.watchForStall();
        }
    }

    /** Takes the doorbells out of what the kernel reported and makes their connections hot. */
    private synchronized int translate(long events, int polled) {
        if (doorbells.isEmpty()) {
            return Math.max(0, polled);
        }
        int kept = 0;
        int rung = 0;
        for (int i = 0; i < polled; i++) {
            long event = SocketHooks.event(events, i);
            int fd = SocketHooks.eventDescriptor(event);
            int bits = SocketHooks.eventBits(event);
            Entry entry = doorbells.get(fd);
            if (entry != null) {
                heat(entry);
                rung++;
            } else {
                SocketHooks.putEvent(events, kept++, fd, bits);
            }
        }
        if (rung >= BURST) {
            silenceArmed();
        }
        return kept;
    }

    private void silenceArmed() {
        for (Entry entry : armed) {
            if (!entry.hot && entries.get(entry.fd) == entry) {
                entry.socket.silenceDoorbell();
                heat(entry);
            }
        }
        armed.clear();
    }
}
