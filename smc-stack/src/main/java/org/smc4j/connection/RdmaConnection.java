package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.cdc.CdcFlyweight;
import org.smc4j.diag.Log;
import org.smc4j.diag.SmcState;
import org.smc4j.status.StreamCounts;
import org.smc4j.stream.SmcStream;
import org.smc4j.time.Scheduler;

/**
 * A connection of SMC-R: the byte stream over RDMA WRITE and CDC messages (spec/30-cdc.md), and what the socket layer needs of it.
 *
 * <p>{@link #send} and {@link #receive} never block, and nothing here throws for what the peer does: {@link SmcStream#LOOK} means that
 * the caller has to look at {@link #peerFlags}, {@link #isBroken}, {@link #isHungUp} and {@link #isFrozen}. Waiting is: arm, look again, sleep.
 *
 * <p>Threads, and what they hold: writers the lane of the send ring, readers that of the receive ring, while they copy; whoever sends
 * the turn of the transmitter, never a lane besides; completion threads the monitor of the inbox while they take in a message, and
 * then come to the turn. Who holds the turn may take the monitor, and the lock of a work queue; who holds one of these takes nothing.
 */
public final class RdmaConnection {
    /** Told of the end of a connection, on the scheduler. */
    public interface Owner {
        /** It is closed, the application has no use for it, and no work request names its buffers any more. Once. */
        void finished(RdmaConnection connection);
    }

    /**
     * @param peerToken       the peer's alert token
     * @param sendBuffer      native memory, registered for sending; 2<sup>n</sup> bytes
     * @param receiveBuffer   our RMBE: native memory, registered for the peer to write; 2<sup>n</sup> bytes
     * @param peerSize        bytes of the peer's RMBE
     * @param autocorkingSize most bytes that are held back (net.smc.autocorking_size); 0 turns autocorking off
     * @param beginsOnTcp     whether either direction begins on TCP: {@link #publishSwitch}, {@link #switchOffset}
     * @param overflows       whether a reader that takes nothing for a while is relieved of up to 4 MiB, so that the peer can go on;
     *                        asked whenever that is the case
     */
    public record Terms(int peerToken, MemorySegment sendBuffer, MemorySegment receiveBuffer, int peerSize, long autocorkingSize,
                        boolean beginsOnTcp, BooleanSupplier overflows) {
    }

    /** How long a reader takes nothing from a full ring before he is relieved. */
    private static final long STALL_NANOS = 20_000_000L;

    private final Progress progress;
    private final SendRing sendRing;
    private final ReceiveRing receiveRing;
    private final ConnectionState state;
    private final Inbox inbox;
    private final Transmitter transmitter;
    private final ConnectionTable connections;
    private final Scheduler scheduler;
    private final Waiter forData;
    private final Waiter forSpace;
    private final Owner owner;
    private final BooleanSupplier overflows;
    private final AtomicBoolean stallWatched = new AtomicBoolean();

    // Set once, never cleared; waiters look again after they armed, so plain volatile is enough.
    private volatile boolean broken;
    private volatile boolean hungUp;
    private volatile boolean freezing;
    private volatile boolean frozen;
    private volatile boolean gone;
    private volatile boolean closed;
    /** The peer has to be told as soon as its switch offset is known here; taken back by a completion thread. */
    private volatile boolean awaitsSwitch;
    private final AtomicReference<Runnable> whenPeerSwitched = new AtomicReference<>();

