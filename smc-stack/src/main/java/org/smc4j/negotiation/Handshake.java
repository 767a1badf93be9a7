package org.smc4j.negotiation;

import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.time.Scheduler;

/**
 * One end of a CLC handshake. It does what the table of its kind says, is told of everything on its scheduler, and ends once;
 * what comes afterwards has no effect.
 *
 * @param <S> its states
 * @param <E> its events
 * @param <M> the kind of handshake
 */
public abstract sealed class Handshake<S extends Enum<S> & Handshake.State, E extends Enum<E>, M extends Handshake<S, E, M>>
        permits ClientHandshake, ServerHandshake {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** For a Proposal, an Accept and a Confirm (spec/10-clc.md §11). */
    static final long MESSAGE_NANOS = 6 * NANOS_PER_SECOND;
    /** For a Decline, when something over RoCE did not come. */
    static final long DECLINE_NANOS = NANOS_PER_SECOND;

    final Carrier carrier;
    final HandshakeResources resources;
    final HandshakeTurns turns;
    /** What was agreed on, or is being tried. */
    Choice choice;
    Reservation reservation;
    HandshakeTurns.Turn turn;
    /** Why the handshake is about to end. */
    ReasonCode reason;

    private final Scheduler scheduler;
    private final HandshakeEnd.Listener listener;
    private final StateTable<S, E, M> table;
    private final Interruptions<E> interruptions;
    private Scheduler.Timer timer;
    private S state;
    private ClcDecline peerDecline;

    /** What may come in any state. */
    record Interruptions<E>(E decline, E violation, E peerClosed, E timeout, E cancel) {
    }

    /** What all states have. */
    interface State {
        /** How long the state may last; 0: as long as it takes. */
        long waitNanos();

        /** Whether the handshake is over. */
        boolean isEnd();
    }

    Handshake(Scheduler scheduler, Carrier carrier, HandshakeResources resources, HandshakeTurns turns,
              HandshakeEnd.Listener listener, StateTable<S, E, M> table, S first, Interruptions<E> interruptions) {
        this.scheduler = scheduler;
        this.carrier = carrier;
        this.resources = resources;
        this.turns = turns;
        this.listener = listener;
        this.table = table;
        this.interruptions = interruptions;
        state = first;
    }

    /** The rows that are the same at both ends: the peer declines, breaks the rules or goes, or nobody wants the connection. */
    static <S extends Enum<S> & State, E extends Enum<E>, M extends Handshake<S, E, M>> StateTable<S, E, M> interruptible(
            StateTable<S, E, M> table, S[] states, S first, S fallback, S failed, Interruptions<E> on) {
        for (S state : states) {
            if (!state.isEnd()) {
                table.on(state, on.decline(), fallback, M::followDecline)
                        .on(state, on.violation(), failed, handshake -> handshake.fail(Errno.EPROTO))
                        .on(state, on.peerClosed(), failed, handshake -> handshake.fail(Errno.ECONNRESET))
                        .on(state, on.cancel(), failed, state == first ? M::forget : M::abandon);
            }
        }
        return table;
    }

    final S state() {
        return state;
    }

    final void fire(E event) {
        if (state.isEnd()) {
            return;
        }
        StateTable.Row<S, M> row = table.row(state, event);
        if (row == null) {
            throw new IllegalStateException(event + " in " + state);
        }
        stopTimer();
        state = row.next();
        if (state.waitNanos() > 0) {
            timer = scheduler.schedule(state.waitNanos(), () -> fire(interruptions.timeout()));
        }
        row.action().accept(self());
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    abstract M self();

    /** Of a Decline that is sent now. */
    abstract int declineVersion();

    abstract SystemId systemId();

    final void nothing() {
        // The state says it all.
    }

    /** Takes over what was reserved, unless the handshake has ended meanwhile. */
    final boolean keep(Reservation mine) {
        if (state.isEnd()) {
            mine.release();
            return false;
        }
        reservation = mine;
        return true;
    }

    // -- Ends: each row into an end state has one of these actions --

    /** Gives back what was reserved, then tells the peer: both ends go on over TCP. */
    final void decline() {
        sendDecline();
        end(new HandshakeEnd.Fallback(reason.number(), 0));
    }

    private void sendDecline() {
        SystemId sender = reservation != null && choice instanceof SmcdChoice ? SystemId.NONE : systemId();
        if (reason == ReasonCode.SYNCERR && reservation != null) {
            reservation.outOfSync();
        }
        release();
        carrier.send(Answers.decline(declineVersion(), reason, sender));
    }

    /** The peer goes on over TCP, so we do. */
    final void followDecline() {
        if (peerDecline.outOfSync() && reservation != null) {
            reservation.outOfSync();
        }
        release();
        end(new HandshakeEnd.Fallback(ReasonCode.PEERDECL.number(), peerDecline.diagnosis()));
    }

    final void fail(int errno) {
        release();
        end(new HandshakeEnd.Failed(errno));
    }

    /** The connection was closed before anything was said. */
    final void forget() {
        fail(Errno.ECONNABORTED);
    }

    /** The connection was closed here: the peer need not wait for that. */
    final void abandon() {
        reason = ReasonCode.INTERR;
        sendDecline();
        end(new HandshakeEnd.Failed(Errno.ECONNABORTED));
    }

    final void end(HandshakeEnd end) {
        if (turn != null) {
            turn.leave();
        }
        listener.ended(end);
    }

    private void release() {
        if (reservation != null) {
            reservation.release();
            reservation = null;
        }
    }

    // -- Told by the carrier and by the owner of the connection, on the scheduler --

    /** A message of the peer has come. */
    public final void received(ClcMessage message) {
        if (message instanceof ClcDecline decline) {
            peerDecline = decline;
            fire(interruptions.decline());
        } else if (!take(message)) {
            fire(interruptions.violation());
        }
    }

    /** Takes a message that may come in this state, and fires what follows; false for others. */
    abstract boolean take(ClcMessage message);

    /** Bytes of the peer have come that are no message. */
    public final void malformed() {
        fire(interruptions.violation());
    }

    /** The peer is gone, or cannot be reached any more. */
    public final void peerClosed() {
        fire(interruptions.peerClosed());
    }

    /** Nobody wants the connection any more. */
    public final void cancel() {
        fire(interruptions.cancel());
    }
}
