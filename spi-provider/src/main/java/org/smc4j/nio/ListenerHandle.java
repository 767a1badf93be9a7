package org.smc4j.nio;

import java.lang.foreign.MemorySegment;
import sun.nio.ch.HandleTable;
import sun.nio.ch.SocketHandle;

/** A listening socket: known to be found by clients, and for the port that its connections have. */
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

    // Everything else is TCP's.

    @Override
    public int read(MemorySegment target, long offset, int length) {
        return PROCEED;
    }

    @Override
    public void readDone(long n) {
    }

    @Override
    public int write(MemorySegment source, long offset, int length) {
        return PROCEED;
    }

    @Override
    public void writeDone(long n) {
    }

    @Override
    public int readQuickly(MemorySegment target, long offset, int length) {
        return 0;
    }

    @Override
    public int writeQuickly(MemorySegment source, long offset, int length, boolean whole) {
        return 0;
    }

    @Override
    public boolean isReadSwitched() {
        return false;
    }

    @Override
    public boolean isWriteSwitched() {
        return false;
    }

    @Override
    public int writeUrgent(byte value) {
        return PROCEED;
    }

    @Override
    public int available() {
        return PROCEED;
    }

    @Override
    public boolean shutdown(int how) {
        return false;
    }

    @Override
    public int poll(int event, long millis) {
        return PROCEED;
    }

    @Override
    public void pollDone(int event) {
    }

    @Override
    public boolean parkVirtual(int event, long nanos) {
        return false;
    }

    @Override
    public void stopPoll() {
    }

    @Override
    public boolean divertsTransfer() {
        return false;
    }

    @Override
    public void preClose() {
    }
}
