package org.smc4j.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.diag.SmcMode;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.MemoryBarrier;
import org.smc4j.ism.Dmb;
import org.smc4j.status.LinkPlace;
import org.smc4j.status.StreamCounts;

/**
 * The stream of SMC-D over Emulated-ISM. The request of a waiter is in our device page: the peer makes a system call only if it
 * finds one, so a busy stream makes none.
 */
public final class DmbStream extends SmcStream {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final int TIMESPEC_SIZE = 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Arena arena;
    private final MemorySegment own;
    private final MemorySegment peer;
    private final long ownPage;
    private final long peerPage;
    private final int ownDoorbell;
    private final int peerDoorbell;
    private final UrgentMode urgentMode;
    private final MemorySegment timespecs;
    private final DmbSender sender;
    private final DmbReceiver receiver;
    /** Threads in the kernel or on the way there with an address of ours. */
    private final AtomicInteger sleepers = new AtomicInteger();

    // The consumer word of the peer's header has two authors, the reader (cursor) and whoever shuts down (flags).
    private final Object controlLock = new Object();
    private long consumerCursor;    // controlLock
    private int stateFlags;         // controlLock
    private boolean controlClosed;  // controlLock

    // Set once, never cleared; waiters look again after they armed, so plain volatile is enough.
    private volatile boolean broken;
    private volatile boolean hungUp;
    private volatile boolean gone;

    /**
     * Takes over the arena and the doorbells; {@link #close} ends them.
     *
     * @param ownDoorbell eventfd that the peer rings
     * @param peerDoorbell eventfd that we ring
     */
    public DmbStream(Arena arena, Dmb ownDmb, Dmb peerDmb, int ownDoorbell, int peerDoorbell, UrgentMode urgentMode) {
        this.arena = arena;
        this.own = ownDmb.memory();
        this.peer = peerDmb.memory();
        this.ownPage = ownDmb.size();
        this.peerPage = peerDmb.size();
        this.ownDoorbell = ownDoorbell;
        this.peerDoorbell = peerDoorbell;
        this.urgentMode = urgentMode;
        this.timespecs = arena.allocate(2 * TIMESPEC_SIZE, 8);
        this.sender = new DmbSender(this, ownDmb, peerDmb);
        this.receiver = new DmbReceiver(this, ownDmb, peerDmb);
        if (MemoryBarrier.isAvailable()) {
            own.set(ValueLayout.JAVA_INT, ownPage + DmbLayout.OFFERS_BARRIER, 1);
        }
        peer.set(ValueLayout.JAVA_BYTE, DmbLayout.EYECATCHER_OFFSET, DmbLayout.EYECATCHER);
    }

    @Override
    public SmcMode mode() {
        return SmcMode.SMCD;
    }

    @Override
    public boolean canLagBehindTcp() {
        return false;
    }

    @Override
    public boolean canOverflow() {
        return true;
    }

    @Override
    public int send(MemorySegment source, long offset, int length) {
        return sender.send(source, offset, length, 1, null);
    }

    @Override
    public int sendWhole(MemorySegment source, long offset, int length, ReentrantLock lock) {
        return sender.send(source, offset, length, length, lock);
    }

    @Override
    public int sendUrgent(byte value) {
        return sender.sendUrgent(MemorySegment.ofArray(new byte[] {value}));
    }

    @Override
    public int receive(MemorySegment target, long offset, int length) {
        return receiver.receive(target, offset, length);
    }

    @Override
    public StreamCounts counts() {
        return new StreamCounts(sender.position(), receiver.position(), sender.calls(), receiver.calls(), 0, sender.fulls(),
                receiver.fulls());
    }

    /** The peer's DMB. */
    @Override
    public int sendBufferSize() {
        return (int) peerPage;
    }

    @Override
    public int receiveBufferSize() {
        return (int) ownPage;
    }

    @Override
    public LinkPlace place() {
        return LinkPlace.NONE;
    }

