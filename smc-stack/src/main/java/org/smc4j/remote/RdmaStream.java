package org.smc4j.remote;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.smc4j.connection.Bell;
import org.smc4j.connection.FutexWaiter;
import org.smc4j.connection.RdmaConnection;
import org.smc4j.connection.TcpContinuation;
import org.smc4j.connection.Waiter;
import org.smc4j.core.SmcrConnection;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.sideband.Endpoint;
import org.smc4j.status.LinkPlace;
import org.smc4j.status.StreamCounts;
import org.smc4j.stream.SmcStream;
import org.smc4j.time.Scheduler;

/**
 * The stream of SMC-R: a connection of the data path, as the socket layer knows it; and when its last link is lost what goes on over
 * TCP in its place.
 */
final class RdmaStream extends SmcStream implements SmcrConnection.Owner {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** The way back to TCP needs an answer of the peer, which may take its time to find that it has to give one. */
    private static final long FIRST_STEP_NANOS = NANOS_PER_MILLI;
    private static final long LONGEST_STEP_NANOS = 32 * NANOS_PER_MILLI;
    private static final int NO_DESCRIPTOR = -1;

    private final Endpoint endpoint;
    private final Scheduler scheduler;
    private final Bell bell;
    private final Waiter forData;
    private final Waiter forSpace;
    private final Consumer<RdmaStream> whenFinished;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Set once, before the stream is a socket's; looked at by the end of the process too. */
    private volatile RdmaConnection connection;
    private SmcrConnection member;  // set before connection
    private final AtomicBoolean peerReturned = new AtomicBoolean();
    /** Set once, under this. */
    private volatile TcpContinuation tcp;
    /** The socket closes, or has closed, its own descriptor. Guarded by this, as the next four. */
    private boolean isTcpClosing;
    private int keptDescriptor = NO_DESCRIPTOR;
    private boolean outputEnded;
    private boolean isClosing;
    private boolean aborted;

    /** @param whenFinished runs on the scheduler when nothing of the connection is left */
    RdmaStream(Endpoint endpoint, Scheduler scheduler, Bell bell, Consumer<RdmaStream> whenFinished) {
        this.endpoint = endpoint;
        this.scheduler = scheduler;
        this.bell = bell;
        this.whenFinished = whenFinished;
        forData = new FutexWaiter(bell);
        forSpace = new FutexWaiter(bell);
    }

    /** The handshake has succeeded. */
    void begin(SmcrConnection established) {
        member = established;
        connection = established.stream();
        established.activate();
    }

    /** Runs the task on the scheduler when the link has carried a message of this connection. */
    void probe(Runnable proven) {
        connection.probe(proven);
    }

    /** Runs the task on the scheduler when the peer has left TCP. */
    void whenPeerSwitched(Runnable task) {
        connection.whenPeerSwitched(task);
    }

    /** The handshake has failed. */
    void abandon() {
        bell.close();
        whenFinished.accept(this);
    }

    /** The handshake has failed at the other end after it had succeeded at this one: nobody there will ever say anything. */
    void forsake() {
        connection.hangUp();
    }

    /** Whether not all that was written is known to have arrived, and it still can. */
    boolean isSending() {
        if (connection == null || connection.isGone()) {
            return false;
        }
        TcpContinuation current = tcp;
        return current == null ? connection.isUnconfirmed() : current.unsent() > 0;
    }

    // -- For the connection --

    @Override
    public Waiter forData() {
        return forData;
    }

    @Override
    public Waiter forSpace() {
        return forSpace;
    }

    @Override
    public boolean urgentInline() {
        return endpoint.inline();
    }

    /**
     * The connection goes on over TCP, which the kernel cannot. An end that has not left TCP, and does not know that the peer has, just
     * stays there. One that has left it, and knows that the peer has, goes back. The server, which is the second to leave, is in no other
     * state but for a moment; a client that has left and has not heard of the server resets the connection, as it cannot know which of
     * the two the server does.
     */
    @Override
    public void frozen(SmcrConnection which) {
        if (connection == null || connection.isGone() || tcp != null) {
            // The handshake will find that out; or the group has ended after the connection.
            return;
        }
        boolean peerSwitched = connection.switchOffset() >= 0;
        if (!connection.hasSwitched() && !peerSwitched) {
            // Before anybody finds the stream gone.
            endpoint.detach(ReasonCode.NOACTLINK.number());
            connection.letGo();
            connection.hangUp();
        } else if (connection.hasSwitched() && peerSwitched && !isPeerOver() && continueOverTcp()) {
            Log.info("SMC-R: the last link of a connection is lost, it goes on over TCP");
            endpoint.returnedToTcp(ReasonCode.NOACTLINK.number());
            step(FIRST_STEP_NANOS);
        } else {
            if (!isPeerOver() && !connection.isClosed()) {
                Log.warn("SMC-R: the last link of a connection is lost before it has left TCP at both ends, it is reset");
            }
            connection.letGo();
            connection.hangUp();
            resetTcpAtClose();
        }
    }

