package org.smc4j.negotiation;

import java.util.function.Supplier;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.time.Scheduler;

/**
 * The server's end of a CLC handshake: Proposal, candidates, Accept, Confirm, and at a first contact of SMC-R bringing up the
 * links (spec/00-overview.md, spec/10-clc.md §9 and §11). All methods are called on the scheduler.
 */
public final class ServerHandshake extends Handshake<ServerHandshake.State, ServerHandshake.Event, ServerHandshake> {
    enum State implements Handshake.State {
        NEW,
        AWAITING_PROPOSAL(MESSAGE_NANOS),
        /** The Proposal is usable; other handshakes come first. */
        QUEUED,
        /** One candidate after the other is tried. */
        RESERVING,
        /** The Accept is sent. */
        AWAITING_CONFIRM(MESSAGE_NANOS),
        /** The Confirm is good; at a first contact of SMC-R links are brought up. */
        COMPLETING,
        /** The client has not answered over RoCE; perhaps it declines. */
        DECLINE_OR_TIMEOUT(DECLINE_NANOS),
        ACTIVE, FALLBACK, FAILED;

        private final long waitNanos;

        State() {
            this(0);
        }

        State(long waitNanos) {
            this.waitNanos = waitNanos;
        }

        @Override
        public long waitNanos() {
            return waitNanos;
        }

        @Override
        public boolean isEnd() {
            return this == ACTIVE || this == FALLBACK || this == FAILED;
        }
    }

    enum Event {
        BEGIN,
        /** A Proposal has come of which something is usable, or nothing. */
        PROPOSAL, UNUSABLE,
        TURN,
        /** A candidate has link group and buffers, or not, or none is left. */
        RESERVED, CANDIDATE_FAILED, NOTHING_LEFT,
        /** A Confirm has come that fits the Accept, or does not. */
        CONFIRM, UNCONFIRMED,
        COMPLETED, NO_FIRST_LINK, COMPLETION_FAILED, BROKEN,
        /** The peer has declined, or said what it cannot say now, or is gone. */
        DECLINE, VIOLATION, PEER_CLOSED,
        TIMEOUT, CANCEL
    }

    private static final Interruptions<Event> INTERRUPTIONS =
            new Interruptions<>(Event.DECLINE, Event.VIOLATION, Event.PEER_CLOSED, Event.TIMEOUT, Event.CANCEL);
    private static final StateTable<State, Event, ServerHandshake> TABLE = table();

    private final Supplier<LocalAbilities> host;
    private final ConnectionFacts connection;
    private LocalAbilities abilities;
    private ClcProposal proposal;
    private Usable usable;
    private ServerSelection selection;
    private ClcAcceptConfirm confirm;
    private int brokenBy;

    /**
     * @param host     the abilities as they are when it is asked
     * @param listener told once how the handshake ended
     */
    public ServerHandshake(Scheduler scheduler, Carrier carrier, HandshakeResources resources, HandshakeTurns turns,
                           Supplier<LocalAbilities> host, ConnectionFacts connection, HandshakeEnd.Listener listener) {
        super(scheduler, carrier, resources, turns, listener, TABLE, State.NEW, INTERRUPTIONS);
        this.host = host;
        this.connection = connection;
    }

