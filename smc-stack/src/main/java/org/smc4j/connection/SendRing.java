package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.stream.Lane;
import org.smc4j.stream.SmcStream;

/**
 * Our send buffer: what the application has written, until the peer is known to have it. The lane is the writer's; whoever holds it
 * may touch the memory. The device reads from it what was posted.
 *
 * <p>A connection that began on TCP has a preamble before the application's first byte: how many bytes of the TCP stream precede it.
 * It travels as data does, so it is as safe as that.
 */
final class SendRing extends Lane {
    /** Bytes of the preamble. */
    static final int PREAMBLE = 8;
    static final ValueLayout.OfLong PREAMBLE_LAYOUT = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Progress progress;
    private final MemorySegment memory;
    private final int size;
    /** Bytes before the application's first one. */
    private final int preamble;
    /** Nothing is taken any more; the lane. */
    private boolean stopped;
    // Also the lane.
    private long calls;
    private long fulls;
    private long peerFulls;

    SendRing(Progress progress, MemorySegment memory, int preamble) {
        this.progress = progress;
        this.memory = memory;
        this.size = progress.sendSize;
        this.preamble = preamble;
    }

    /**
     * @param least        how many bytes must fit for any to be taken
     * @param unlessLocked nothing is taken while somebody holds this lock; null for none
     * @return bytes taken, 0 if there is no space, {@link SmcStream#LOOK} if nothing is taken any more
     */
    int send(MemorySegment source, long offset, int length, int least, ReentrantLock unlessLocked) {
        if (!tryEnter() && !enter()) {
            return SmcStream.LOOK;
        }
        try {
            if (unlessLocked != null && unlessLocked.isLocked()) {
                return 0;
            }
            if (stopped) {
                return SmcStream.LOOK;
            }
            int n = Math.min(length, progress.space());
            if (n < least) {
                // Who wants to send the whole or nothing tries otherwise next, and that counts.
                if (unlessLocked == null) {
                    noteFull();
                }
                return 0;
            }
            append(source, offset, n);
            calls++;
            return n;
        } finally {
            leaveRelease();
        }
    }

    private void noteFull() {
        fulls++;
        if (progress.peerSpace() <= 0) {
            peerFulls++;
        }
    }

    /** As {@link #send}; the last of these bytes is urgent, and after it nothing is taken until the peer has consumed it. */
    int sendUrgent(MemorySegment source, long offset, int length) {
        if (!enter()) {
            return SmcStream.LOOK;
        }
        try {
            if (stopped) {
                return SmcStream.LOOK;
            }
            int n = Math.min(length, progress.space());
            if (n > 0) {
                // Before the bytes, so that no message with some of them goes without it.
                progress.urgentPending = true;
                if (n == length) {
                    progress.urgentEnd = progress.prepared() + n;
                }
                append(source, offset, n);
                calls++;
            } else {
                noteFull();
            }
            return n;
        } finally {
            leaveRelease();
        }
    }

    /**
     * Puts the preamble in front. Once, before anything is sent.
     *
     * @return false if nothing is taken any more
     */
    boolean begin(long tcpBytes) {
        if (!enter()) {
            return false;
        }
        try {
            if (stopped) {
                return false;
            }
            MemorySegment bytes = MemorySegment.ofArray(new byte[PREAMBLE]);
            bytes.set(PREAMBLE_LAYOUT, 0, tcpBytes);
            append(bytes, 0, PREAMBLE);
            return true;
        } finally {
            leaveRelease();
        }
    }

    /** Whether the preamble is in front, or none is needed. */
    boolean isBegun() {
        return progress.prepared() >= preamble;
    }

    /** Whether the peer is known to have read it. */
    boolean isBeginKnown() {
        return progress.peerConsumed >= preamble;
    }

    private void append(MemorySegment source, long offset, int n) {
        long position = progress.prepared();
        int at = (int) (position % size);
        int first = Math.min(n, size - at);
        MemorySegment.copy(source, offset, memory, at, first);
        if (first < n) {
            MemorySegment.copy(source, offset + first, memory, 0, n - first);
        }
        progress.preparedRelease(position + n);
    }

    /** Bytes of the application that were taken so far. */
    long bytesSent() {
        return Math.max(0, progress.prepared() - preamble);
    }

    /** Calls that sent something. */
    long calls() {
        return calls;
    }

    /** Calls that found no space. */
    long fulls() {
        return fulls;
    }

    /** Those of them that found none at the peer, either. */
    long peerFulls() {
        return peerFulls;
    }

    /** Nothing is taken from now on; a send under way is waited for. */
    void stop() {
        if (enter()) {
            stopped = true;
            leaveRelease();
        }
    }

    // -- What the peer has not received, when a connection goes on over TCP --

    /**
     * How many of the application's bytes there are from {@code from} on, which the peer says it has received. Nothing is sent or taken
     * any more.
     *
     * @return -1 if they are not here any more, or never were: the two ends do not agree
     */
    long unconfirmed(long from) {
        long position = from + preamble;
        long first = Math.max(progress.confirmed, preamble);
        if (from < 0 || position < first || position > Math.max(progress.sentAtMost, preamble)) {
            return -1;
        }
        return Math.max(0, progress.prepared() - position);
    }

    /** What precedes the urgent byte, if that is not before {@code from}; else -1. */
    long unconfirmedUrgent(long from) {
        long urgent = progress.urgentEnd - 1 - preamble;
        return urgent < from ? -1 : urgent;
    }

    /** Copies bytes that {@link #unconfirmed} has counted. */
    void copyUnconfirmed(long from, MemorySegment target, long offset, int length) {
        int at = (int) ((from + preamble) % size);
        int first = Math.min(length, size - at);
        MemorySegment.copy(memory, at, target, offset, first);
        MemorySegment.copy(memory, 0, target, offset + first, length - first);
    }
}