    /**
     * In state INIT. It sends nothing before {@link #activate}, and receives what the {@link ConnectionTable} brings it.
     *
     * @param path        by the link of the handshake
     * @param connections of the link group
     * @param forData     how readers wait
     * @param forSpace    how writers wait
     * @param urgentMode  asked only when an urgent byte is there
     */
    public RdmaConnection(Terms terms, RdmaPath path, ConnectionTable connections, Scheduler scheduler, Waiter forData,
                          Waiter forSpace, SmcStream.UrgentMode urgentMode, Owner owner) {
        this.connections = connections;
        this.scheduler = scheduler;
        this.forData = forData;
        this.forSpace = forSpace;
        this.owner = owner;
        overflows = terms.overflows;
        int preamble = terms.beginsOnTcp ? SendRing.PREAMBLE : 0;
        awaitsSwitch = terms.beginsOnTcp;
        progress = new Progress((int) terms.sendBuffer.byteSize(), terms.peerSize, (int) terms.receiveBuffer.byteSize());
        sendRing = new SendRing(progress, terms.sendBuffer, preamble);
        receiveRing = new ReceiveRing(progress, terms.receiveBuffer, preamble, urgentMode);
        state = new ConnectionState(progress, receiveRing);
        inbox = new Inbox(progress, terms.receiveBuffer, path.workQueue());
        transmitter = new Transmitter(progress, inbox, state, terms.peerToken, terms.sendBuffer, path, terms.autocorkingSize,
                forSpace, this::over);
    }

    /** The handshake is over. */
    public void activate() {
        transmitter.activate();
    }

    /**
     * Sends a message that says nothing, and runs {@code proven} on the scheduler when the peer's device has taken it, or another one:
     * the link works. Never, if the connection ends or freezes before.
     */
    public void probe(Runnable proven) {
        transmitter.probe(() -> scheduler.execute(proven));
    }

    // -- Sending --

    /** @return bytes taken (at least 1), 0 if there is no space, or {@link SmcStream#LOOK} */
    public int send(MemorySegment source, long offset, int length) {
        return send(source, offset, length, 1, null);
    }

    /**
     * As {@link #send}, but takes all bytes or none, and none while anybody holds the lock. That is looked at with the ring in
     * hand: whoever takes the lock later has its first bytes behind these, whoever has it already is not split by them.
     */
    public int sendWhole(MemorySegment source, long offset, int length, ReentrantLock lock) {
        return send(source, offset, length, length, lock);
    }

    private int send(MemorySegment source, long offset, int length, int least, ReentrantLock unlessLocked) {
        if (isSendOver()) {
            return SmcStream.LOOK;
        }
        int n = sendRing.send(source, offset, length, least, unlessLocked);
        if (n > 0) {
            transmitter.request(Transmitter.WRITTEN);
        }
        return n;
    }

    /** Sends bytes of which the last one is urgent, or fewer and none of them is; results as {@link #send}. */
    public int sendUrgent(MemorySegment source, long offset, int length) {
        if (isSendOver()) {
            return SmcStream.LOOK;
        }
        int n = sendRing.sendUrgent(source, offset, length);
        if (n > 0) {
            transmitter.request(Transmitter.WRITTEN);
        }
        return n;
    }

    private boolean isSendOver() {
        return gone || (progress.peerFlags & (CdcFlags.CONN_CLOSED | CdcFlags.CONN_ABORT)) != 0;
    }

    /** Holds back what is written while there is space in the send buffer (TCP_CORK); or not any more, and sends it. */
    public void cork(boolean on) {
        transmitter.cork(on);
    }

    /** Sends what is held back (TCP_NODELAY was set). */
    public void push() {
        transmitter.request(Transmitter.PUSH);
    }

    /** What went over it so far; a snapshot. */
    public StreamCounts counts() {
        return new StreamCounts(sendRing.bytesSent(), receiveRing.bytesReceived(), sendRing.calls(), receiveRing.calls(),
                sendRing.fulls(), sendRing.peerFulls(), receiveRing.fulls());
    }

    public int sendBufferSize() {
        return progress.sendSize;
    }

    public int receiveBufferSize() {
        return progress.receiveSize;
    }

    /** Bytes sent so far; a snapshot. */
    public long bytesSent() {
        return sendRing.bytesSent();
    }

    /** Bytes written that the peer has not read; a snapshot. */
    public int unconsumed() {
        return (int) (progress.prepared() - progress.peerConsumed);
    }

    /** Whether bytes were written that the peer is not known to have. */
    public boolean isUnconfirmed() {
        return progress.prepared() > progress.confirmed;
    }

    /** Whether the peer's device has all that it is to be told so far, the end of the connection included. Any thread. */
    public boolean isSettled() {
        return transmitter.isSettled();
    }

