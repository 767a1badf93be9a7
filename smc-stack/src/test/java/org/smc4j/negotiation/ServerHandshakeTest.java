package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcTechnologies;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Gid;
import org.smc4j.clc.IpArea;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.time.VirtualTime;

@Timeout(10)
class ServerHandshakeTest {
    private static final long SECOND = 1_000_000_000L;

    private final VirtualTime time = new VirtualTime(1);
    private final HandshakeTurns turns = new HandshakeTurns(time);
    private final Host host = new Host("10.8.0.2").ueids("ONE");
    private final Host clientHost = new Host().ueids("ONE").rnic(GidType.ROCE_V1, GidType.ROCE_V2);
    private final ScriptedResources resources = new ScriptedResources();
    private final List<ClcMessage> sent = new ArrayList<>();
    private final List<HandshakeEnd> ends = new ArrayList<>();
    private final ServerHandshake server = server(sent, resources, turns, ends);
    private ScriptedResources.Place place;

    private ServerHandshake server(List<ClcMessage> messages, HandshakeResources own, HandshakeTurns order,
                                   List<HandshakeEnd> outcomes) {
        return new ServerHandshake(time, messages::add, own, order, host::abilities, host.connection(), outcomes::add);
    }

    @BeforeEach
    void addDevices() {
        host.ports.add(Host.port("rxe1", "eth0", "10.8.0.2", Host.NET, GidType.ROCE_V1, GidType.ROCE_V2));
        host.ismDevices.add(Host.ism("ism", 7, PnetId.NONE));
        clientHost.ismDevices.add(Host.ism("ism", 7, PnetId.NONE));
    }

    private void receive(ClcMessage message) {
        server.received(message);
        time.runDue();
    }

    private ClcProposal proposal() {
        try {
            return clientHost.offer().proposal();
        } catch (DeclineException e) {
            throw new AssertionError(e);
        }
    }

    /** Without SMC-D. */
    private ClcProposal smcrProposal() {
        clientHost.ismDevices.clear();
        return proposal();
    }

    private void acceptSmcr(boolean firstContact) {
        server.begin();
        receive(smcrProposal());
        place = resources.give(firstContact);
        assertEquals(ServerHandshake.State.AWAITING_CONFIRM, server.state());
    }

    private ClcDecline lastDecline() {
        return assertInstanceOf(ClcDecline.class, sent.getLast());
    }

    private void assertFallback(ReasonCode reason, int peerDiagnosis) {
        assertEquals(List.of(new HandshakeEnd.Fallback(reason.number(), peerDiagnosis)), ends);
    }

    // -- The ways that lead to SMC --

    @Test
    void shouldBeActiveWhenSmcDIsConfirmed() {
        server.begin();
        receive(proposal());
        place = resources.give(true);
        ClcAcceptConfirmD accept = assertInstanceOf(ClcAcceptConfirmD.class, sent.getLast());
        assertEquals(ClcType.ACCEPT, accept.type());
        assertEquals(true, accept.firstContact());
        ClcAcceptConfirmD confirm = Peer.smcd(ClcType.CONFIRM, true);
        receive(confirm);
        assertEquals(List.of(), ends);
        place.completion.completed();
        assertEquals(List.of(new HandshakeEnd.Active(place.completed, place, confirm)), ends);
        assertEquals(new Terms(1, 255, 2, 1), place.completed.terms());
    }

    @Test
    void shouldBeActiveWhenSmcRIsConfirmedAndItsLinksAreUp() {
        acceptSmcr(true);
        receive(Peer.smcr(ClcType.CONFIRM, true));
        time.advance(100 * SECOND);
        assertEquals(List.of(), ends, "LLC has its own waits");
        place.completion.completed();
        HandshakeEnd.Active active = assertInstanceOf(HandshakeEnd.Active.class, ends.getFirst());
        assertEquals(2, active.choice().version());
        assertEquals(List.of("complete"), place.calls);
    }

