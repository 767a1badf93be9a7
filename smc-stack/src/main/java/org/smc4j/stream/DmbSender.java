package org.smc4j.stream;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.ffi.linux.MemoryBarrier;
import org.smc4j.ism.Dmb;

/**
 * Our writing end: the ring lies in the peer's DMB, so what is written here survives us. The lane guards all fields; whoever
 * holds it may touch the memory.
 */
final class DmbSender extends Lane {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** So many messages in a row for which no reader waited. */
    private static final int UNWAITED_OF_A_STREAM = 64;
    private static final int CACHE_LINE = 64;
    private static final int CLAIM_SIZE = 512;

    private final DmbStream stream;
    private final MemorySegment ring;
    private final MemorySegment own;
    private final int size;
    private final long page;
    private int free;
    private int count;
    private int wrap;
    private long position;
    private long claimed;
    private long consumerSeen;
    private boolean withoutBarrier;
    private int unwaited;
    private final Overflow overflow;
    private boolean overflowAllowed;
    private long stored;
    private long takenSeen;
    private long calls;
    private long fulls;

    DmbSender(DmbStream stream, Dmb ownDmb, Dmb peerDmb) {
        this.stream = stream;
        this.ring = peerDmb.memory();
        this.own = ownDmb.memory();
        this.size = peerDmb.size() - DmbLayout.HEADER_SIZE;
        this.page = peerDmb.size();
        this.free = size;
        this.overflow = new Overflow(peerDmb);
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
            int n = place(source, offset, length, least);
            if (n > 0) {
                calls++;
            } else if (n == 0 && unlessLocked == null) {
                // Who wants to send the whole or nothing tries otherwise next, and that counts.
                fulls++;
            }
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
            long before = (long) LONG.getOpaque(ring, page + DmbLayout.URGENT_OFFSET);
            // Before the byte, which must not be read as one of the stream.
            LONG.setRelease(ring, page + DmbLayout.URGENT_OFFSET, position + 1);
            int n = place(source, 0, 1, 1);
            if (n <= 0) {
                LONG.setRelease(ring, page + DmbLayout.URGENT_OFFSET, before);
            }
            return n;
        } finally {
            leaveRelease();
        }
    }

    private int place(MemorySegment source, long offset, int length, int least) {
        if (overflowAllowed) {
            if (!refreshOverflow()) {
                return SmcStream.LOOK;
            }
            if (!isOverflowEmpty() || free < least) {
                return store(source, offset, length, least);
            }
            overflowAllowed = free <= size / 3;
        } else if (free < least) {
            return 0;
        }
        int n = Math.min(length, free);
        if (n < CLAIM_SIZE) {
            claimAhead(n);
        }
        copyIn(source, offset, n);
        publishRelease(n);
        return n;
    }

    /**
     * Writes to the cache lines that small messages will need next, several at once: the reader's processor still has them from
     * the last lap, and waiting for each alone, as the fence behind every message does, takes most of the time of a stream of
     * small messages.
     */
    private void claimAhead(int n) {
        long next = position + n;
        if (next <= claimed) {
            return;
        }
        claimed = Math.min(position + free, next + CLAIM_SIZE);
        for (long i = next; i < claimed; i += CACHE_LINE) {
            int at = count + (int) (i - position);
            ring.set(ValueLayout.JAVA_BYTE, DmbLayout.HEADER_SIZE + (long) (at < size ? at : at - size), (byte) 0);
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
            return !overflowAllowed ? free : refreshOverflow() ? Math.max(room(), isOverflowEmpty() ? free : 0) : 0;
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
            refreshOverflow();
            return size - free + (int) (stored - takenSeen);
        } finally {
            leaveRelease();
        }
    }

    /** Whether the writer has last seen little space; a guess, not guarded by the lane. */
    boolean seemedFull() {
        return free <= size / 3;
    }

    /** Bytes sent so far. */
    long position() {
        return position;
    }

    /** Calls that sent something. */
    long calls() {
        return calls;
    }

    /** Calls that found no space. */
    long fulls() {
        return fulls;
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

    /** From now on, until the ring has space again, what does not fit is put into the overflow area. */
    void allowOverflow() {
        if (!enter()) {
            return;
        }
        overflowAllowed = true;
        leaveRelease();
    }

    boolean isOverflowAllowed() {
        if (!enter()) {
            return false;
        }
        boolean allowed = overflowAllowed;
        leaveRelease();
        return allowed;
    }

    private int store(MemorySegment source, long offset, int length, int least) {
        int n = Math.min(length, room());
        if (n < least || !overflow.write(stored, source, offset, n)) {
            return 0;
        }
        stored += n;
        position += n;
        LONG.setRelease(ring, page + DmbLayout.OVERFLOW_STORED, stored);
        wakeReader();
        return n;
    }

    private boolean isOverflowEmpty() {
        return stored == takenSeen;
    }

    private int room() {
        return Overflow.LIMIT - (int) (stored - takenSeen);
    }

    /** Takes in what the peer has taken out of the overflow area; false if it lied. */
    private boolean refreshOverflow() {
        long taken = (long) LONG.getAcquire(ring, page + DmbLayout.OVERFLOW_TAKEN);
        if (taken < takenSeen || taken > stored) {
            stream.fail();
            return false;
        }
        takenSeen = taken;
        return true;
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
        int gone = SmcStream.PEER_CONN_CLOSED | SmcStream.PEER_CONN_ABORT;
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
        wakeReader();
    }

    /**
     * The cursor must be out before the request is read: a waiter stores its request and then reads the cursor. In a stream
     * nobody waits for long stretches, and the barrier, which waits for the reader's processor to give up the lines just written,
     * takes most of the time; so there the waiter has to see to it ({@link SmcStream#armData}).
     */
    private void wakeReader() {
        if (withoutBarrier) {
            // For the compiler.
            VarHandle.releaseFence();
        } else {
            VarHandle.fullFence();
        }
        if ((long) LONG.getOpaque(ring, page + DmbLayout.WAIT_DATA) != 0) {
            unwaited = 0;
            if (withoutBarrier) {
                withoutBarrier = false;
                INT.setOpaque(ring, page + DmbLayout.WITHOUT_BARRIER, 0);
            }
            stream.wakePeerForData();
        } else if (!withoutBarrier && ++unwaited == UNWAITED_OF_A_STREAM && MemoryBarrier.isAvailable()
                && (int) INT.getOpaque(ring, page + DmbLayout.OFFERS_BARRIER) != 0) {
            INT.setOpaque(ring, page + DmbLayout.WITHOUT_BARRIER, 1);
            VarHandle.fullFence();
            withoutBarrier = true;
        }
    }
}
