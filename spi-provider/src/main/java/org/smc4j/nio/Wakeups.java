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

    private final Epoll epoll = Epoll.open(CAPACITY);
    // Guarded by this; by descriptor.
    private final Map<Integer, SmcSocket> doorbells = new HashMap<>();
    private final Map<Integer, SmcSocket> connections = new HashMap<>();

    static Wakeups start() {
        Wakeups wakeups = new Wakeups();
        Thread thread = new Thread(null, wakeups, "smc4j-wakeups", 0, false);
        thread.setDaemon(true);
        thread.start();
        return wakeups;
    }

    synchronized void watchDoorbell(int doorbell, SmcSocket socket) {
        doorbells.put(doorbell, socket);
        epoll.add(doorbell, Epoll.IN | Epoll.EDGE);
    }

    synchronized void watchConnection(SmcSocket socket) {
        connections.put(socket.descriptor(), socket);
        epoll.add(socket.descriptor(), Epoll.IN | Epoll.OUT | Epoll.RDHUP | Epoll.EDGE);
    }

    synchronized void forget(SmcSocket socket, int doorbell) {
        if (doorbells.remove(doorbell, socket)) {
            epoll.remove(doorbell);
        }
        if (connections.remove(socket.descriptor(), socket)) {
            epoll.remove(socket.descriptor());
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
                dispatch(epoll.readyDescriptor(i), epoll.readyEvents(i));
            }
        }
    }

    private void dispatch(int fd, int events) {
        SmcSocket rung;
        SmcSocket connection;
        synchronized (this) {
            rung = doorbells.get(fd);
            connection = connections.get(fd);
        }
        if (rung != null) {
            rung.unpark();
        }
        if (connection != null) {
            connection.tcpEvent((events & (Epoll.HUP | Epoll.ERR)) != 0, (events & Epoll.RDHUP) != 0);
        }
    }
}