    /** Whether a writer should be told that it can write: a third of the send buffer is free, as for a TCP socket. */
    public boolean isWritable() {
        return progress.space() > progress.sendSize / 3;
    }

    /** Whether a send would take at least one byte. */
    public boolean hasSpace() {
        return progress.space() > 0;
    }

    /**
     * Tells the peer that what is sent from now on comes after {@code tcpBytes} bytes of the TCP stream. Once, before anything else.
     *
     * @return false if nothing is sent by this connection any more
     */
    public boolean publishSwitch(long tcpBytes) {
        if (!sendRing.begin(tcpBytes)) {
            return false;
        }
        transmitter.request(Transmitter.PUSH);
        return true;
    }

    /** Runs the task on the scheduler once the peer's switch offset is known; never, if it does not come before the end. */
    public void whenPeerSwitched(Runnable task) {
        whenPeerSwitched.set(task);
        if (switchOffset() >= 0) {
            peerSwitched();
        }
    }

    private void peerSwitched() {
        Runnable task = whenPeerSwitched.getAndSet(null);
        if (task != null) {
            scheduler.execute(task);
        }
    }

    /** Whether the sending direction has left TCP; final once frozen. */
    public boolean hasSwitched() {
        return sendRing.isBegun();
    }

    /** Whether the peer is known to know where; final once frozen. */
    public boolean isSwitchKnown() {
        return sendRing.isBeginKnown();
    }

    // -- Receiving --

    /** @return bytes received (at least 1), 0 if there are none, or {@link SmcStream#LOOK} */
    public int receive(MemorySegment target, long offset, int length) {
        int n = broken ? SmcStream.LOOK : receiveRing.receive(target, offset, length);
        tellPeer();
        if (receiveRing.isOverflowing()) {
            // There may be room again for what is in the ring.
            watchForStall();
        }
        return n;
    }

    /** The urgent byte, if it is not one of the stream: 0 to 255; or -1 if there is none, or it was read or passed. */
    public int receiveUrgent() {
        int value = receiveRing.receiveUrgent();
        tellPeer();
        return value;
    }

    private void tellPeer() {
        if (progress.updateWanted) {
            progress.updateWanted = false;
            transmitter.request(Transmitter.READ);
        }
    }

    /** Finds out whether the reader takes nothing although the peer waits for space. Any thread. */
    private void watchForStall() {
        if (receiveRing.isWindowClosed() && !stallWatched.get() && overflows.getAsBoolean()
                && stallWatched.compareAndSet(false, true)) {
            long consumed = progress.consumed();
            scheduler.schedule(receiveRing.isOverflowing() ? 0 : STALL_NANOS, () -> relieveStall(consumed));
        }
    }

    private void relieveStall(long before) {
        stallWatched.set(false);
        if (closed || !receiveRing.isWindowClosed()) {
            return;
        }
        if (progress.consumed() != before) {
            watchForStall();
        } else if (receiveRing.relieve()) {
            tellPeer();
        }
    }

    /** Whether there is an urgent byte that was neither read nor passed. */
    public boolean hasUrgent() {
        return receiveRing.hasUrgent();
    }

    /** Whether the urgent byte is next (SIOCATMARK). */
    public boolean isAtMark() {
        return receiveRing.isAtMark();
    }

    /** Bytes that can be received, the urgent one only if it is one of the stream. */
    public int available() {
        return receiveRing.available();
    }

    /** Bytes of the stream that arrived and were not received; also once the connection is closed. */
    public int unread() {
        return receiveRing.unread();
    }

    /** Bytes received so far, urgent ones included; a snapshot. */
    public long bytesReceived() {
        return receiveRing.bytesReceived();
    }

    /** Bytes of the TCP stream that precede the first byte here, or -1 while the peer has not switched. */
    public long switchOffset() {
        return receiveRing.switchOffset();
    }

    /** Connection state flags of the peer: {@link CdcFlags#DONE_WRITING} and so on. */
    public int peerFlags() {
        return progress.peerFlags;
    }

    // -- Waiting --

    /** Asks to be woken for data or a change of state. Callers look again afterwards. */
    public void armData(boolean event) {
        forData.arm(event);
    }

