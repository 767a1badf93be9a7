package org.smc4j.nio;

import sun.nio.ch.HandleTable;
import sun.nio.ch.SocketHandle;

/** A listening socket: known to be found by clients, and for the port that its connections have; all else is TCP's. */
final class ListenerHandle extends SocketHandle {
    private final SmcSockets sockets;
    private final int fd;
    private final int port;

    ListenerHandle(SmcSockets sockets, int fd, int port) {
        this.sockets = sockets;
        this.fd = fd;
        this.port = port;
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        HandleTable.remove(fd, this);
        sockets.listenerClosed(fd);
    }
}