    @Override
    public long bytesSent() {
        return sender.position();
    }

    @Override
    public long bytesReceived() {
        return receiver.position();
    }

    @Override
    public int available() {
        return receiver.available();
    }

    @Override
    public boolean receivesStream() {
        return receiver.isStream();
    }

    @Override
    public int unread() {
        return receiver.unread();
    }

    @Override
    public int unconsumed() {
        return sender.unconsumed();
    }

    @Override
    public boolean isWritable() {
        return sender.space() > sender.capacity() / 3;
    }

    @Override
    public boolean seemedFull() {
        return sender.seemedFull();
    }

    @Override
    public boolean hasSpace() {
        return sender.space() > 0;
    }

    @Override
    public boolean publishSwitch(long tcpBytes) {
        sender.publishSwitch(tcpBytes);
        return true;
    }

    @Override
    public boolean mayReturnToTcp() {
        return false;
    }

    @Override
    public boolean hasReturnedToTcp() {
        return false;
    }

    @Override
    public void peerReturnedToTcp() {
        // The memory of one host has no links that could be lost.
    }

    @Override
    public long bytesSentByTcp() {
        return 0;
    }

    @Override
    public long bytesReceivedByTcp() {
        return 0;
    }

    @Override
    public void keepTcp() {
        // The bytes are with the peer already.
    }

    @Override
    public long switchOffset() {
        return receiver.switchOffset();
    }

    @Override
    public int peerFlags() {
        return receiver.peerFlags();
    }

    @Override
    public boolean isBroken() {
        return broken;
    }