    /** Asks to be woken for space or a change of state. Callers look again afterwards. */
    public void armSpace(boolean event) {
        forSpace.arm(event);
    }

    public void disarmData() {
        forData.disarm();
    }

    public void disarmSpace() {
        forSpace.disarm();
    }

    /** Blocks the native thread until woken, interrupted by a signal, or for {@code nanos} (0: without limit). */
    public void sleepForData(long nanos) {
        forData.sleep(nanos);
    }

    /** As {@link #sleepForData}, for space. */
    public void sleepForSpace(long nanos) {
        forSpace.sleep(nanos);
    }

    /** Wakes every waiter, whatever it waits for. */
    public void wakeSelf() {
        forData.wakeAlways();
        forSpace.wakeAlways();
    }

    private void wakeBoth() {
        forData.wake();
        forSpace.wake();
    }

    // -- State --

    public SmcState state() {
        return state.state();
    }

    /** The peer broke the protocol, or a message of it was lost with a link: the connection was aborted for it. */
    public boolean isBroken() {
        return broken;
    }

    /** The peer's process, its TCP connection or the link group is gone. */
    public boolean isHungUp() {
        return hungUp;
    }

    /** Broken or hung up: sending has come to its end. */
    public boolean isGone() {
        return gone;
    }

    /** Both directions are about to stand still, or do: nothing is sent by this connection any more. See {@link #freeze}. */
    public boolean isFreezing() {
        return freezing;
    }

    /** Both directions go on over TCP, from where they are: see {@link #freeze}. */
    public boolean isFrozen() {
        return frozen;
    }

    /**
     * Takes no more bytes, and tells the peer so once all before are sent. However long that takes: other than in the kernel, where
     * the peer would take what it has by then for all.
     */
    public void shutdownOutput() {
        sendRing.stop();
        transmitter.shutdownWrite();
        wakeBoth();
    }

    /** Shutdown of both directions: tells the peer once all is sent that nothing is sent or read any more. */
    public void shutdownBoth() {
        sendRing.stop();
        transmitter.shutdownBoth();
        wakeBoth();
    }

    /**
     * Ends all access of the application, and the connection in the end. What was written is still sent, for as long as
     * {@code drainNanos} (the kernel: SO_LINGER, or 2 s); what is left then, or was not read, makes it an abort. Transfers under way
     * are waited for, waiters are woken and find the connection closed.
     *
     * @param abort      at once, and told to the peer as such
     * @param drainNanos {@link Long#MAX_VALUE}: without limit
     * @return false if it was closed before
     */
    public boolean close(boolean abort, long drainNanos) {
        if (!sendRing.close()) {
            return false;
        }
        receiveRing.close();
        receiveRing.free();
        closed = true;
        boolean draining = transmitter.close(abort);
        if (draining && drainNanos < Long.MAX_VALUE) {
            scheduler.schedule(drainNanos, () -> transmitter.request(Transmitter.DRAIN_OVER));
        }
        wakeSelf();
        return true;
    }

    public boolean isClosed() {
        return closed;
    }

    /** The peer's process or its TCP connection is gone. What it has sent before can still be received. */
    public void hangUp() {
        hungUp = true;
        gone = true;
        transmitter.request(Transmitter.HUNG_UP);
        wakeSelf();
    }

    private void over() {
        inbox.close();
        scheduler.execute(() -> owner.finished(this));
    }

    // -- For the link group, on its scheduler --

    /** Posts nothing on the present link any more: it will be left when all that was posted has completed. */
    public void pause() {
        transmitter.pause();
    }

    /**
     * The link was lost, or is left: goes on by another one. What the peer is not known to have is sent again there
     * (spec/30-cdc.md §7), in every state, for a connection that one end has shut down may still carry data the other way.
     */
    public void moveTo(RdmaPath path) {
        transmitter.moveTo(path);
    }

    /** The link group ends: tells the peer if that can be done now, and ends the connection. */
    public void kill() {
        gone = true;
        hungUp = true;
        transmitter.kill();
        wakeBoth();
    }

