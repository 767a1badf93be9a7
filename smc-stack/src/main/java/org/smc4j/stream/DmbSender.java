package org.smc4j.stream;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.ism.Dmb;

/**
 * Our writing end: the ring lies in the peer's DMB, so what is written here survives us. The lane guards all fields; whoever
 * holds it may touch the memory.
 */
final class DmbSender extends Lane {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final SmcStream stream;
    private final MemorySegment ring;
    private final MemorySegment own;
    private final int size;
    private final long page;
    private int free;
    private int count;
    private int wrap;
    private long position;
    private long consumerSeen;
    private final Overflow overflow = new Overflow();
    private boolean overflowAllowed;

    DmbSender(SmcStream stream, Dmb ownDmb, Dmb peerDmb) {
        this.stream = stream;
        this.ring = peerDmb.memory();
        this.own = ownDmb.memory();
        this.size = peerDmb.size() - DmbLayout.HEADER_SIZE;
        this.page = peerDmb.size();
        this.free = size;
    }

    /**
     * @param least how many bytes must fit for any to be taken
     * @param unlessLocked nothing is taken while somebody holds this lock; null for none
     * @return bytes taken, 0 if there is no space, {@link SmcStream#LOOK} if the state has to be looked at first
     */
    int send(MemorySegment source, long offset, int length, int least, ReentrantLock unlessLocked) {
        if (!tryEnter() && !enter()) {
            return SmcStream.LOOK;
        }
        try {
            if (unlessLocked != null && unlessLocked.isLocked()) {
                return 0;
            }
            if (!refresh()) {
                return SmcStream.LOOK;
            }
            if (overflowAllowed) {
                return sendOrStore(source, offset, length, least);
            }
            if (free < least) {
                return 0;
            }
            int n = Math.min(length, free);
            copyIn(source, offset, n);
            publishRelease(n);
            return n;
        } finally {
            leaveRelease();
        }
    }

    /** Sends one byte and marks it as urgent (RFC 793: a later urgent byte moves the mark). Results as {@link #send}. */
    int sendUrgent(MemorySegment source) {
        if (!enter()) {
            return SmcStream.LOOK;
        }
        try {
            if (!refresh()) {
                return SmcStream.LOOK;
            }
            if (free == 0 || !overflow.isEmpty()) {
                return 0;
            }
            copyIn(source, 0, 1);
            LONG.setRelease(ring, page + DmbLayout.URGENT_OFFSET, position + 1);
            publishRelease(1);
            return 1;
        } finally {
            leaveRelease();
        }
    }

    /** Bytes that can be sent now; 0 if the state has to be looked at. */
    int space() {
        if (!enter()) {
            return 0;
        }
        try {
            if (!refresh()) {
                return 0;
            }
            return overflowAllowed ? overflow.room() : free;
        } finally {
            leaveRelease();
        }
    }

    /** Bytes that the peer has not consumed yet. */
    int unconsumed() {
        if (!enter()) {
            return 0;
        }
        try {
            refresh();
            return size - free + overflow.size();
        } finally {
            leaveRelease();
        }
    }

    /** Bytes sent so far. */
    long position() {
        return position;
    }

    int capacity() {
        return size;
    }

    void publishSwitch(long tcpBytes) {
        if (!enter()) {
            return;
        }
        try {
            LONG.setRelease(ring, page + DmbLayout.SWITCH_OFFSET, tcpBytes + 1);
            VarHandle.fullFence();
            stream.wakePeerForData();
        } finally {
            leaveRelease();
        }
    }

    // -- Overflow: see there --

    /** From now on, until it is empty again, what does not fit into the ring is kept here. */
    void allowOverflow() {
        if (!enter()) {
            return;
        }
        try {
            if (!overflowAllowed) {
                overflowAllowed = true;
                LONG.setRelease(ring, page + DmbLayout.OVERFLOW_OFFSET, 1L);
            }
        } finally {
            leaveRelease();
        }
    }

    private int sendOrStore(MemorySegment source, long offset, int length, int least) {
        drainOverflow();
        if (overflow.isEmpty() && free >= least) {
            int n = Math.min(length, free);
            copyIn(source, offset, n);
            publishRelease(n);
            return n;
        }
        int n = overflow.store(source, offset, length, least);
        if (n > 0) {
            // Nobody may come back to this connection: the doorbell has to, from now on until all is sent.
            stream.armSpace(true);
            if (refresh()) {
                drainOverflow();
            }
        }
        return n;
    }

    /** Moves what was kept into the ring as far as it fits; false while some remains and the peer is there. */
    boolean flushOverflow() {
        if (!enter()) {
            return true;
        }
        try {
            if (!refresh()) {
                return true;
            }
            drainOverflow();
            if (overflow.isEmpty()) {
                overflowAllowed = false;
                LONG.setRelease(ring, page + DmbLayout.OVERFLOW_OFFSET, 0L);
                stream.publishDeferredFlags();
                return true;
            }
            return false;
        } finally {
            leaveRelease();
        }
    }

    boolean isRingFull() {
        if (!enter()) {
            return true;
        }
        try {
            return refresh() && free == 0;
        } finally {
            leaveRelease();
        }
    }

    boolean hasOverflow() {
        if (!enter()) {
            return false;
        }
        try {
            return !overflow.isEmpty();
        } finally {
            leaveRelease();
        }
    }

    private void drainOverflow() {
        while (free > 0 && !overflow.isEmpty()) {
            int n = Math.min(free, overflow.headLength());
            copyIn(overflow.head(), overflow.headOffset(), n);
            overflow.remove(n);
            publishRelease(n);
        }
    }

    /** Takes in the peer's consumer cursor; false if the peer has closed, aborted, or lied. */
    private boolean refresh() {
        long consumer = (long) LONG.getAcquire(own, DmbLayout.CONSUMER_OFFSET);
        if (consumer != consumerSeen) {
            int moved = DmbLayout.advance(consumerSeen, consumer, size, size - free);
            if (moved < 0) {
                stream.fail();
                return false;
            }
            consumerSeen = consumer;
            free += moved;
        }
        int gone = DmbLayout.PEER_CONN_CLOSED | DmbLayout.PEER_CONN_ABORT;
        return (DmbLayout.stateFlags(consumer) & gone) == 0 && !stream.isGone();
    }

    private void copyIn(MemorySegment source, long offset, int n) {
        int first = Math.min(n, size - count);
        MemorySegment.copy(source, offset, ring, DmbLayout.HEADER_SIZE + (long) count, first);
        if (first < n) {
            MemorySegment.copy(source, offset + first, ring, DmbLayout.HEADER_SIZE, n - first);
        }
    }

    private void publishRelease(int n) {
        count += n;
        if (count >= size) {
            count -= size;
            wrap = wrap + 1 & 0xFFFF;
        }
        free -= n;
        position += n;
        LONG.setRelease(ring, DmbLayout.PRODUCER_OFFSET, DmbLayout.cursor(wrap, count, 0));
        // The cursor must be out before the request is read: the waiter stores its request and then reads the cursor.
        VarHandle.fullFence();
        if ((long) LONG.getOpaque(ring, page + DmbLayout.WAIT_DATA) != 0) {
            stream.wakePeerForData();
        }
    }
}
