package org.smc4j.nio;

import java.util.HashMap;
import java.util.Map;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;

/**
 * One daemon thread that turns events into wake-ups: the doorbells of connections on which virtual threads wait, and the TCP
 * sockets of attached connections (bytes that precede the switch, a peer that died). Whoever waits on the stream so needs to
 * wait for one thing only.
 */
final class Wakeups implements Runnable {
    private static final int CAPACITY = 256;

    /** @param tag unique: an event that was reported before a close must not hit the next socket with the same descriptor */
    private record Watched(SmcSocket socket, int tag) {
    }

    private final Epoll epoll = Epoll.open(CAPACITY);
    // Guarded by this; by descriptor.
    private final Map<Integer, Watched> doorbells = new HashMap<>();
    private final Map<Integer, Watched> connections = new HashMap<>();
    private int lastTag;

    static Wakeups start() {
        Wakeups wakeups = new Wakeups();
        Thread thread = new Thread(null, wakeups, "smc4j-wakeups", 0, false);
        thread.setDaemon(true);
        thread.start();
        return wakeups;
    }

    synchronized void watchDoorbell(int doorbell, SmcSocket socket) {
        watch(doorbells, doorbell, socket, Epoll.IN | Epoll.EDGE);
    }

    synchronized void watchConnection(SmcSocket socket) {
        watch(connections, socket.descriptor(), socket, Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.EDGE);
    }

    private void watch(Map<Integer, Watched> all, int fd, SmcSocket socket, int interest) {
        int tag = ++lastTag;
        all.put(fd, new Watched(socket, tag));
        epoll.add(fd, interest, tag);
    }

    synchronized void forget(SmcSocket socket, int doorbell) {
        forget(doorbells, doorbell, socket);
        forget(connections, socket.descriptor(), socket);
    }

    private void forget(Map<Integer, Watched> all, int fd, SmcSocket socket) {
        Watched watched = all.get(fd);
        if (watched != null && watched.socket == socket) {
            all.remove(fd);
            epoll.remove(fd);
        }
    }

    @Override
    public void run() {
        while (true) {
            int n = epoll.await(-1);
            if (n < 0 && n != -Errno.EINTR) {
                return;
            }
            for (int i = 0; i < n; i++) {
                dispatch(epoll.readyDescriptor(i), epoll.readyTag(i), epoll.readyEvents(i));
            }
        }
    }

    private void dispatch(int fd, int tag, int events) {
        SmcSocket rung;
        SmcSocket connection;
        synchronized (this) {
            rung = find(doorbells, fd, tag);
            connection = find(connections, fd, tag);
        }
        if (rung != null) {
            rung.unpark();
        }
        if (connection != null) {
            connection.tcpEvent((events & (Epoll.HUP | Epoll.ERR)) != 0, (events & Epoll.RDHUP) != 0);
        }
    }

    private static SmcSocket find(Map<Integer, Watched> all, int fd, int tag) {
        Watched watched = all.get(fd);
        return watched != null && watched.tag == tag ? watched.socket : null;
    }
}
