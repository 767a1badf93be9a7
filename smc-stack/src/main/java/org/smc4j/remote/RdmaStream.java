package org.smc4j.remote;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.smc4j.connection.Bell;
import org.smc4j.connection.FutexWaiter;
import org.smc4j.connection.RdmaConnection;
import org.smc4j.connection.Waiter;
import org.smc4j.core.SmcrConnection;
import org.smc4j.diag.Log;
import org.smc4j.diag.SmcMode;
import org.smc4j.linkgroup.SmcrMembership;
import org.smc4j.status.LinkPlace;
import org.smc4j.status.StreamCounts;
import org.smc4j.stream.SmcStream;

/** The stream of SMC-R: a connection of the data path, as the socket layer knows it. */
final class RdmaStream extends SmcStream implements SmcrConnection.Owner {
    private final SmcStream.UrgentMode urgentMode;
    private final Bell bell;
    private final Waiter forData;
    private final Waiter forSpace;
    private final Consumer<RdmaStream> whenFinished;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Set once, before the stream is a socket's; looked at by the end of the process too. */
    private volatile RdmaConnection connection;
    /** Set before the connection. */
    private SmcrMembership membership;

    /** @param whenFinished runs on the scheduler when nothing of the connection is left */
    RdmaStream(SmcStream.UrgentMode urgentMode, Bell bell, Consumer<RdmaStream> whenFinished) {
        this.urgentMode = urgentMode;
        this.bell = bell;
        this.whenFinished = whenFinished;
        forData = new FutexWaiter(bell);
        forSpace = new FutexWaiter(bell);
    }

    /** The handshake has succeeded. */
    void begin(SmcrConnection established) {
        membership = established.membership();
        connection = established.stream();
        established.activate();
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

    /** Whether the peer has not taken all that was written, and still can. */
    boolean isSending() {
        return connection != null && !connection.isGone() && connection.unconsumed() > 0;
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
        return urgentMode.inline();
    }

    /**
     * As the kernel does it, the connection ends: neither end can know from here what the other one has got, and the way to tell each
     * other may be lost as well.
     */
    @Override
    public void frozen(SmcrConnection which) {
        Log.warn("SMC-R: the last link of a connection is lost, it is reset");
        connection.letGo();
        connection.hangUp();
    }

    @Override
    public void finished(SmcrConnection which) {
        whenFinished.accept(this);
    }

    // -- For the socket --

    @Override
    public SmcMode mode() {
        return SmcMode.SMCR;
    }

    @Override
    public int send(MemorySegment source, long offset, int length) {
        return connection.send(source, offset, length);
    }

    @Override
    public int sendWhole(MemorySegment source, long offset, int length, ReentrantLock lock) {
        return connection.sendWhole(source, offset, length, lock);
    }

    @Override
    public int sendUrgent(byte value) {
        return connection.sendUrgent(MemorySegment.ofArray(new byte[] {value}), 0, 1);
    }

    @Override
    public int receive(MemorySegment target, long offset, int length) {
        return connection.receive(target, offset, length);
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
        return membership.link().linkPlace();
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
        return connection.available();
    }

    @Override
    public boolean receivesStream() {
        return false;
    }

    @Override
    public int unread() {
        return connection.available();
    }

    @Override
    public int unconsumed() {
        return connection.unconsumed();
    }

    @Override
    public boolean isWritable() {
        return connection.isWritable();
    }

    @Override
    public boolean seemedFull() {
        return !connection.isWritable();
    }

    @Override
    public boolean hasSpace() {
        return connection.hasSpace();
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
    public void publishSwitch(long tcpBytes) {
        connection.publishSwitch(tcpBytes);
    }

    @Override
    public long switchOffset() {
        return connection.switchOffset();
    }

    @Override
    public int peerFlags() {
        return connection.peerFlags();
    }

    /** What was written before is sent first, however long that takes. */
    @Override
    public void publishFlags(int flags) {
        if ((flags & (PEER_CONN_CLOSED | PEER_CONN_ABORT)) != 0) {
            connection.close((flags & PEER_CONN_ABORT) != 0, Long.MAX_VALUE);
        } else {
            connection.shutdownOutput();
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