    @Test
    void shouldTryTheNextCandidateWhenOneFailsAndAcceptTheFirstThatWorks() {
        server.begin();
        receive(proposal());
        resources.receiver.failed(ReasonCode.MAX_DMB);
        resources.receiver.failed(ReasonCode.ERR_REGBUF);
        assertEquals(List.of(2, 2, 1), resources.asked.stream().map(Choice::version).toList());
        resources.give(true);
        ClcAcceptConfirmR accept = assertInstanceOf(ClcAcceptConfirmR.class, sent.getLast());
        assertEquals(1, accept.version());
        receive(Peer.smcrV1(ClcType.CONFIRM, true));
        assertEquals(ServerHandshake.State.COMPLETING, server.state());
    }

    // -- The ways that lead to TCP --

    @Test
    void shouldDeclineWithTheFirstReasonWhenNoCandidateWorks() {
        server.begin();
        receive(proposal());
        resources.receiver.failed(ReasonCode.MAX_DMB);
        resources.receiver.failed(ReasonCode.ERR_REGBUF);
        resources.receiver.failed(ReasonCode.MEM);
        assertEquals(new ClcDecline(2, false, host.systemId, ReasonCode.MAX_DMB.number(), 2, List.of(0, 0, 0, 0)), lastDecline());
        assertFallback(ReasonCode.MAX_DMB, 0);
    }

    @Test
    void shouldDeclineWithVersion1WhenTheProposalIsOfVersion1() {
        server.begin();
        host.ports.clear();
        receive(new ClcProposal(1, ClcTechnologies.SMCR, ClcTechnologies.SMCR, new SystemId(5), new Gid(1, 1), new Mac(6), null,
                new IpArea(Host.address("10.8.0.0"), 24, List.of()), null));
        assertEquals(new ClcDecline(1, false, host.systemId, ReasonCode.NOSMCDEV.number(), 0, List.of()), lastDecline());
        assertFallback(ReasonCode.NOSMCDEV, 0);
    }

    @Test
    void shouldDeclineWithoutLookingForDevicesWhenNothingIsUsable() {
        HandshakeTurns.Turn other = turns.awaitServerOrSmcd(() -> { });
        server.begin();
        ClcProposal proposal = proposal();
        receive(new ClcProposal(2, ClcTechnologies.NONE, ClcTechnologies.NONE, SystemId.NONE, Gid.NONE, Mac.NONE,
                proposal.ismV1(), null, null));
        assertFallback(ReasonCode.PEERNOSMC, 0);
        other.leave();
    }

    @Test
    void shouldDeclineOutOfSyncAndWithoutSystemIdWhenTheClientMakesANewGroupOfSmcDInsteadOfReusingOurs() {
        server.begin();
        receive(proposal());
        place = resources.give(false);
        receive(Peer.smcd(ClcType.CONFIRM, true));
        assertEquals(new ClcDecline(2, true, SystemId.NONE, ReasonCode.SYNCERR.number(), 2, List.of(0, 0, 0, 0)), lastDecline());
        assertEquals(List.of("outOfSync", "release"), place.calls);
        assertFallback(ReasonCode.SYNCERR, 0);
    }

    @Test
    void shouldDeclineAfterOneSecondMoreWhenTheClientDoesNotAnswerOverRoce() {
        acceptSmcr(true);
        receive(Peer.smcr(ClcType.CONFIRM, true));
        place.completion.failed(ReasonCode.TIMEOUT_CL);
        time.advance(SECOND - 1);
        assertEquals(List.of(), ends);
        time.advance(1);
        assertEquals(ReasonCode.TIMEOUT_CL.number(), lastDecline().diagnosis());
        assertEquals(host.systemId, lastDecline().systemId());
        assertFallback(ReasonCode.TIMEOUT_CL, 0);
    }

    @Test
    void shouldDeclineAtOnceWhenCompletionFails() {
        acceptSmcr(false);
        receive(Peer.smcr(ClcType.CONFIRM, false));
        place.completion.failed(ReasonCode.ERR_RTOK);
        assertEquals(ReasonCode.ERR_RTOK.number(), lastDecline().diagnosis());
        assertFallback(ReasonCode.ERR_RTOK, 0);
    }

    @Test
    void shouldEndTheGroupWhenTheClientDoesNotKnowIt() {
        acceptSmcr(false);
        receive(Peer.outOfSync());
        assertEquals(List.of("outOfSync", "release"), place.calls);
        assertFallback(ReasonCode.PEERDECL, ReasonCode.SYNCERR.number());
        assertEquals(1, sent.size(), "the Accept, and no Decline");
    }

