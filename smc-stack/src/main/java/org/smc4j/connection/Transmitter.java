package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.cdc.CdcFlyweight;
import org.smc4j.cdc.SequenceNumbers;
import org.smc4j.diag.SmcState;

/**
 * The sending end of a connection, and its state: all that leads to a CDC message (spec/30-cdc.md §5 to §7). It is a turn, so what
 * an application thread has written it sends itself, unless another thread is inside, which then sends it too; a completion thread
 * only does what a completion makes possible. All fields belong to the turn unless they say otherwise.
 */
final class Transmitter extends Turn implements SendHandler {
    // Reasons to come in.
    /** The application has written. */
    static final int WRITTEN = 1 << 1;
    /** A message of ours has completed. */
    static final int COMPLETED = 1 << 2;
    /** The peer has consumed, or wants something sent: what is prepared goes out, corked or not. */
    static final int ASKED = 1 << 3;
    /** The peer's state flags have changed. */
    static final int FLAGS = 1 << 4;
    /** The application has read so much that a consumer cursor is due. */
    static final int READ = 1 << 5;
    /** A slot has come, or none will come. */
    static final int SLOT = 1 << 6;
    /** Nothing is held back any more. */
    static final int PUSH = 1 << 7;
    static final int DRAIN_OVER = 1 << 8;
    /** A message was lost, or the peer broke the protocol. */
    static final int OUT_OF_SYNC = 1 << 9;
    /** The peer is gone. */
    static final int HUNG_UP = 1 << 10;
    /** The peer wants our consumer cursor, whatever it is. */
    static final int CURSOR_ASKED = 1 << 11;

    private static final int PUSHING = ASKED | SLOT | PUSH;

    private final Progress progress;
    private final Inbox inbox;
    private final ConnectionState state;
    private final int peerToken;
    private final long sendAddress;
    private final long autocorkingSize;
    private final Waiter forSpace;
    private final Runnable whenOver;
    private final RdmaWrites writes = new RdmaWrites();
    private final Grant grant = new Grant();
    private RdmaPath path;
    private int sequence;
    /** Messages posted on the present link. */
    private long posted;
    /** Messages posted at all. */
    private long allPosted;
    private boolean writeBlocked;
    private boolean corked;
    /** The first message on a new link is yet to be sent. */
    private boolean validationDue;
    /** A consumer cursor is to be sent. */
    private boolean updateDue;
    /** The present link is being left: nothing is posted on it. */
    private boolean paused;
    /** Something that the peer may not have got was not data. */
    private boolean repeatDue;
    /** Waits for a message of ours to complete; null if nobody does. */
    private Runnable whenProven;
    private boolean over;

    /**
     * @param whenOver runs once, inside the turn, when the connection is closed, released, and nothing of it is in flight
     */
    Transmitter(Progress progress, Inbox inbox, ConnectionState state, int peerToken, MemorySegment sendBuffer, RdmaPath path,
                long autocorkingSize, Waiter forSpace, Runnable whenOver) {
        this.progress = progress;
        this.inbox = inbox;
        this.state = state;
        this.peerToken = peerToken;
        this.sendAddress = sendBuffer.address();
        this.path = path;
        this.autocorkingSize = autocorkingSize;
        this.forSpace = forSpace;
        this.whenOver = whenOver;
        grant.workQueue = path.workQueue();
    }

    @Override
    void work(int reasons) {
        if (over) {
            grant.giveBack();
            return;
        }
        state.received();
        if (whenProven != null && progress.completed > 0) {
            Runnable proven = whenProven;
            whenProven = null;
            proven.run();
        }
        if ((reasons & OUT_OF_SYNC) != 0) {
            abort();
        }
        if ((reasons & HUNG_UP) != 0) {
            state.sever();
        }
        if ((reasons & DRAIN_OVER) != 0) {
            state.endDrain();
        }
        if ((reasons & ASKED) != 0) {
            noteUrgentConsumed();
        }
        // What was read may have been told meanwhile, with data.
        updateDue |= (reasons & CURSOR_ASKED) != 0 || (reasons & READ) != 0 && progress.consumed() > progress.consumedTold;
        proceed((reasons & PUSHING) != 0);
    }