    /**
     * The last link is lost, and the work queues of all are down. Stops both directions where they are, so that they can go on over
     * TCP, and runs {@code frozen} on the scheduler when everything that has arrived is taken in. From then on:
     *
     * <ul>
     * <li>{@link #bytesArrived} is what the peer is to be told. Those bytes can still be received here; all that follow come by TCP.
     * <li>{@link #unconfirmed} takes what the peer has told, and {@link #copyUnconfirmed} gives the bytes that go to TCP before any
     *     others.
     * </ul>
     *
     * <p>No byte is lost: those before the number told are in the peer's receive buffer, those from there on in our send buffer, as
     * only completed messages give its space back, and a message completes after the peer's device took it; the peer's number counts
     * all its device took, as its queue pair took nothing more once it was down, and all completions before were seen to. None is
     * doubled: nothing is taken in after the number was told.
     */
    public void freeze(Runnable whenFrozen) {
        freezing = true;
        sendRing.stop();
        transmitter.freeze();
        connections.settle(() -> {
            inbox.close();
            frozen = true;
            wakeSelf();
            scheduler.execute(whenFrozen);
        });
    }

    /** Nobody needs {@link #copyUnconfirmed} any more: a frozen connection ends when it is closed. */
    public void letGo() {
        transmitter.letGo();
    }

    /** Bytes of the stream that have arrived here, read or not; final once frozen. */
    public long bytesArrived() {
        return receiveRing.bytesArrived();
    }

    /**
     * How many bytes go to TCP before any others: all that were written behind those that the peer told to have received. Once frozen.
     *
     * @param arrived the peer's {@link #bytesArrived}
     * @return -1 if the two ends do not agree: the connection is to be reset
     */
    public long unconfirmed(long arrived) {
        return sendRing.unconfirmed(arrived);
    }

    /**
     * Copies some of those bytes.
     *
     * @param from what precedes them of the stream: {@code arrived} for the first
     */
    public void copyUnconfirmed(long from, MemorySegment target, long offset, int length) {
        sendRing.copyUnconfirmed(from, target, offset, length);
    }

    /**
     * The byte among them that is urgent, and is to be sent as such.
     *
     * @return what precedes it of the stream, or -1 if there is none from {@code from} on
     */
    public long unconfirmedUrgent(long from) {
        return sendRing.unconfirmedUrgent(from);
    }

    // -- From work queues, on a completion thread --

    void received(WorkQueue from, CdcFlyweight message) {
        handle(inbox.received(from, message));
    }

    private void handle(int outcome) {
        if ((outcome & (Inbox.VIOLATION | Inbox.OUT_OF_SYNC)) != 0) {
            fail((outcome & Inbox.VIOLATION) != 0 ? "the peer broke the protocol" : "a message was lost with a link");
            return;
        }
        int reasons = (outcome & (Inbox.CONSUMED | Inbox.ASKED)) != 0 ? Transmitter.ASKED : 0;
        reasons |= (outcome & Inbox.CURSOR_ASKED) != 0 ? Transmitter.CURSOR_ASKED : 0;
        reasons |= (outcome & Inbox.FLAGS) != 0 ? Transmitter.FLAGS : 0;
        if (awaitsSwitch && switchOffset() >= 0) {
            // Only a peer that knows this may go on over TCP some day: what it sends there then is not taken for the application's.
            awaitsSwitch = false;
            reasons |= Transmitter.CURSOR_ASKED;
            peerSwitched();
        }
        if (reasons != 0) {
            transmitter.request(reasons);
        }
        if ((outcome & (Inbox.READABLE | Inbox.FLAGS)) != 0) {
            forData.wake();
            watchForStall();
        }
        if ((outcome & Inbox.FLAGS) != 0 || (outcome & Inbox.CONSUMED) != 0 && progress.space() > 0) {
            forSpace.wake();
        }
        if ((outcome & Inbox.JUDGE) != 0) {
            connections.settle(() -> handle(inbox.judge()));
        }
    }

    private void fail(String why) {
        Log.warn("SMC-R connection aborted: " + why);
        broken = true;
        gone = true;
        transmitter.request(Transmitter.OUT_OF_SYNC);
        wakeSelf();
    }
}