    // -- The ways that lead nowhere --

    @Test
    void shouldFailAfterSixSecondsWhenNoProposalComes() {
        server.begin();
        time.advance(6 * SECOND - 1);
        assertEquals(List.of(), ends);
        time.advance(1);
        assertEquals(List.of(new HandshakeEnd.Failed(Errno.ETIMEDOUT)), ends);
        assertEquals(List.of(), sent);
    }

    @Test
    void shouldFailAfterSixSecondsWhenNoConfirmComes() {
        server.begin();
        time.advance(5 * SECOND);
        receive(smcrProposal());
        time.advance(5 * SECOND);
        assertEquals(List.of(), ends, "the first wait is over");
        place = resources.give(true);
        time.advance(6 * SECOND - 1);
        assertEquals(List.of(), ends);
        time.advance(1);
        assertEquals(List.of(new HandshakeEnd.Failed(Errno.ETIMEDOUT)), ends);
        assertEquals(List.of("release"), place.calls);
        assertEquals(1, sent.size(), "the Accept, and no Decline");
    }

    @Test
    void shouldFailWhenTheConnectionCannotGoOnAtAll() {
        server.begin();
        receive(proposal());
        place = resources.give(true);
        receive(Peer.smcd(ClcType.CONFIRM, true));
        place.completion.broken(Errno.ENOMEM);
        assertEquals(List.of(new HandshakeEnd.Failed(Errno.ENOMEM)), ends);
        assertEquals(List.of("complete", "release"), place.calls);
    }

    @Test
    void shouldFailWhenTheClientProposesAgain() {
        acceptSmcr(true);
        receive(proposal());
        assertEquals(List.of(new HandshakeEnd.Failed(Errno.EPROTO)), ends);
    }