    /** Sends what there is to send, does what has waited for that, and finds the end. */
    private void proceed(boolean push) {
        transmit(push || state.isDraining());
        state.proceed();
        transmit(false);
        grant.giveBack();
        if (!over && state.isOver() && progress.allCompleted == allPosted) {
            over = true;
            grant.giveUp();
            whenOver.run();
        }
    }

    // -- For the application and the control plane: from outside --

    void activate() {
        enter();
        state.activate();
        proceed(true);
        leave();
    }

    /** Sends a message, with or without data, and runs {@code proven} inside the turn when one has completed. */
    void probe(Runnable proven) {
        enter();
        whenProven = proven;
        updateDue = true;
        proceed(true);
        leave();
        // One may have completed before.
        request(COMPLETED);
    }

    void cork(boolean on) {
        enter();
        corked = on;
        if (!on) {
            proceed(true);
        }
        leave();
    }

    void shutdownWrite() {
        enter();
        state.shutdownWrite();
        proceed(true);
        leave();
    }

    void shutdownBoth() {
        enter();
        state.shutdownBoth();
        proceed(true);
        leave();
    }

    /** @return whether it goes on until everything is sent, or {@link #DRAIN_OVER} */
    boolean close(boolean abort) {
        enter();
        state.close(abort);
        proceed(true);
        boolean draining = state.isDraining();
        leave();
        return draining;
    }

    /** Ends the connection with one message, if one can be sent now. */
    void kill() {
        enter();
        abort();
        proceed(false);
        leave();
    }

    /** Nothing is sent from now on, and the connection stays until {@link #letGo}. */
    void freeze() {
        enter();
        state.freeze();
        leave();
    }

    void letGo() {
        enter();
        state.letGo();
        proceed(false);
        leave();
    }

    /** Whether the peer's device has taken all that was written, and that it was the end. */
    boolean isSettled() {
        enter();
        boolean settled = progress.unsent() == 0 && !state.isMessageDue() && !state.isDraining() && progress.allCompleted == allPosted;
        leave();
        return settled;
    }

    /** Posts nothing until {@link #moveTo}, so that the work queue can drain. */
    void pause() {
        enter();
        paused = true;
        leave();
    }

    /** Goes on by another link (spec/30-cdc.md §7). Nothing is sent by the present one any more; its work queue is down or drained. */
    void moveTo(RdmaPath next) {
        enter();
        paused = false;
        if (!over && next.workQueue() != path.workQueue()) {
            boolean unsure;
            synchronized (inbox) {
                unsure = posted > progress.completed;
                inbox.moveTo(next.workQueue());
            }
            posted = 0;
            grant.moveTo(next.workQueue());
            path = next;
            if (state.state() != SmcState.INIT && !state.isSevered()) {
                rewind();
                validationDue = true;
                repeatDue |= unsure;
            }
            proceed(true);
        }
        leave();
    }

    // -- Inside --

    /** Back to where the peer is known to be; the bytes behind are still in the send buffer. */
    private void rewind() {
        progress.sent = progress.confirmed;
        if (progress.urgentEnd > progress.sent) {
            progress.urgentPending = true;
        }
    }

    /** One last message, by the link that the last validation message came from if that is another one. */
    private void abort() {
        WorkQueue from = inbox.validated();
        if (from != null && from != path.workQueue()) {
            grant.moveTo(from);
            path = RdmaPath.withoutData(from);
        }
        state.kill();
        if (state.isMessageDue()) {
            send(0);
        }
        state.sever();
    }

    private void noteUrgentConsumed() {
        long end = progress.urgentEnd;
        if (end != Progress.NONE && progress.peerConsumed >= end) {
            progress.urgentEnd = Progress.NONE;
            forSpace.wake();
        }
    }

    /** @param push whether data goes out although it would be held back to grow */
    private void transmit(boolean push) {
        if (paused || state.isSevered() || state.state() == SmcState.INIT || validationDue && !sendValidation()) {
            return;
        }
        if (progress.peerConsumed > progress.sent) {
            // What was to be sent again had arrived by the link that was lost.
            progress.sent = progress.peerConsumed;
        }
        long unsent = progress.unsent();
        long space = progress.peerSpace();
        boolean data = unsent > 0 && space > 0 && !state.isDataOver() && (push || !isHeldBack(unsent));
        if (data) {
            writeBlocked = unsent >= space;
            send((int) Math.min(unsent, space));
        } else if (state.isMessageDue() || (updateDue || repeatDue) && !state.isDataOver()) {
            send(0);
        }
    }

