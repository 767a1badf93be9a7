package org.smc4j.nio;

import org.smc4j.sideband.Sideband;
import org.smc4j.stream.SmcStream;

/**
 * Watches a connection whose writer has met a full ring. If the peer takes nothing for a while, the connection may be one half
 * of a deadlock that TCP's buffers would have hidden, and what does not fit goes into the overflow area from then on. Writers
 * that do not block have no thread of their own to find that out. Runs on the sideband's thread until the ring has not been
 * full for some time, so a stream that fills its ring all the time starts it once.
 */
final class StallWatch implements Sideband.Retry {
    private static final long STALL_NANOS = 20_000_000L;
    /** A wake-up of the sideband's thread takes the processor from somebody, often from one of the stream's two ends. */
    private static final int INTERVAL_MILLIS = 10;
    private static final long QUIET_NANOS = 200_000_000L;

    private final SmcSocket socket;
    private final SmcStream stream;
    private long position = -1;
    private long moved = System.nanoTime();
    private long full = moved;

    StallWatch(SmcSocket socket, SmcStream stream) {
        this.socket = socket;
        this.stream = stream;
    }

    @Override
    public boolean isPending() {
        long now = System.nanoTime();
        long sent = stream.bytesSent();
        // As a selector sees it: a writer may wait for more than a free byte. Asked only when nothing moves, as it stops the writer.
        boolean isFull = sent == position ? !stream.isWritable() : stream.seemedFull();
        if (isFull) {
            full = now;
        }
        if (sent != position || !isFull) {
            position = sent;
            moved = now;
        }
        if (now - moved >= STALL_NANOS) {
            socket.relieveStall();
        } else if (!stream.isGone() && !stream.isClosed() && now - full < QUIET_NANOS) {
            return true;
        }
        socket.stallWatchEnded(stream);
        return false;
    }

    @Override
    public int interval() {
        return INTERVAL_MILLIS;
    }
}