    /** Whatever the state: the peer declines, breaks the rules or goes, or we close the connection. */
    @ParameterizedTest
    @EnumSource(value = ServerHandshake.State.class, names = {"ACTIVE", "FALLBACK", "FAILED"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldEndOnceAndLeaveNothingBehindWhenInterruptedInAnyState(ServerHandshake.State state) {
        for (String interruption : List.of("decline", "outOfSync", "malformed", "message", "closed", "cancel")) {
            List<ClcMessage> messages = new ArrayList<>();
            List<HandshakeEnd> outcomes = new ArrayList<>();
            ScriptedResources own = new ScriptedResources();
            HandshakeTurns order = new HandshakeTurns(time);
            ServerHandshake handshake = server(messages, own, order, outcomes);
            ScriptedResources.Place reserved = drive(handshake, own, order, state);
            assertEquals(state, handshake.state());
            int said = messages.size();

            interrupt(handshake, interruption);

            HandshakeEnd expected = switch (interruption) {
                case "decline" -> new HandshakeEnd.Fallback(ReasonCode.PEERDECL.number(), 0x1234);
                case "outOfSync" -> new HandshakeEnd.Fallback(ReasonCode.PEERDECL.number(), ReasonCode.SYNCERR.number());
                case "malformed", "message" -> new HandshakeEnd.Failed(Errno.EPROTO);
                case "closed" -> new HandshakeEnd.Failed(Errno.ECONNRESET);
                default -> new HandshakeEnd.Failed(Errno.ECONNABORTED);
            };
            String why = interruption + " in " + state;
            assertEquals(List.of(expected), outcomes, why);
            boolean declines = interruption.equals("cancel") && state != ServerHandshake.State.NEW;
            assertEquals(said + (declines ? 1 : 0), messages.size(), why);
            if (reserved != null) {
                assertEquals(interruption.equals("outOfSync") ? List.of("outOfSync", "release") : List.of("release"),
                        reserved.calls.stream().filter(call -> !call.equals("complete")).toList(), why);
            }
            assertTurnIsFree(order, why);

            // What comes too late.
            for (String late : List.of("decline", "malformed", "message", "closed", "cancel")) {
                interrupt(handshake, late);
            }
            if (state == ServerHandshake.State.RESERVING) {
                assertEquals(List.of("release"), own.give(true).calls, "nobody wants it any more");
                own.receiver.failed(ReasonCode.MEM);
                assertEquals(1, own.asked.size(), "no further candidate");
            }
            if (reserved != null && reserved.completion != null) {
                reserved.completion.completed();
                reserved.completion.failed(ReasonCode.TIMEOUT_CL);
                reserved.completion.broken(Errno.ENOMEM);
            }
            time.advance(100 * SECOND);
            assertEquals(1, outcomes.size(), why);
            assertEquals(said + (declines ? 1 : 0), messages.size(), why);
        }
    }

    private ScriptedResources.Place drive(ServerHandshake handshake, ScriptedResources own, HandshakeTurns order,
                                          ServerHandshake.State state) {
        if (state == ServerHandshake.State.NEW) {
            return null;
        }
        handshake.begin();
        if (state == ServerHandshake.State.AWAITING_PROPOSAL) {
            return null;
        }
        HandshakeTurns.Turn other = order.awaitServerOrSmcd(() -> { });
        handshake.received(smcrProposal());
        time.runDue();
        assertEquals(List.of(), own.asked);
        other.leave();
        if (state == ServerHandshake.State.QUEUED) {
            return null;
        }
        time.runDue();
        if (state == ServerHandshake.State.RESERVING) {
            return null;
        }
        ScriptedResources.Place reserved = own.give(true);
        if (state == ServerHandshake.State.AWAITING_CONFIRM) {
            return reserved;
        }
        handshake.received(Peer.smcr(ClcType.CONFIRM, true));
        if (state == ServerHandshake.State.DECLINE_OR_TIMEOUT) {
            reserved.completion.failed(ReasonCode.TIMEOUT_CL);
        }
        return reserved;
    }

    private static void interrupt(ServerHandshake handshake, String interruption) {
        switch (interruption) {
            case "decline" -> handshake.received(Peer.decline(0x1234));
            case "outOfSync" -> handshake.received(Peer.outOfSync());
            case "malformed" -> handshake.malformed();
            case "message" -> handshake.received(Peer.smcr(ClcType.ACCEPT, true));
            case "closed" -> handshake.peerClosed();
            default -> handshake.cancel();
        }
    }

    private void assertTurnIsFree(HandshakeTurns order, String why) {
        List<String> next = new ArrayList<>();
        HandshakeTurns.Turn turn = order.awaitServerOrSmcd(() -> next.add("next"));
        time.runDue();
        assertEquals(List.of("next"), next, why);
        turn.leave();
    }

    // -- Order --

    @Test
    void shouldLetTheNextServerLookForDevicesWhenTheAcceptOfSmcDIsSent() {
        server.begin();
        ClcProposal smcd = proposal();
        receive(smcd);
        ScriptedResources otherResources = new ScriptedResources();
        ServerHandshake other = server(new ArrayList<>(), otherResources, turns, new ArrayList<>());
        other.begin();
        other.received(smcd);
        time.runDue();
        assertEquals(ServerHandshake.State.QUEUED, other.state());
        resources.give(true);
        time.runDue();
        assertEquals(ServerHandshake.State.RESERVING, other.state());
    }

    @Test
    void shouldKeepTheNextServerWaitingUntilTheEndWhenItIsSmcR() {
        acceptSmcr(true);
        ServerHandshake other = server(new ArrayList<>(), new ScriptedResources(), turns, new ArrayList<>());
        other.begin();
        other.received(smcrProposal());
        receive(Peer.smcr(ClcType.CONFIRM, true));
        assertEquals(ServerHandshake.State.QUEUED, other.state());
        place.completion.completed();
        time.runDue();
        assertEquals(ServerHandshake.State.RESERVING, other.state());
    }

    @Test
    void shouldUseTheDevicesOfTheMomentWhenItsTurnComes() {
        HandshakeTurns.Turn other = turns.awaitServerOrSmcd(() -> { });
        server.begin();
        receive(proposal());
        host.ismDevices.clear();
        other.leave();
        time.runDue();
        assertInstanceOf(SmcrChoice.class, resources.asked.getFirst());
        resources.receiver.failed(ReasonCode.MEM);
        resources.receiver.failed(ReasonCode.MEM);
        assertFallback(ReasonCode.NOSMCD2DEV, 0);
    }
}