    private static StateTable<State, Event, ServerHandshake> table() {
        StateTable<State, Event, ServerHandshake> table = new StateTable<State, Event, ServerHandshake>(State.class, Event.class)
                .on(State.NEW, Event.BEGIN, State.AWAITING_PROPOSAL, ServerHandshake::nothing)

                .on(State.AWAITING_PROPOSAL, Event.PROPOSAL, State.QUEUED, ServerHandshake::queue)
                .on(State.AWAITING_PROPOSAL, Event.UNUSABLE, State.FALLBACK, ServerHandshake::decline)
                .on(State.AWAITING_PROPOSAL, Event.TIMEOUT, State.FAILED, server -> server.fail(Errno.ETIMEDOUT))

                .on(State.QUEUED, Event.TURN, State.RESERVING, ServerHandshake::select)

                .on(State.RESERVING, Event.RESERVED, State.AWAITING_CONFIRM, ServerHandshake::accept)
                .on(State.RESERVING, Event.CANDIDATE_FAILED, State.RESERVING, ServerHandshake::tryNext)
                .on(State.RESERVING, Event.NOTHING_LEFT, State.FALLBACK, ServerHandshake::decline)

                .on(State.AWAITING_CONFIRM, Event.CONFIRM, State.COMPLETING, ServerHandshake::complete)
                .on(State.AWAITING_CONFIRM, Event.UNCONFIRMED, State.FALLBACK, ServerHandshake::decline)
                .on(State.AWAITING_CONFIRM, Event.TIMEOUT, State.FAILED, server -> server.fail(Errno.ETIMEDOUT))

                .on(State.COMPLETING, Event.COMPLETED, State.ACTIVE, ServerHandshake::activate)
                .on(State.COMPLETING, Event.NO_FIRST_LINK, State.DECLINE_OR_TIMEOUT, ServerHandshake::nothing)
                .on(State.COMPLETING, Event.COMPLETION_FAILED, State.FALLBACK, ServerHandshake::decline)
                .on(State.COMPLETING, Event.BROKEN, State.FAILED, server -> server.fail(server.brokenBy))

                .on(State.DECLINE_OR_TIMEOUT, Event.TIMEOUT, State.FALLBACK, ServerHandshake::decline);
        return interruptible(table, State.values(), State.NEW, State.FALLBACK, State.FAILED, INTERRUPTIONS);
    }

    /** Waits for the Proposal from now on. Called once. */
    public void begin() {
        abilities = host.get();
        fire(Event.BEGIN);
    }

    @Override
    boolean take(ClcMessage message) {
        if (state() == State.AWAITING_PROPOSAL && message instanceof ClcProposal offer) {
            proposed(offer);
            return true;
        }
        if (state() == State.AWAITING_CONFIRM && message instanceof ClcAcceptConfirm answer && answer.type() == ClcType.CONFIRM) {
            confirmed(answer);
            return true;
        }
        return false;
    }

    private void proposed(ClcProposal offer) {
        proposal = offer;
        abilities = host.get();
        try {
            usable = Usable.of(abilities, offer);
        } catch (DeclineException e) {
            reason = e.reason();
            fire(Event.UNUSABLE);
            return;
        }
        fire(Event.PROPOSAL);
    }

    private void confirmed(ClcAcceptConfirm answer) {
        confirm = answer;
        try {
            choice = ConfirmCheck.check(choice, reservation.isFirstContact(), answer);
        } catch (DeclineException e) {
            reason = e.reason();
            fire(Event.UNCONFIRMED);
            return;
        }
        fire(Event.CONFIRM);
    }

    @Override
    ServerHandshake self() {
        return this;
    }

    @Override
    int declineVersion() {
        return proposal == null ? ClcMessage.VERSION_1 : Math.min(proposal.version(), ClcMessage.VERSION_2);
    }

    @Override
    SystemId systemId() {
        return abilities.systemId();
    }

    // -- Actions of the table --

    private void queue() {
        turn = turns.awaitServerOrSmcd(() -> fire(Event.TURN));
    }

    private void select() {
        abilities = host.get();
        selection = new ServerSelection(abilities, connection, usable);
        tryNext();
    }

    private void tryNext() {
        try {
            choice = selection.next();
        } catch (DeclineException e) {
            reason = e.reason();
            fire(Event.NOTHING_LEFT);
            return;
        }
        resources.offer(choice, new HandshakeResources.Receiver() {
            @Override
            public void reserved(Reservation mine) {
                if (keep(mine)) {
                    fire(Event.RESERVED);
                }
            }

            @Override
            public void failed(ReasonCode why) {
                selection.failed(why);
                fire(Event.CANDIDATE_FAILED);
            }
        });
    }

    private void accept() {
        carrier.send(Answers.accept(abilities, choice, reservation));
        if (choice instanceof SmcdChoice) {
            turn.leave();
        }
    }

    private void complete() {
        reservation.complete(choice, confirm, new Reservation.Completion() {
            @Override
            public void completed() {
                fire(Event.COMPLETED);
            }

            @Override
            public void failed(ReasonCode why) {
                reason = why;
                fire(why == ReasonCode.TIMEOUT_CL ? Event.NO_FIRST_LINK : Event.COMPLETION_FAILED);
            }

            @Override
            public void broken(int errno) {
                brokenBy = errno;
                fire(Event.BROKEN);
            }
        });
    }

    private void activate() {
        end(new HandshakeEnd.Active(choice, reservation, confirm));
    }
}
