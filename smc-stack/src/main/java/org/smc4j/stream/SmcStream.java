package org.smc4j.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.MemoryBarrier;
import org.smc4j.ism.Dmb;

/**
 * Both directions of a switched connection, and the way to wait for them.
 *
 * <p>Waiting is the futex in our device page for a thread that sleeps in the kernel, or our doorbell (an eventfd) for whoever
 * waits in an epoll. Either way: {@code arm}, look again, sleep. The peer makes a system call only if it finds a request, so a
 * busy stream makes none.
 *
 * <p>{@link #send} and {@link #receive} never block. Nothing here throws for what the peer does: {@link #LOOK} means that the
 * caller has to look at {@link #peerFlags}, {@link #isBroken} and {@link #isHungUp}.
 */
public final class SmcStream {
    /** Result of a transfer that did not happen because of the state of the connection. */
    public static final int LOOK = -1;

    public static final int PEER_DONE_WRITING = DmbLayout.PEER_DONE_WRITING;
    public static final int PEER_CONN_CLOSED = DmbLayout.PEER_CONN_CLOSED;
    public static final int PEER_CONN_ABORT = DmbLayout.PEER_CONN_ABORT;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final int TIMESPEC_SIZE = 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Tells whether the application asked for urgent bytes in the stream (SO_OOBINLINE); asked only when one is there. */
    public interface UrgentMode {
        boolean inline();
    }

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
    public SmcStream(Arena arena, Dmb ownDmb, Dmb peerDmb, int ownDoorbell, int peerDoorbell, UrgentMode urgentMode) {
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

    /** @return bytes taken (at least 1), 0 if the ring is full, or {@link #LOOK} */
    public int send(MemorySegment source, long offset, int length) {
        return sender.send(source, offset, length, 1, null);
    }

    /**
     * As {@link #send}, but takes all bytes or none, and none while anybody holds the lock. That is looked at with the ring in
     * hand: whoever takes the lock later has its first bytes behind these, whoever has it already is not split by them.
     */
    public int sendWhole(MemorySegment source, long offset, int length, ReentrantLock lock) {
        return sender.send(source, offset, length, length, lock);
    }

    /** Sends one byte as urgent data; results as {@link #send}. */
    public int sendUrgent(byte value) {
        return sender.sendUrgent(MemorySegment.ofArray(new byte[] {value}));
    }

    /** @return bytes received (at least 1), 0 if there are none, or {@link #LOOK} */
    public int receive(MemorySegment target, long offset, int length) {
        return receiver.receive(target, offset, length);
    }

    /** Bytes sent so far; a snapshot. */
    public long bytesSent() {
        return sender.position();
    }

    /** Bytes received so far; a snapshot. */
    public long bytesReceived() {
        return receiver.position();
    }

    public int available() {
        return receiver.available();
    }

    /** Whether the peer sends a stream of small messages rather than answers. */
    public boolean receivesStream() {
        return receiver.isStream();
    }

    /** Bytes that were not read, urgent ones included. */
    public int unread() {
        return receiver.unread();
    }

    /** Bytes written that the peer has not read. */
    public int unconsumed() {
        return sender.unconsumed();
    }

    /** Whether a writer should be told that it can write: a third of the ring is free, as for a TCP socket. */
    public boolean isWritable() {
        return sender.space() > sender.capacity() / 3;
    }

    /** Whether the ring had little space when it was last written to; a guess that disturbs no writer. */
    public boolean seemedFull() {
        return sender.seemedFull();
    }

    /** Whether a send would take at least one byte. */
    public boolean hasSpace() {
        return sender.space() > 0;
    }

    /** Tells the peer that after {@code tcpBytes} bytes of the TCP stream our bytes come through the ring. */
    public void publishSwitch(long tcpBytes) {
        sender.publishSwitch(tcpBytes);
    }

    /** Bytes of the TCP stream that precede the peer's ring, or -1 while the peer has not switched. */
    public long switchOffset() {
        return receiver.switchOffset();
    }

    public int peerFlags() {
        return receiver.peerFlags();
    }

    /** The peer broke the protocol, and the connection was aborted for it. */
    public boolean isBroken() {
        return broken;
    }

    /** The peer's process or its TCP connection is gone. */
    public boolean isHungUp() {
        return hungUp;
    }

    /** Broken or hung up: sending has come to its end. */
    public boolean isGone() {
        return gone;
    }

    public void hangUp() {
        hungUp = true;
        gone = true;
        wakeSelf();
    }

    public int ownDoorbell() {
        return ownDoorbell;
    }

    // -- Waiting --

    // A waiter may still be on its way to sleep when the stream is closed. It touches the memory only with the lane in hand, and
    // the release waits for it. (The JDK's own check of closed memory is no substitute: threads that came from it in compiled
    // code into memory that was unmapped under them have crashed the process.)

    /** Asks to be woken for data or a change of state. Callers look again afterwards. */
    public void armData(boolean event) {
        receiver.confirm();
        if (arm(receiver, event ? DmbLayout.WAIT_DATA_EVENT : DmbLayout.WAIT_DATA)) {
            MemoryBarrier.everywhere();
        }
    }

    /** Asks to be woken for space or a change of state. Callers look again afterwards. */
    public void armSpace(boolean event) {
        arm(sender, event ? DmbLayout.WAIT_SPACE_EVENT : DmbLayout.WAIT_SPACE);
    }

    public void disarmData() {
        disarm(receiver, DmbLayout.WAIT_DATA);
    }

    public void disarmSpace() {
        disarm(sender, DmbLayout.WAIT_SPACE);
    }

    /** Takes back what was asked for with an event, by whoever it was. */
    public void disarmEvents() {
        disarm(receiver, DmbLayout.WAIT_DATA_EVENT);
        disarm(sender, DmbLayout.WAIT_SPACE_EVENT);
    }

    /** Blocks the native thread until woken, interrupted by a signal, or for {@code nanos} (0: without limit). */
    public void sleepForData(long nanos) {
        sleep(receiver, DmbLayout.WAIT_DATA, nanos, 0);
    }

    /** As {@link #sleepForData}, for space. */
    public void sleepForSpace(long nanos) {
        sleep(sender, DmbLayout.WAIT_SPACE, nanos, TIMESPEC_SIZE);
    }

    /** Wakes every waiter of this process on this stream, whatever it waits for. */
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

    /** A writer has waited in vain: what does not fit into the ring goes into the overflow area from now on. */
    public void allowOverflow() {
        sender.allowOverflow();
    }

    /** Whether that is so now; ends when the ring has space again. */
    public boolean isOverflowAllowed() {
        return sender.isOverflowAllowed();
    }

    /** Adds connection state flags to what the peer sees, and wakes it. */
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

    /**
     * Ends all access to the memory and closes the doorbells. Transfers under way are waited for (they never block), waiters
     * are woken and find the stream closed. The memory itself goes with {@link #release}.
     *
     * @return false if it was closed before
     */
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

    public boolean isClosed() {
        return sender.isClosed();
    }

    /**
     * Unmaps the memory of a closed stream. Takes some tens of microseconds, or as long as a thread that has been woken needs to
     * get a processor, so not for application threads.
     */
    public void release() {
        while (sleepers.get() > 0) {
            // Again, as a peer that lies can have put the request back.
            wakeSleepers();
            Thread.yield();
        }
        arena.close();
    }
}