    @Override
    public boolean isHungUp() {
        return hungUp;
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    @Override
    public void hangUp() {
        hungUp = true;
        gone = true;
        wakeSelf();
    }

    @Override
    public int ownDoorbell() {
        return ownDoorbell;
    }

    // -- Waiting --

    // A waiter may still be on its way to sleep when the stream is closed. It touches the memory only with the lane in hand, and
    // the release waits for it. (The JDK's own check of closed memory is no substitute: threads that came from it in compiled
    // code into memory that was unmapped under them have crashed the process.)

    @Override
    public void armData(boolean event) {
        receiver.confirm();
        if (arm(receiver, event ? DmbLayout.WAIT_DATA_EVENT : DmbLayout.WAIT_DATA)) {
            MemoryBarrier.everywhere();
        }
    }

    @Override
    public void armSpace(boolean event) {
        arm(sender, event ? DmbLayout.WAIT_SPACE_EVENT : DmbLayout.WAIT_SPACE);
    }

    @Override
    public void disarmData() {
        disarm(receiver, DmbLayout.WAIT_DATA);
    }

    @Override
    public void disarmSpace() {
        disarm(sender, DmbLayout.WAIT_SPACE);
    }

    @Override
    public void disarmEvents() {
        disarm(receiver, DmbLayout.WAIT_DATA_EVENT);
        disarm(sender, DmbLayout.WAIT_SPACE_EVENT);
    }

    @Override
    public void sleepForData(long nanos) {
        sleep(receiver, DmbLayout.WAIT_DATA, nanos, 0);
    }

    @Override
    public void sleepForSpace(long nanos) {
        sleep(sender, DmbLayout.WAIT_SPACE, nanos, TIMESPEC_SIZE);
    }

    @Override
    public void wakeSelf() {
        // Under the lock, as a descriptor that was closed meanwhile may be anybody's by now.
        synchronized (controlLock) {
            if (!controlClosed) {
                wakeWaiters();
            }
        }
    }

    private void wakeWaiters() {
        wakeSleepers();
        Linux.signal(ownDoorbell);
    }

    private void wakeSleepers() {
        wakeAlways(ownPage + DmbLayout.WAIT_DATA);
        wakeAlways(ownPage + DmbLayout.WAIT_SPACE);
    }

    /** Whether there is a request or not: a peer may have died, or lied, between taking it back and waking us. */
    private void wakeAlways(long word) {
        INT.setVolatile(own, word, 0);
        Linux.futexWake(own.address() + word);
    }

    /** @return whether the peer leaves out the barrier that we would have to rely on */
    private boolean arm(Lane lane, int word) {
        if (!lane.enter()) {
            return false;
        }
        try {
            INT.setVolatile(own, ownPage + word, 1);
            VarHandle.fullFence();
            return (int) INT.getOpaque(own, ownPage + DmbLayout.WITHOUT_BARRIER) != 0;
        } finally {
            lane.leaveRelease();
        }
    }

    private void disarm(Lane lane, int word) {
        if (!lane.enter()) {
            return;
        }
        INT.setOpaque(own, ownPage + word, 0);
        lane.leaveRelease();
    }

    private void sleep(Lane lane, int word, long nanos, int timespec) {
        sleepers.incrementAndGet();
        try {
            if (!lane.enter()) {
                return;
            }
            if (nanos > 0) {
                timespecs.set(ValueLayout.JAVA_LONG, timespec, nanos / NANOS_PER_SECOND);
                timespecs.set(ValueLayout.JAVA_LONG, timespec + 8, nanos % NANOS_PER_SECOND);
            }
            lane.leaveRelease();
            // If it has been closed since, the request is gone, and this does not sleep.
            Linux.futexWait(own.address() + ownPage + word, 1, nanos > 0 ? timespecs.address() + timespec : 0);
        } finally {
            sleepers.decrementAndGet();
        }
    }

    private static void wake(MemorySegment memory, long word) {
        if ((int) INT.getAndSet(memory, word, 0) != 0) {
            Linux.futexWake(memory.address() + word);
        }
    }

    void wakePeerForData() {
        wakePeer(DmbLayout.WAIT_DATA);
    }

    void wakePeerForSpace() {
        wakePeer(DmbLayout.WAIT_SPACE);
    }

    private void wakePeer(int word) {
        wake(peer, peerPage + word);
        if ((int) INT.getAndSet(peer, peerPage + word + 4, 0) != 0) {
            Linux.signal(peerDoorbell);
        }
    }

    // -- State --

    void publishConsumerRelease(long cursor) {
        synchronized (controlLock) {
            consumerCursor = cursor;
            publishControl();
        }
    }

    @Override
    public void allowOverflow() {
        sender.allowOverflow();
    }

    @Override
    public boolean isOverflowAllowed() {
        return sender.isOverflowAllowed();
    }

    @Override
    public void publishFlags(int flags) {
        synchronized (controlLock) {
            stateFlags |= flags;
            publishControl();
            if (!controlClosed) {
                VarHandle.fullFence();
                wakePeerForData();
                wakePeerForSpace();
            }
        }
    }

    private void publishControl() {
        if (!controlClosed) {
            LONG.setRelease(peer, DmbLayout.CONSUMER_OFFSET, consumerCursor | DmbLayout.cursor(0, 0, stateFlags));
        }
    }

    /** The peer lied: from here on the connection is reset, on both ends. */
    void fail() {
        broken = true;
        gone = true;
        publishFlags(PEER_CONN_ABORT);
        wakeSelf();
    }

    boolean urgentInline() {
        return urgentMode.inline();
    }

    @Override
    public boolean close() {
        if (!sender.close()) {
            return false;
        }
        receiver.close();
        synchronized (controlLock) {
            controlClosed = true;
            wakeWaiters();
            Linux.close(ownDoorbell);
            Linux.close(peerDoorbell);
        }
        return true;
    }

    @Override
    public boolean isClosed() {
        return sender.isClosed();
    }

    @Override
    public void release() {
        while (sleepers.get() > 0) {
            // Again, as a peer that lies can have put the request back.
            wakeSleepers();
            Thread.yield();
        }
        arena.close();
    }
}