    private synchronized void resetTcpAtClose() {
        if (!isTcpClosing && !isPeerOver()) {
            Linux.resetAtClose(endpoint.descriptor());
        }
    }

    private boolean isPeerOver() {
        return (connection.peerFlags() & (PEER_CONN_CLOSED | PEER_CONN_ABORT)) != 0;
    }

    private synchronized boolean continueOverTcp() {
        int descriptor = keptDescriptor;
        keptDescriptor = NO_DESCRIPTOR;
        if (descriptor < 0 && !isTcpClosing) {
            descriptor = Linux.duplicate(endpoint.descriptor());
        }
        if (descriptor < 0) {
            return false;
        }
        TcpContinuation continuation = new TcpContinuation(connection, descriptor, endpoint::takeTcp, this::wakeSelf);
        if (outputEnded) {
            continuation.endOutput();
        }
        if (isClosing) {
            continuation.close(aborted);
        }
        tcp = continuation;
        return true;
    }

    private void step(long nanos) {
        if (!tcp.step()) {
            scheduler.schedule(nanos, () -> step(Math.min(2 * nanos, LONGEST_STEP_NANOS)));
        }
    }

    @Override
    public void finished(SmcrConnection which) {
        dropTcp();
        whenFinished.accept(this);
    }

    private synchronized void dropTcp() {
        if (keptDescriptor != NO_DESCRIPTOR) {
            Linux.close(keptDescriptor);
            keptDescriptor = NO_DESCRIPTOR;
        }
    }

    // -- For the socket --

    @Override
    public SmcMode mode() {
        return SmcMode.SMCR;
    }

    @Override
    public int send(MemorySegment source, long offset, int length) {
        int n = connection.send(source, offset, length);
        if (n != LOOK || !isReturning()) {
            return n;
        }
        TcpContinuation current = tcp;
        return current == null ? 0 : current.send(source, offset, length);
    }

    /** Whether the connection goes on over TCP, or is about to. */
    private boolean isReturning() {
        return connection.isFreezing() && !connection.isGone() && !isPeerOver();
    }

    @Override
    public int sendWhole(MemorySegment source, long offset, int length, ReentrantLock lock) {
        return connection.sendWhole(source, offset, length, lock);
    }

    @Override
    public int sendUrgent(byte value) {
        int n = connection.sendUrgent(MemorySegment.ofArray(new byte[] {value}), 0, 1);
        if (n != LOOK || !isReturning()) {
            return n;
        }
        TcpContinuation current = tcp;
        return current == null ? 0 : current.sendUrgent(value);
    }

    @Override
    public int receive(MemorySegment target, long offset, int length) {
        int n = connection.receive(target, offset, length);
        if (n != 0) {
            return n;
        }
        TcpContinuation current = tcp;
        return current == null || !target.isNative() ? 0 : current.receive(target, offset, length);
    }

    @Override
    public StreamCounts counts() {
        return connection.counts();
    }

    @Override
    public int sendBufferSize() {
        return connection.sendBufferSize();
    }

    @Override
    public int receiveBufferSize() {
        return connection.receiveBufferSize();
    }

    @Override
    public LinkPlace place() {
        return hasReturnedToTcp() ? LinkPlace.NONE : member.membership().link().linkPlace();
    }

    @Override
    public long bytesSent() {
        return connection.bytesSent();
    }

    @Override
    public long bytesReceived() {
        return connection.bytesReceived();
    }

    @Override
    public int available() {
        int ring = connection.available();
        TcpContinuation current = tcp;
        return current == null ? ring : ring + current.available();
    }

    @Override
    public boolean receivesStream() {
        return false;
    }

    @Override
    public int unread() {
        return available();
    }

    @Override
    public int unconsumed() {
        TcpContinuation current = tcp;
        return current == null ? connection.unconsumed() : current.unsent();
    }

    @Override
    public boolean isWritable() {
        TcpContinuation current = tcp;
        return current != null ? current.isWritable() : !connection.isFreezing() && connection.isWritable();
    }

    @Override
    public boolean seemedFull() {
        return !isWritable();
    }

