package org.smc4j.stream;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.smc4j.ism.Dmb;

/** Our reading end: the ring lies in our own DMB. The lane guards all fields; whoever holds it may touch the memory. */
final class DmbReceiver extends Lane {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    /** Kernel's lower bound of what is worth a window update (spec/30-cdc.md §6). */
    private static final int MIN_UPDATE = 2304;
    /**
     * Memory of the overflow area is given back to the system and to the writer in steps of this many bytes, always to both:
     * the writer must not have come round to a page that is about to be discarded.
     */
    private static final int DISCARD_SIZE = 1 << 20;
    /** So many looks in a row that brought little, with nothing sent between them, are a stream rather than answers. */
    private static final int LOOKS_OF_A_STREAM = 8;
    private static final int LITTLE = 8192;
    /** A microsecond or two. */
    private static final int PAUSE_SPINS = 100;

    private final DmbStream stream;
    private final MemorySegment ring;
    private final MemorySegment peer;
    private final int size;
    private final long page;
    private final long peerPage;
    private final int updateLimit;
    private final int wakeLimit;
    private final Overflow overflow;
    private int available;
    private int count;
    private int wrap;
    private long position;
    private int unconfirmed;
    private long producerSeen;
    private long storedSeen;
    private long taken;
    private long discarded;
    private int littleLooks;
    private long sentSeen;
    private long calls;
    private long fulls;

    DmbReceiver(DmbStream stream, Dmb ownDmb, Dmb peerDmb) {
        this.stream = stream;
        this.ring = ownDmb.memory();
        this.peer = peerDmb.memory();
        this.size = ownDmb.size() - DmbLayout.HEADER_SIZE;
        this.page = ownDmb.size();
        this.peerPage = peerDmb.size();
        this.overflow = new Overflow(ownDmb);
        this.updateLimit = Math.max(size / 10, MIN_UPDATE);
        // A writer that waits is woken when a third of the ring is free, as TCP does: waking it for every message read
        // would make each of them cost two system calls.
        this.wakeLimit = size / 3;
    }

    /** @return bytes received, 0 if there are none, {@link SmcStream#LOOK} if the stream is closed here or broken */
    int receive(MemorySegment target, long offset, int length) {
        if (!tryEnter() && !enter()) {
            return SmcStream.LOOK;
        }
        try {
            int n = Math.min(length, readable(length));
            if (n > 0) {
                calls++;
                if (available == size) {
                    fulls++;
                }
                if (available > 0) {
                    copyOut(target, offset, n);
                } else {
                    overflow.read(taken, target, offset, n);
                }
                consume(n);
            }
            return n;
        } finally {
            leaveRelease();
        }
    }

    /** Bytes that can be received now. */
    int available() {
        if (!enter()) {
            return 0;
        }
        try {
            return Math.max(0, readable(Integer.MAX_VALUE));
        } finally {
            leaveRelease();
        }
    }

    /** Bytes that were not received, urgent ones included. */
    int unread() {
        if (!enter()) {
            return 0;
        }
        try {
            refresh();
            return available + overflowing();
        } finally {
            leaveRelease();
        }
    }

    /** Bytes consumed so far, urgent ones included. */
    long position() {
        return position;
    }

    /** Calls that received something. */
    long calls() {
        return calls;
    }

    /** Calls that found the ring full. */
    long fulls() {
        return fulls;
    }

    /** Makes what was consumed known to the peer, before somebody sleeps on it. */
    void confirm() {
        if (!enter()) {
            return;
        }
        try {
            if (unconfirmed > 0) {
                publishRelease();
            }
        } finally {
            leaveRelease();
        }
    }

    /** TCP bytes that precede the ring, -1 if the peer has not switched. */
    long switchOffset() {
        if (!enter()) {
            return -1;
        }
        try {
            return (long) LONG.getAcquire(ring, page + DmbLayout.SWITCH_OFFSET) - 1;
        } finally {
            leaveRelease();
        }
    }

    /** Connection state flags of the peer, as it last wrote them; 0 once the lane is closed. */
    int peerFlags() {
        if (!enter()) {
            return 0;
        }
        try {
            return DmbLayout.stateFlags((long) LONG.getAcquire(ring, DmbLayout.CONSUMER_OFFSET));
        } finally {
            leaveRelease();
        }
    }

