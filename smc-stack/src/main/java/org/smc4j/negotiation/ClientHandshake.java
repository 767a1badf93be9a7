package org.smc4j.negotiation;

import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.time.Scheduler;

/**
 * The client's end of a CLC handshake: Proposal, Accept, Confirm, and at a first contact of SMC-R the wait for the links
 * (spec/00-overview.md, spec/10-clc.md §11). All methods are called on the scheduler.
 */
public final class ClientHandshake extends Handshake<ClientHandshake.State, ClientHandshake.Event, ClientHandshake> {
    enum State implements Handshake.State {
        NEW,
        /** The Proposal is sent. */
        PROPOSED(MESSAGE_NANOS),
        /** The Accept is good; other handshakes come first. */
        QUEUED,
        /** Link group and buffers are on their way. */
        RESERVING,
        /** The Confirm is sent, and the server brings up the first link of a new group. */
        CONFIRMING_LINK,
        /** The server has not spoken over RoCE; perhaps it declines. */
        DECLINE_OR_TIMEOUT(DECLINE_NANOS),
        /** The first link is up, but there was no word of a second one; perhaps the server declines. */
        DECLINE_OR_ONE_LINK(DECLINE_NANOS),
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
        /** There is something to propose, or not. */
        OFFER, NOTHING_TO_OFFER,
        /** An Accept has come that fits the offer, or does not. */
        ACCEPT, UNACCEPTABLE,
        TURN,
        /** Link group and buffers are there; at a first contact of SMC-R the link is not yet up. */
        RESERVED, FIRST_LINK_RESERVED, NOT_RESERVED,
        FIRST_LINK_READY, NO_SECOND_LINK, NO_FIRST_LINK, FIRST_LINK_FAILED,
        /** The peer has declined, or said what it cannot say now, or is gone. */
        DECLINE, VIOLATION, PEER_CLOSED,
        TIMEOUT, CANCEL
    }

    private static final Interruptions<Event> INTERRUPTIONS =
            new Interruptions<>(Event.DECLINE, Event.VIOLATION, Event.PEER_CLOSED, Event.TIMEOUT, Event.CANCEL);
    private static final StateTable<State, Event, ClientHandshake> TABLE = table();

    private LocalAbilities abilities;
    private Offer offer;
    private ClcAcceptConfirm accept;

    /** @param listener told once how the handshake ended */
    public ClientHandshake(Scheduler scheduler, Carrier carrier, HandshakeResources resources, HandshakeTurns turns,
                           HandshakeEnd.Listener listener) {
        super(scheduler, carrier, resources, turns, listener, TABLE, State.NEW, INTERRUPTIONS);
    }

    private static StateTable<State, Event, ClientHandshake> table() {
        StateTable<State, Event, ClientHandshake> table = new StateTable<State, Event, ClientHandshake>(State.class, Event.class)
                .on(State.NEW, Event.OFFER, State.PROPOSED, ClientHandshake::propose)
                .on(State.NEW, Event.NOTHING_TO_OFFER, State.FALLBACK, ClientHandshake::decline)

                .on(State.PROPOSED, Event.ACCEPT, State.QUEUED, ClientHandshake::queue)
                .on(State.PROPOSED, Event.UNACCEPTABLE, State.FALLBACK, ClientHandshake::decline)
                .on(State.PROPOSED, Event.TIMEOUT, State.FAILED, client -> client.fail(Errno.ETIMEDOUT))

                .on(State.QUEUED, Event.TURN, State.RESERVING, ClientHandshake::reserve)

                .on(State.RESERVING, Event.RESERVED, State.ACTIVE, ClientHandshake::confirm)
                .on(State.RESERVING, Event.FIRST_LINK_RESERVED, State.CONFIRMING_LINK, ClientHandshake::confirmFirstLink)
                .on(State.RESERVING, Event.NOT_RESERVED, State.FALLBACK, ClientHandshake::decline)

                .on(State.CONFIRMING_LINK, Event.FIRST_LINK_READY, State.ACTIVE, ClientHandshake::activate)
                .on(State.CONFIRMING_LINK, Event.NO_SECOND_LINK, State.DECLINE_OR_ONE_LINK, ClientHandshake::nothing)
                .on(State.CONFIRMING_LINK, Event.NO_FIRST_LINK, State.DECLINE_OR_TIMEOUT, ClientHandshake::nothing)
                .on(State.CONFIRMING_LINK, Event.FIRST_LINK_FAILED, State.FALLBACK, ClientHandshake::decline)

                .on(State.DECLINE_OR_TIMEOUT, Event.TIMEOUT, State.FALLBACK, ClientHandshake::decline)
                .on(State.DECLINE_OR_ONE_LINK, Event.TIMEOUT, State.ACTIVE, ClientHandshake::activate);
        return interruptible(table, State.values(), State.NEW, State.FALLBACK, State.FAILED, INTERRUPTIONS);
    }

