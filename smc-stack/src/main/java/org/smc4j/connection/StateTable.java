package org.smc4j.connection;

import java.util.EnumMap;
import java.util.Map;
import org.smc4j.diag.SmcState;

/** How the state of a connection changes, and what the peer is told of it: the table of spec/50-sockets.md §2. Immutable. */
final class StateTable {
    enum Event {
        /** close(), or shutdown of both directions. */
        CLOSE,
        SHUTDOWN_WRITE,
        /** A CDC with done_writing only. */
        DONE_WRITING_RECEIVED,
        CLOSED_RECEIVED,
        ABORT_RECEIVED,
        /** The link group was terminated, or the connection is out of sync. */
        KILL,
        /** What KILL had to send is on its way, or cannot be sent. */
        ABORTED
    }

    /** What has to be sent, all flags that were sent before included. */
    enum Message {
        NONE,
        DONE_WRITING,
        /** conn_closed, or conn_abort if unread data remains. */
        FINAL,
        ABORT
    }

    /**
     * What a row does not say of a connection.
     *
     * @param closeSent  a final message was sent; without it done_writing at most
     * @param released   the application has no use for the connection any more: close(), not shutdown
     * @param peerClosed the peer sent conn_closed or conn_abort
     */
    record Facts(boolean closeSent, boolean released, boolean peerClosed) {
    }

    /**
     * @param drain the rest happens once nothing waits to be sent or the time for it is over; then the table is asked again,
     *              as the state may have changed
     */
    record Transition(Message message, boolean drain, SmcState next) {
    }

    private enum Condition {
        ALWAYS, PEER_CLOSED, CLOSE_SENT, CLOSE_SENT_AND_RELEASED;

        boolean holds(Facts facts) {
            return switch (this) {
                case ALWAYS -> true;
                case PEER_CLOSED -> facts.peerClosed;
                case CLOSE_SENT -> facts.closeSent;
                case CLOSE_SENT_AND_RELEASED -> facts.closeSent && facts.released;
            };
        }
    }

    /** One cell. A next state of null is the present one. A final message that was sent before is not sent again. */
    private record Cell(Message message, boolean drains, Condition condition, SmcState then, SmcState otherwise) {
        Transition apply(SmcState state, Facts facts) {
            SmcState next = condition.holds(facts) ? then : otherwise;
            boolean sentBefore = message == Message.FINAL && facts.closeSent;
            return new Transition(sentBefore ? Message.NONE : message, drains && !facts.peerClosed, next == null ? state : next);
        }
    }

    private static final Cell STAY = new Cell(Message.NONE, false, Condition.ALWAYS, null, null);
    private static final Cell FINAL = new Cell(Message.FINAL, false, Condition.ALWAYS, null, null);
    private static final Cell FINAL_TO_CLOSED = new Cell(Message.FINAL, false, Condition.ALWAYS, SmcState.CLOSED, null);
    private static final Cell DRAIN_FINAL = new Cell(Message.FINAL, true, Condition.ALWAYS, SmcState.PEERCLOSEWAIT1, null);
    private static final Cell DRAIN_FINAL_OF_TWO =
            new Cell(Message.FINAL, true, Condition.PEER_CLOSED, SmcState.CLOSED, SmcState.PEERFINCLOSEWAIT);
    private static final Cell ABORT_TO_CLOSED = new Cell(Message.ABORT, false, Condition.ALWAYS, SmcState.CLOSED, null);
    private static final Cell KILLED = new Cell(Message.ABORT, false, Condition.ALWAYS, SmcState.PEERABORTWAIT, null);
    /** Footnote a. */
    private static final Cell PEER_CLOSED_TOO =
            new Cell(Message.NONE, false, Condition.CLOSE_SENT_AND_RELEASED, SmcState.CLOSED, SmcState.APPFINCLOSEWAIT);
    /** Footnote b. */
    private static final Cell PEER_ABORTED_TOO =
            new Cell(Message.NONE, false, Condition.CLOSE_SENT, SmcState.CLOSED, SmcState.PROCESSABORT);

    private static final Map<SmcState, Cell[]> TABLE = new EnumMap<>(SmcState.class);

    static {
        Cell wait1 = to(SmcState.APPCLOSEWAIT1);
        Cell wait2 = to(SmcState.PEERCLOSEWAIT2);
        Cell abort = to(SmcState.PROCESSABORT);
        Cell closed = to(SmcState.CLOSED);
        // Rows: close, shutdown, done_writing, conn_closed, conn_abort, kill, aborted.
        row(SmcState.INIT, closed, STAY, wait1, wait1, abort, STAY, STAY);
        row(SmcState.LISTEN, closed, STAY, STAY, STAY, STAY, STAY, STAY);
        row(SmcState.ACTIVE, DRAIN_FINAL, drainDoneWriting(SmcState.PEERCLOSEWAIT1), wait1, wait1, abort, KILLED, STAY);
        row(SmcState.PEERCLOSEWAIT1, FINAL, STAY, wait2, PEER_CLOSED_TOO, PEER_ABORTED_TOO, KILLED, STAY);
        row(SmcState.PEERCLOSEWAIT2, FINAL, STAY, STAY, PEER_CLOSED_TOO, PEER_ABORTED_TOO, KILLED, STAY);
        row(SmcState.APPCLOSEWAIT1, DRAIN_FINAL_OF_TWO, drainDoneWriting(SmcState.APPCLOSEWAIT2), STAY, STAY, abort, KILLED, STAY);
        row(SmcState.APPCLOSEWAIT2, DRAIN_FINAL_OF_TWO, STAY, STAY, STAY, closed, KILLED, STAY);
        row(SmcState.APPFINCLOSEWAIT, FINAL_TO_CLOSED, STAY, STAY, STAY, abort, KILLED, STAY);
        row(SmcState.PEERFINCLOSEWAIT, STAY, STAY, STAY, closed, closed, KILLED, STAY);
        row(SmcState.PEERABORTWAIT, closed, STAY, STAY, STAY, closed, STAY, closed);
        row(SmcState.PROCESSABORT, ABORT_TO_CLOSED, STAY, STAY, STAY, STAY, KILLED, STAY);
        row(SmcState.CLOSED, STAY, STAY, STAY, STAY, STAY, STAY, STAY);
    }

    private StateTable() {
    }

    static Transition transition(SmcState state, Event event, Facts facts) {
        return TABLE.get(state)[event.ordinal()].apply(state, facts);
    }

    private static void row(SmcState state, Cell... cells) {
        TABLE.put(state, cells);
    }

    private static Cell to(SmcState next) {
        return new Cell(Message.NONE, false, Condition.ALWAYS, next, null);
    }

    private static Cell drainDoneWriting(SmcState next) {
        return new Cell(Message.DONE_WRITING, true, Condition.ALWAYS, next, null);
    }
}
