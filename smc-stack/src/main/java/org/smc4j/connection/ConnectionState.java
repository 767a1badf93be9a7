package org.smc4j.connection;

import org.smc4j.cdc.CdcFlags;
import org.smc4j.connection.StateTable.Event;
import org.smc4j.connection.StateTable.Facts;
import org.smc4j.connection.StateTable.Message;
import org.smc4j.connection.StateTable.Transition;
import org.smc4j.diag.SmcState;

/** The state of one connection and the flags that its peer is told: what {@link StateTable} says, done. Belongs to the turn. */
final class ConnectionState {
    private final Progress progress;
    private final ReceiveRing receiveRing;
    /** Read by anyone. */
    private volatile SmcState state = SmcState.INIT;
    private int ownFlags;
    private int handledFlags;
    private boolean messageDue;
    private boolean closeSent;
    private boolean released;
    private boolean abrupt;
    /** The peer is told nothing any more. */
    private boolean severed;
    /** What the peer was not told goes there by another way, for which the connection stays. */
    private boolean frozen;
    /** A close or shutdown that waits until everything is sent; null if none. */
    private Event draining;
    private boolean drainOver;

    ConnectionState(Progress progress, ReceiveRing receiveRing) {
        this.progress = progress;
        this.receiveRing = receiveRing;
    }

    SmcState state() {
        return state;
    }

    /** The handshake is over. */
    void activate() {
        if (state == SmcState.INIT) {
            state = SmcState.ACTIVE;
        }
    }

    /** Connection state flags for the next message. */
    int ownFlags() {
        return ownFlags;
    }

    /** Whether the peer has to be told of {@link #ownFlags}, even without data. */
    boolean isMessageDue() {
        return messageDue;
    }

    /** The peer was told, or never will be. */
    void messageDone() {
        messageDue = false;
        if (state == SmcState.PEERABORTWAIT) {
            apply(Event.ABORTED);
        }
    }

    boolean isSevered() {
        return severed;
    }

    /** Whether data may still be sent. */
    boolean isDataOver() {
        return severed || (progress.peerFlags & CdcFlags.CONN_ABORT) != 0;
    }

    boolean isOver() {
        return state == SmcState.CLOSED && released && !messageDue && !frozen;
    }

    /** Whether a close or shutdown waits until everything is sent. */
    boolean isDraining() {
        return draining != null;
    }

    /** Takes in what the peer has said. */
    void received() {
        int flags = progress.peerFlags & ~handledFlags;
        if (flags == 0) {
            return;
        }
        handledFlags |= flags;
        if ((flags & CdcFlags.CONN_ABORT) != 0) {
            ownFlags |= CdcFlags.CONN_ABORT;
            apply(Event.ABORT_RECEIVED);
        } else if ((flags & CdcFlags.CONN_CLOSED) != 0) {
            apply(Event.CLOSED_RECEIVED);
        } else {
            apply(Event.DONE_WRITING_RECEIVED);
        }
    }

    void shutdownWrite() {
        apply(Event.SHUTDOWN_WRITE);
    }

    /** Shutdown of both directions; the application still holds the connection. */
    void shutdownBoth() {
        apply(Event.CLOSE);
    }

    /**
     * The application has no use for it any more.
     *
     * @param abort nothing more is sent, and the peer is told so
     */
    void close(boolean abort) {
        released = true;
        abrupt |= abort;
        apply(Event.CLOSE);
        endIfSevered();
    }

    /** Time for what waits to be sent is over. */
    void endDrain() {
        drainOver = true;
        proceed();
    }

    /** Whatever a close or shutdown waited for may have come. */
    void proceed() {
        if (draining != null && isDrained()) {
            Event event = draining;
            draining = null;
            apply(event);
        }
    }

    /** The end of the link group, or of a connection that is out of sync: one message, if it can be sent. */
    void kill() {
        apply(Event.KILL);
        proceed();
    }

    /** From now on nothing is exchanged with the peer by this connection. */
    void sever() {
        severed = true;
        messageDone();
        proceed();
        endIfSevered();
    }

    void freeze() {
        frozen = true;
        severed = true;
        messageDone();
    }

    void letGo() {
        frozen = false;
        sever();
    }

    private void endIfSevered() {
        if (severed && !frozen && released && state != SmcState.CLOSED) {
            apply(Event.KILL);
        }
    }

    private void apply(Event event) {
        boolean peerClosed = (progress.peerFlags & (CdcFlags.CONN_CLOSED | CdcFlags.CONN_ABORT)) != 0;
        Transition transition = StateTable.transition(state, event, new Facts(closeSent, released, peerClosed));
        if (transition.drain() && !isDrained()) {
            // A close is more than a shutdown.
            draining = draining == Event.CLOSE ? Event.CLOSE : event;
            return;
        }
        state = transition.next();
        switch (transition.message()) {
            case NONE -> { }
            case DONE_WRITING -> say(CdcFlags.DONE_WRITING);
            case FINAL -> {
                closeSent = true;
                say(isComplete() ? CdcFlags.CONN_CLOSED : CdcFlags.CONN_ABORT);
            }
            case ABORT -> {
                closeSent = true;
                say(CdcFlags.CONN_ABORT);
            }
        }
    }

    private void say(int flag) {
        ownFlags |= flag;
        messageDue = true;
        if (severed) {
            messageDone();
        }
    }

    /** Whether nothing is lost by closing: neither what the peer has sent nor, other than in the kernel, what it should have got. */
    private boolean isComplete() {
        return !abrupt && receiveRing.unread() == 0 && progress.unsent() == 0;
    }

    private boolean isDrained() {
        return progress.unsent() == 0 || drainOver || abrupt || isDataOver();
    }
}
