package org.smc4j.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How far both directions of a connection have come: positions, which count all bytes since its start (see
 * {@link org.smc4j.cdc.Positions}), and what the peer has last said. Each has one writer at a time, named here; everybody reads.
 *
 * <p>Always: consumed by the peer ≤ sent to the peer at most ≤ prepared; confirmed ≤ prepared ≤ confirmed + size of the send buffer;
 * consumed here ≤ produced ≤ consumed as told + size of the receive buffer.
 */
final class Progress {
    /** No position. */
    static final long NONE = -1;

    private static final VarHandle PREPARED;
    private static final VarHandle CONSUMED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PREPARED = lookup.findVarHandle(Progress.class, "prepared", long.class);
            CONSUMED = lookup.findVarHandle(Progress.class, "consumed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int sendSize;
    final int peerSize;
    final int receiveSize;

    // -- Written by the writer, in the lane of the send ring --

    /** Copied into the send buffer (tx_curs_prep). */
    private volatile long prepared;
    /** Behind the urgent byte whose consumption the peer has not shown; the turn sets it back to NONE. */
    volatile long urgentEnd = NONE;
    /** An urgent send is under way; the turn takes it back. */
    volatile boolean urgentPending;

    // -- Written in the turn --

    /** Written to the peer on the present link (tx_curs_sent, and the producer cursor). */
    volatile long sent;
    /** Written to the peer on any link: no cursor of the peer is beyond it. */
    volatile long sentAtMost;
    /** Consumer cursor that the peer was told last (rx_curs_confirmed). */
    volatile long consumedTold;

    // -- Written in the inbox, by its monitor --

    /** The peer is known to have it: its message has completed, or it was consumed (tx_curs_fin). */
    volatile long confirmed;
    /** The peer's consumer cursor. */
    volatile long peerConsumed;
    /** The peer's producer cursor. */
    volatile long produced;
    /** Position of the last urgent byte received, and before it the byte. */
    volatile long urgentAt = NONE;
    byte urgentByte;
    /** The peer has announced an urgent byte that has not come. */
    volatile boolean urgentNotYet;
    /** Connection state flags of the peer, of {@link org.smc4j.cdc.CdcFlags}; none is ever taken back. */
    volatile int peerFlags;
    /** The peer waits for space; the reader takes it back when he has read everything. */
    volatile boolean peerBlocked;
    /** Messages that have completed on the present link, without an error. */
    volatile long completed;
    /** Messages that have completed at all. */
    volatile long allCompleted;

    // -- Written by the reader, in the lane of the receive ring --

    /** Read by the application (consumer cursor). */
    private volatile long consumed;
    /** A consumer cursor is due; whichever reader sees it takes it back and requests the turn. */
    volatile boolean updateWanted;

    Progress(int sendSize, int peerSize, int receiveSize) {
        this.sendSize = sendSize;
        this.peerSize = peerSize;
        this.receiveSize = receiveSize;
    }

    long prepared() {
        return prepared;
    }

    /** The bytes before this position have been stored. */
    void preparedRelease(long position) {
        PREPARED.setRelease(this, position);
    }

    long consumed() {
        return consumed;
    }

    /** The bytes before this position have been read. */
    void consumedRelease(long position) {
        CONSUMED.setRelease(this, position);
    }

    /** Bytes that the application can write now. */
    int space() {
        return urgentEnd != NONE ? 0 : sendSize - (int) (prepared - confirmed);
    }

    /** Bytes that can be written to the peer now. */
    long peerSpace() {
        return peerSize - (sent - peerConsumed);
    }

    /** Bytes that the peer's ring has not room for yet, or that are held back. */
    long unsent() {
        return prepared - sent;
    }
}
