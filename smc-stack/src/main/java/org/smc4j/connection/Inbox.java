package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.cdc.CdcFlyweight;
import org.smc4j.cdc.Positions;
import org.smc4j.cdc.SequenceNumbers;
import org.smc4j.roce.Completions;

/**
 * What comes to a connection from its links: the peer's CDC messages, and the completions of our own. Where it is all checked, so
 * behind it positions are true. Its monitor serializes the completion threads of several devices, which meet only when the
 * connection changes its link.
 */
final class Inbox {
    // What a message means for others; several at a time.
    /** For readers: there is data, or the peer waits for them. */
    static final int READABLE = 1;
    /** The peer's application has read. */
    static final int CONSUMED = 1 << 1;
    /** The peer's state flags have changed. */
    static final int FLAGS = 1 << 2;
    /** What is prepared is to be sent. */
    static final int ASKED = 1 << 3;
    static final int CURSOR_ASKED = 1 << 7;
    /** The peer broke the protocol. */
    static final int VIOLATION = 1 << 4;
    /** The peer has left a link: what has come by that is to be seen to first, then {@link #judge} is called. */
    static final int JUDGE = 1 << 5;
    /** A message was lost with a link, on which the connection cannot go on. */
    static final int OUT_OF_SYNC = 1 << 6;

    /** A peer that sends more than these before it is judged breaks the protocol. */
    private static final int MOST_HELD = 1024;

    /** A message that waits until an earlier validation message is judged. */
    private record Held(WorkQueue from, byte[] bytes) {
    }

    private final Progress progress;
    private final MemorySegment ring;
    // Guarded by the monitor.
    private WorkQueue workQueue;
    private int lastReceived;
    private int completedSequence;
    private boolean closed;
    /** The link of the validation message that is to be judged, null if there is none. */
    private WorkQueue validated;
    private int validatedSequence;
    private final ArrayDeque<Held> held = new ArrayDeque<>();

    Inbox(Progress progress, MemorySegment ring, WorkQueue workQueue) {
        this.progress = progress;
        this.ring = ring;
        this.workQueue = workQueue;
    }

    // -- What we have sent --

    /** From now on only completions of this link count, as what they have not confirmed is sent again on it. */
    synchronized void moveTo(WorkQueue next) {
        workQueue = next;
        progress.completed = 0;
    }

    /** The sequence number that a validation message carries (spec/30-cdc.md §7). */
    synchronized int completedSequence() {
        return completedSequence;
    }

    /** A message of ours has completed, well or not. */
    synchronized void completed(WorkQueue from, int status, long position, int sequence) {
        progress.allCompleted++;
        if (from == workQueue && status == Completions.SUCCESS) {
            progress.confirmed = Math.max(progress.confirmed, position);
            progress.completed++;
            completedSequence = sequence;
        }
    }

    // -- What the peer has sent --

    /** Nothing that comes later is taken in. */
    synchronized void close() {
        closed = true;
        held.clear();
    }

    /** Takes in a message; returns what it means. */
    synchronized int received(WorkQueue from, CdcFlyweight message) {
        if (closed) {
            return 0;
        }
        if (validated != null && (isValidation(message) || isHeld(from))) {
            if (held.size() == MOST_HELD) {
                return VIOLATION;
            }
            held.add(new Held(from, message.copy()));
            return 0;
        }
        return process(from, message);
    }

    /**
     * Everything is seen to that came before the validation message, on whichever link: if the peer says that more than that
     * arrived, it is lost (spec/30-cdc.md §7). Otherwise takes in what was held back; returns what all of it means.
     */
    synchronized int judge() {
        if (closed || validated == null) {
            return 0;
        }
        if (SequenceNumbers.isBefore(lastReceived, validatedSequence)) {
            closed = true;
            return OUT_OF_SYNC;
        }
        validated = null;
        int outcome = 0;
        CdcFlyweight message = new CdcFlyweight();
        while (validated == null && !held.isEmpty()) {
            Held next = held.remove();
            outcome |= process(next.from, message.wrap(MemorySegment.ofArray(next.bytes), 0));
        }
        return outcome;
    }

    /** The link by which the validation message came that was judged last. */
    synchronized WorkQueue validated() {
        return validated;
    }

    private static boolean isValidation(CdcFlyweight message) {
        return (message.producerFlags() & CdcFlags.FAILOVER_VALIDATION) != 0;
    }

    private boolean isHeld(WorkQueue from) {
        for (Held message : held) {
            if (message.from == from) {
                return true;
            }
        }
        return from == validated;
    }

    private int process(WorkQueue from, CdcFlyweight message) {
        if (isValidation(message)) {
            validated = from;
            validatedSequence = message.sequence();
            return JUDGE;
        }
        if (SequenceNumbers.isBefore(message.sequence(), lastReceived)) {
            return 0;
        }
        lastReceived = message.sequence();
        return accept(message);
    }

    /** Spec/30-cdc.md §8. */
    private int accept(CdcFlyweight message) {
        long consumed = Positions.distance(progress.peerConsumed, message.consumerWrap(), message.consumerCount(), progress.peerSize);
        long produced = Positions.distance(progress.produced, message.producerWrap(), message.producerCount(), progress.receiveSize);
        boolean possible = consumed != Positions.OUTSIDE && produced != Positions.OUTSIDE
                && consumed <= progress.sentAtMost - progress.peerConsumed
                && produced <= progress.receiveSize - (progress.produced - progress.consumedTold);
        if (!possible) {
            closed = true;
            return VIOLATION;
        }
        int outcome = consumed > 0 ? consumed(consumed) : 0;
        int flags = message.producerFlags();
        boolean blocked = (flags & CdcFlags.WRITE_BLOCKED) != 0;
        progress.peerBlocked = blocked;
        if (produced > 0) {
            produced(produced, (flags & CdcFlags.URGENT_PRESENT) != 0);
            outcome |= READABLE;
        } else {
            progress.urgentNotYet |= (flags & (CdcFlags.URGENT_PENDING | CdcFlags.URGENT_PRESENT)) == CdcFlags.URGENT_PENDING;
            outcome |= blocked ? READABLE : 0;
        }
        outcome |= (flags & CdcFlags.URGENT_PENDING) != 0 ? ASKED : 0;
        outcome |= (flags & CdcFlags.UPDATE_REQUESTED) != 0 ? ASKED | CURSOR_ASKED : 0;
        int state = message.stateFlags();
        if ((state & ~progress.peerFlags) != 0) {
            progress.peerFlags = progress.peerFlags | state;
            outcome |= FLAGS;
        }
        return outcome;
    }

    private int consumed(long bytes) {
        progress.peerConsumed += bytes;
        // What the peer's application has read need not be sent again, whether the completion has been seen or not.
        progress.confirmed = Math.max(progress.confirmed, progress.peerConsumed);
        return CONSUMED;
    }

    private void produced(long bytes, boolean urgent) {
        long position = progress.produced + bytes;
        if (urgent) {
            progress.urgentByte = ring.get(ValueLayout.JAVA_BYTE, (position - 1) % progress.receiveSize);
            progress.urgentNotYet = false;
            progress.urgentAt = position - 1;
        }
        progress.produced = position;
    }
}