    @Override
    public boolean hasSpace() {
        TcpContinuation current = tcp;
        return current != null ? current.isWritable() : !connection.isFreezing() && connection.hasSpace();
    }

    @Override
    public boolean canLagBehindTcp() {
        return true;
    }

    @Override
    public boolean canOverflow() {
        return false;
    }

    @Override
    public void allowOverflow() {
        // There is no memory at the peer for that.
    }

    @Override
    public boolean isOverflowAllowed() {
        return false;
    }

    @Override
    public boolean publishSwitch(long tcpBytes) {
        return connection.publishSwitch(tcpBytes);
    }

    @Override
    public boolean mayReturnToTcp() {
        return true;
    }

    @Override
    public boolean hasReturnedToTcp() {
        return tcp != null;
    }

    @Override
    public void peerReturnedToTcp() {
        if (!connection.isFreezing() && peerReturned.compareAndSet(false, true)) {
            scheduler.execute(member::abandonGroup);
        }
    }

    @Override
    public long bytesSentByTcp() {
        TcpContinuation current = tcp;
        return current == null ? 0 : current.bytesSent();
    }

    @Override
    public long bytesReceivedByTcp() {
        TcpContinuation current = tcp;
        return current == null ? 0 : current.bytesReceived();
    }

    @Override
    public synchronized void keepTcp() {
        if (!isTcpClosing) {
            isTcpClosing = true;
            if (tcp == null && connection.hasSwitched() && !connection.isGone() && !isPeerOver()) {
                keptDescriptor = Math.max(NO_DESCRIPTOR, Linux.duplicate(endpoint.descriptor()));
                dropTcpWhenSettled(FIRST_STEP_NANOS);
            }
        }
    }

    private void dropTcpWhenSettled(long nanos) {
        scheduler.schedule(nanos, () -> {
            // Closed only after this is kept.
            if (connection.isClosed() && connection.isSettled() || connection.isGone()) {
                dropTcp();
            } else if (isTcpKept()) {
                dropTcpWhenSettled(Math.min(2 * nanos, LONGEST_STEP_NANOS));
            }
        });
    }

    private synchronized boolean isTcpKept() {
        return keptDescriptor != NO_DESCRIPTOR;
    }

    @Override
    public long switchOffset() {
        return connection.switchOffset();
    }

    @Override
    public int peerFlags() {
        TcpContinuation current = tcp;
        return connection.peerFlags() | (current == null ? 0 : current.peerFlags());
    }

    /** What was written before is sent first, however long that takes. */
    @Override
    public void publishFlags(int flags) {
        boolean abort = (flags & PEER_CONN_ABORT) != 0;
        boolean close = abort || (flags & PEER_CONN_CLOSED) != 0;
        TcpContinuation current;
        synchronized (this) {
            isClosing |= close;
            aborted |= abort;
            outputEnded = true;
            current = tcp;
        }
        if (close) {
            connection.close(abort, Long.MAX_VALUE);
        } else {
            connection.shutdownOutput();
        }
        if (current != null && close) {
            current.close(abort);
        } else if (current != null) {
            current.endOutput();
        }
    }

    @Override
    public boolean isBroken() {
        return connection.isBroken();
    }

    @Override
    public boolean isHungUp() {
        return connection.isHungUp();
    }

    @Override
    public boolean isGone() {
        return connection.isGone();
    }

    /**
     * The end of the TCP connection says nothing of the bytes that are still on their way by RDMA. Those end with their own messages,
     * and if the peer's process is gone the link says so.
     */
    @Override
    public void hangUp() {
        connection.wakeSelf();
    }

    @Override
    public int ownDoorbell() {
        return bell.descriptor();
    }

    @Override
    public void armData(boolean event) {
        connection.armData(event);
    }

    @Override
    public void armSpace(boolean event) {
        connection.armSpace(event);
    }

    @Override
    public void disarmData() {
        connection.disarmData();
    }

    @Override
    public void disarmSpace() {
        connection.disarmSpace();
    }

    @Override
    public void disarmEvents() {
        // A doorbell in the own process is cheap to ring.
    }

    @Override
    public void sleepForData(long nanos) {
        connection.sleepForData(nanos);
    }

    @Override
    public void sleepForSpace(long nanos) {
        connection.sleepForSpace(nanos);
    }

    @Override
    public void wakeSelf() {
        connection.wakeSelf();
    }

    @Override
    public boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        // Unless the socket has done so, which is the rule.
        connection.close(true, 0);
        bell.close();
        return true;
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public void release() {
        // The memory is the link group's, which gets it back when nothing is in flight any more.
    }
}