    private boolean refresh() {
        // Before the cursor, as it may only be read when the ring is empty at a later time: see Overflow.
        long stored = (long) LONG.getAcquire(ring, page + DmbLayout.OVERFLOW_STORED);
        long producer = (long) LONG.getAcquire(ring, DmbLayout.PRODUCER_OFFSET);
        if (producer != producerSeen) {
            int moved = DmbLayout.advance(producerSeen, producer, size, size - available);
            if (moved < 0) {
                stream.fail();
                return false;
            }
            producerSeen = producer;
            available += moved;
        }
        if (stored != storedSeen) {
            if (stored < storedSeen || stored - taken > Overflow.LIMIT) {
                stream.fail();
                return false;
            }
            storedSeen = stored;
        }
        return !stream.isBroken();
    }

    private int overflowing() {
        return (int) (storedSeen - taken);
    }

    /**
     * What a read may take, from the ring or from the overflow area: up to the urgent byte, which is not part of the stream
     * unless SO_OOBINLINE is set.
     *
     * @param wanted what is already known to be there is not looked up again if it is as much as that
     */
    private int readable(int wanted) {
        if (available < wanted) {
            boolean exhausted = available == 0;
            if (exhausted && isStream()) {
                letSomeComeTogether();
            }
            if (!refresh()) {
                return SmcStream.LOOK;
            }
            if (exhausted && available > 0) {
                long sent = stream.bytesSent();
                littleLooks = available < LITTLE && sent == sentSeen ? littleLooks + 1 : 0;
                sentSeen = sent;
            }
        }
        long urgent = (long) LONG.getOpaque(ring, page + DmbLayout.URGENT_OFFSET) - 1;
        if (urgent < position || urgent - position >= size + Overflow.LIMIT || stream.urgentInline()) {
            // The common case by far: no urgent byte ahead.
            return next();
        }
        if (!refresh()) {
            return SmcStream.LOOK;
        }
        if (urgent == position && next() > 0) {
            consume(1);
            return next();
        }
        return (int) Math.min(next(), urgent - position);
    }

    /**
     * A reader that is as fast as its writer takes every message alone, and each then costs both ends the cache lines of the
     * cursor and of the byte behind it. When the reader hangs back a little, a 64-byte stream runs at 10 to 13 million
     * messages a second instead of 7 to 8.
     */
    private static void letSomeComeTogether() {
        for (int i = 0; i < PAUSE_SPINS; i++) {
            Thread.onSpinWait();
        }
    }

    /**
     * Whether what comes is part of a stream of small messages, by all that is known; what comes after something was sent may be
     * an answer, for which nobody should wait. A guess: not guarded by the lane.
     */
    boolean isStream() {
        return littleLooks > LOOKS_OF_A_STREAM && stream.bytesSent() == sentSeen;
    }

    private int next() {
        return available > 0 ? available : overflowing();
    }

    private void copyOut(MemorySegment target, long offset, int n) {
        int first = Math.min(n, size - count);
        MemorySegment.copy(ring, DmbLayout.HEADER_SIZE + (long) count, target, offset, first);
        if (first < n) {
            MemorySegment.copy(ring, DmbLayout.HEADER_SIZE, target, offset + first, n - first);
        }
    }

    private void consume(int n) {
        position += n;
        if (available == 0) {
            consumeOverflow(n);
            return;
        }
        count += n;
        if (count >= size) {
            count -= size;
            wrap = wrap + 1 & 0xFFFF;
        }
        available -= n;
        unconfirmed += n;
        if (unconfirmed > updateLimit
                && ((long) LONG.getOpaque(peer, peerPage + DmbLayout.WAIT_SPACE) == 0 || unconfirmed > wakeLimit)) {
            publishRelease();
        }
    }

    private void consumeOverflow(int n) {
        taken += n;
        if (taken < storedSeen && taken - discarded < DISCARD_SIZE) {
            return;
        }
        discarded = overflow.discard(discarded, taken);
        LONG.setRelease(ring, page + DmbLayout.OVERFLOW_TAKEN, taken);
        VarHandle.fullFence();
        if ((long) LONG.getOpaque(peer, peerPage + DmbLayout.WAIT_SPACE) != 0) {
            stream.wakePeerForSpace();
        }
    }

    private void publishRelease() {
        unconfirmed = 0;
        stream.publishConsumerRelease(DmbLayout.cursor(wrap, count, 0));
        VarHandle.fullFence();
        if ((long) LONG.getOpaque(peer, peerPage + DmbLayout.WAIT_SPACE) != 0) {
            stream.wakePeerForSpace();
        }
    }
}
