package org.smc4j.nio;

import org.smc4j.ffi.linux.Linux;
import org.smc4j.sideband.Sideband;
import org.smc4j.stream.SmcStream;

/**
 * A stream that the application has closed while bytes of it were still kept on this side: it lives on until they are sent, as
 * the kernel's does, with a copy of the TCP descriptor that keeps the connection up. Given up after a minute, or when the peer
 * goes.
 */
final class Lingering implements Wakeups.Watcher, Sideband.Retry {
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private final SmcSockets sockets;
    private final SmcSocket socket;
    private final SmcStream stream;
    private final int connection;
    private final long start = System.nanoTime();

    private Lingering(SmcSockets sockets, SmcSocket socket, SmcStream stream) {
        this.sockets = sockets;
        this.socket = socket;
        this.stream = stream;
        this.connection = socket.holdConnection();
    }

    static void start(SmcSockets sockets, SmcSocket socket, SmcStream stream) {
        Lingering lingering = new Lingering(sockets, socket, stream);
        sockets.lingering().incrementAndGet();
        sockets.wakeups().watchDoorbell(stream.ownDoorbell(), lingering);
        lingering.doorbellRang();
        sockets.retry(lingering);
    }

    @Override
    public void doorbellRang() {
        stream.flushOverflow();
    }

    /** On the sideband's thread, every few milliseconds. */
    @Override
    public boolean isPending() {
        boolean late = System.nanoTime() - start > LIMIT_NANOS;
        if (stream.hasOverflow() && !stream.isGone() && !late) {
            return true;
        }
        if (late) {
            stream.publishFlags(SmcStream.PEER_CONN_ABORT);
        }
        sockets.wakeups().forgetDoorbell(stream.ownDoorbell(), this);
        sockets.end(socket, stream);
        Linux.close(connection);
        sockets.lingering().decrementAndGet();
        return false;
    }
}