    /** Corking, explicit and automatic (spec/30-cdc.md §6). The first message is never held back. */
    private boolean isHeldBack(long unsent) {
        if (corked && progress.prepared() - progress.confirmed < progress.sendSize) {
            return true;
        }
        return posted > progress.completed && unsent <= Math.min(progress.sendSize / 2, autocorkingSize);
    }

    private boolean sendValidation() {
        int slot = takeSlot();
        if (slot < 0) {
            return false;
        }
        WorkQueue workQueue = path.workQueue();
        int completed = inbox.completedSequence();
        workQueue.message(slot).begin(completed, peerToken).flags(CdcFlags.FAILOVER_VALIDATION, 0);
        writes.clear();
        validationDue = !post(slot, progress.confirmed, completed);
        return !validationDue;
    }

    /** Writes so many bytes, and sends a message behind them; without bytes the message alone. */
    private void send(int length) {
        int slot = takeSlot();
        if (slot < 0) {
            return;
        }
        long from = progress.sent;
        long to = from + length;
        writes.set(sendAddress, progress.sendSize, from, length, path.peerAddress(), progress.peerSize);
        // All of these before the message is posted, as the answer may come before post returns.
        progress.sent = to;
        progress.sentAtMost = Math.max(progress.sentAtMost, to);
        long consumed = progress.consumed();
        progress.consumedTold = consumed;
        boolean urgent = progress.urgentPending && to == progress.urgentEnd;
        int flags = (writeBlocked ? CdcFlags.WRITE_BLOCKED : 0) | (progress.urgentPending ? CdcFlags.URGENT_PENDING : 0)
                | (urgent ? CdcFlags.URGENT_PRESENT : 0);
        int number = SequenceNumbers.next(sequence);
        CdcFlyweight message = path.workQueue().message(slot);
        message.begin(number, peerToken).producer(to, progress.peerSize).consumer(consumed, progress.receiveSize)
                .flags(flags, state.ownFlags());
        if (!post(slot, to, sequence)) {
            progress.sent = from;
            repeatDue = true;
            return;
        }
        sequence = number;
        updateDue = false;
        repeatDue = false;
        if (urgent) {
            progress.urgentPending = false;
        }
        state.messageDone();
    }

    private int takeSlot() {
        int slot = grant.take();
        return slot >= 0 ? slot : path.workQueue().reserve(grant);
    }

    private boolean post(int slot, long position, int sequenceBefore) {
        posted++;
        allPosted++;
        if (!path.workQueue().post(slot, writes, path.lkey(), path.rkey(), this, position, sequenceBefore)) {
            posted--;
            allPosted--;
            return false;
        }
        return true;
    }

    // -- From work queues --

    @Override
    public void sent(WorkQueue workQueue, int status, long position, int sequenceBefore) {
        inbox.completed(workQueue, status, position, sequenceBefore);
        request(COMPLETED);
        if (progress.space() > 0) {
            forSpace.wake();
        }
    }

    /** The slot that was waited for. */
    private final class Grant extends SlotWaiter {
        // Guarded by the monitor.
        private WorkQueue workQueue;
        private int slot = WorkQueue.NO_SLOT;

        @Override
        void slotReserved(WorkQueue from, int reserved) {
            boolean welcome;
            synchronized (this) {
                welcome = from == workQueue;
                if (welcome) {
                    slot = reserved;
                }
            }
            if (welcome) {
                request(SLOT);
            } else {
                from.release(reserved);
            }
        }

        @Override
        void slotRefused(WorkQueue from) {
            // The link group moves or ends the connection.
        }

        synchronized int take() {
            int taken = slot;
            slot = WorkQueue.NO_SLOT;
            return taken;
        }

        /** Nothing needs a slot now. */
        void giveBack() {
            int unused = take();
            if (unused >= 0) {
                path.workQueue().release(unused);
            }
        }

        void giveUp() {
            moveTo(null);
        }

        void moveTo(WorkQueue next) {
            WorkQueue before;
            int unused;
            synchronized (this) {
                before = workQueue;
                workQueue = next;
                unused = take();
            }
            before.cancel(this);
            if (unused >= 0) {
                before.release(unused);
            }
        }
    }
}
