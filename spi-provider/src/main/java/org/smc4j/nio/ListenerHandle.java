package org.smc4j.nio;

import sun.nio.ch.HandleTable;
import sun.nio.ch.SocketHandle;

/**
 * A listening socket: known to be found by clients, and for the port that its connections have; all else is TCP's. A
 * socket with an option of ours has one before it listens.
 */
final class ListenerHandle extends SocketHandle {
    private final SmcSockets sockets;
    private final int fd;
    private final int port;
    private volatile Boolean handshakeLimit;

    /** @param port 0 before the socket listens */
    ListenerHandle(SmcSockets sockets, int fd, int port) {
        this.sockets = sockets;
        this.fd = fd;
        this.port = port;
    }

    int port() {
        return port;
    }

    boolean isListening() {
        return port != 0;
    }

    /** Whether this listener limits handshakes; null if it was not told. */
    Boolean handshakeLimit() {
        return handshakeLimit;
    }

    void handshakeLimit(Boolean limit) {
        handshakeLimit = limit;
    }

    @Override
    public void close() {
        HandleTable.remove(fd, this);
        sockets.listenerClosed(fd);
    }
}