    /** Proposes what this host can do for the connection, or declines at once if that is nothing. Called once. */
    public void begin(LocalAbilities host, ConnectionFacts connection) {
        abilities = host;
        try {
            offer = Offer.of(host, connection);
        } catch (DeclineException e) {
            reason = e.reason();
            fire(Event.NOTHING_TO_OFFER);
            return;
        }
        fire(Event.OFFER);
    }

    @Override
    boolean take(ClcMessage message) {
        if (state() == State.PROPOSED && message instanceof ClcAcceptConfirm answer && answer.type() == ClcType.ACCEPT) {
            accepted(answer);
            return true;
        }
        return false;
    }

    private void accepted(ClcAcceptConfirm answer) {
        accept = answer;
        try {
            choice = AcceptCheck.check(offer, answer);
        } catch (DeclineException e) {
            reason = e.reason();
            fire(Event.UNACCEPTABLE);
            return;
        }
        fire(Event.ACCEPT);
    }

    @Override
    ClientHandshake self() {
        return this;
    }

    @Override
    int declineVersion() {
        if (accept != null) {
            return Math.min(accept.version(), ClcMessage.VERSION_2);
        }
        return abilities.isIsmV2Capable() ? ClcMessage.VERSION_2 : ClcMessage.VERSION_1;
    }

    @Override
    SystemId systemId() {
        return abilities.systemId();
    }

    // -- Actions of the table --

    private void propose() {
        carrier.send(offer.proposal());
    }

    private void queue() {
        turn = choice instanceof SmcdChoice ? turns.awaitServerOrSmcd(() -> fire(Event.TURN))
                : turns.awaitSmcrClient(() -> fire(Event.TURN));
    }

    private void reserve() {
        resources.join(choice, accept, new HandshakeResources.Receiver() {
            @Override
            public void reserved(Reservation mine) {
                if (keep(mine)) {
                    boolean newLink = choice instanceof SmcrChoice && accept.firstContact();
                    fire(newLink ? Event.FIRST_LINK_RESERVED : Event.RESERVED);
                }
            }

            @Override
            public void failed(ReasonCode why) {
                reason = why;
                fire(Event.NOT_RESERVED);
            }
        });
    }

    private void confirm() {
        sendConfirm();
        activate();
    }

    private void confirmFirstLink() {
        sendConfirm();
        // In the same turn: what the server says over RoCE is heard in a later one.
        reservation.awaitFirstLink(new Reservation.FirstLink() {
            @Override
            public void ready() {
                fire(Event.FIRST_LINK_READY);
            }

            @Override
            public void noSecondLink() {
                fire(Event.NO_SECOND_LINK);
            }

            @Override
            public void failed(ReasonCode why) {
                reason = why;
                fire(why == ReasonCode.TIMEOUT_CL ? Event.NO_FIRST_LINK : Event.FIRST_LINK_FAILED);
            }
        });
    }

    private void sendConfirm() {
        carrier.send(Answers.confirm(offer, choice, reservation.localEnd(), accept));
    }

    private void activate() {
        end(new HandshakeEnd.Active(choice, reservation, accept));
    }
}
