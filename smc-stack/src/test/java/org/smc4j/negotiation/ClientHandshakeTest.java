package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import org.smc4j.clc.ClcType;
import org.smc4j.diag.ReasonCode;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.time.VirtualTime;

@Timeout(10)
class ClientHandshakeTest {
    private static final long SECOND = 1_000_000_000L;

    private final VirtualTime time = new VirtualTime(1);
    private final HandshakeTurns turns = new HandshakeTurns(time);
    private final Host host = new Host().ueids("ONE").rnic(GidType.ROCE_V1, GidType.ROCE_V2);
    private final ScriptedResources resources = new ScriptedResources();
    private final List<ClcMessage> sent = new ArrayList<>();
    private final List<HandshakeEnd> ends = new ArrayList<>();
    private final ClientHandshake client = new ClientHandshake(time, sent::add, resources, turns, ends::add);
    private ScriptedResources.Place place;

    @BeforeEach
    void addDevice() {
        host.ismDevices.add(Host.ism("ism", 7, PnetId.NONE));
    }

    private void begin() {
        client.begin(host.abilities(), host.connection());
        time.runDue();
    }

    private void receive(ClcMessage message) {
        client.received(message);
        time.runDue();
    }

    /** Up to Confirm and the wait for the first link. */
    private void confirmFirstLink() {
        begin();
        receive(Peer.smcr(ClcType.ACCEPT, true));
        place = resources.give(true);
        assertEquals(ClientHandshake.State.CONFIRMING_LINK, client.state());
    }

    private ClcDecline lastDecline() {
        return assertInstanceOf(ClcDecline.class, sent.getLast());
    }

    private void assertFallback(ReasonCode reason, int peerDiagnosis) {
        assertEquals(List.of(new HandshakeEnd.Fallback(reason.number(), peerDiagnosis)), ends);
    }

    // -- The ways that lead to SMC --

    @Test
    void shouldBeActiveWithTheConfirmWhenAcceptIsSmcD() {
        begin();
        assertEquals(1, sent.size());
        ClcAcceptConfirmD accept = Peer.smcd(ClcType.ACCEPT, true);
        receive(accept);
        place = resources.give(true);
        ClcAcceptConfirmD confirm = assertInstanceOf(ClcAcceptConfirmD.class, sent.getLast());
        assertEquals(ClcType.CONFIRM, confirm.type());
        assertEquals(0x5007, confirm.gid());
        assertEquals(0x1111, confirm.dmbToken());
        assertEquals(List.of(new HandshakeEnd.Active(resources.asked.getLast(), place, accept)), ends);
        assertEquals(List.of(), place.calls);
    }

    @Test
    void shouldBeActiveWithTheConfirmWhenSmcRGroupExists() {
        begin();
        receive(Peer.smcr(ClcType.ACCEPT, false));
        place = resources.give(false);
        ClcAcceptConfirmR confirm = assertInstanceOf(ClcAcceptConfirmR.class, sent.getLast());
        assertEquals(4, confirm.mtuCode(), "the smaller one");
        assertEquals(host.systemId, confirm.systemId());
        assertEquals(false, confirm.firstContact());
        assertInstanceOf(HandshakeEnd.Active.class, ends.getFirst());
    }

    @Test
    void shouldWaitForTheLinksWhenSmcRGroupIsNew() {
        confirmFirstLink();
        assertEquals(List.of("awaitFirstLink"), place.calls);
        ClcAcceptConfirmR confirm = assertInstanceOf(ClcAcceptConfirmR.class, sent.getLast());
        assertEquals(List.of(Host.gid("10.8.0.1")), confirm.v2().gids());
        time.advance(100 * SECOND);
        assertEquals(List.of(), ends, "LLC has its own waits");
        place.firstLink.ready();
        assertInstanceOf(HandshakeEnd.Active.class, ends.getFirst());
        assertEquals(List.of("awaitFirstLink"), place.calls);
    }

    @Test
    void shouldBeActiveWhenVersion1IsAccepted() {
        begin();
        receive(Peer.smcrV1(ClcType.ACCEPT, true));
        place = resources.give(true);
        place.firstLink.ready();
        ClcAcceptConfirmR confirm = assertInstanceOf(ClcAcceptConfirmR.class, sent.getLast());
        assertEquals(1, confirm.version());
        assertEquals(true, confirm.firstContact());
        assertEquals(1, assertInstanceOf(HandshakeEnd.Active.class, ends.getFirst()).choice().version());
    }

    @Test
    void shouldGoOnWithOneLinkWhenNobodySpeaksOfASecondAndNoDeclineComesWithinASecond() {
        confirmFirstLink();
        place.firstLink.noSecondLink();
        time.advance(SECOND - 1);
        assertEquals(List.of(), ends);
        time.advance(1);
        assertInstanceOf(HandshakeEnd.Active.class, ends.getFirst());
    }

    // -- The ways that lead to TCP --

    @Test
    void shouldDeclineAtOnceWhenThereIsNothingToOffer() {
        host.ports.clear();
        host.ismDevices.clear();
        begin();
        assertEquals(1, sent.size());
        assertEquals(new ClcDecline(1, false, host.systemId, ReasonCode.NOSMCDEV.number(), 0, List.of()), lastDecline());
        assertFallback(ReasonCode.NOSMCDEV, 0);
    }

    @Test
    void shouldDeclineWithVersion2BeforeAnAcceptWhenAnIsmDeviceIsCapableOfIt() {
        begin();
        client.cancel();
        assertEquals(2, lastDecline().version());
    }

    @Test
    void shouldDeclineWithVersion1BeforeAnAcceptWhenNoIsmDeviceIsCapableOfVersion2() {
        host.ismDevices.clear();
        begin();
        client.cancel();
        assertEquals(1, lastDecline().version());
    }

    @Test
    void shouldDeclineWithTheVersionOfTheAcceptWhenItIsNotAcceptable() {
        host.ports.clear();
        begin();
        receive(Peer.smcrV1(ClcType.ACCEPT, true));
        assertEquals(1, lastDecline().version());
        assertFallback(ReasonCode.MODEUNSUPP, 0);
        assertEquals(List.of(), resources.asked);
    }

    @Test
    void shouldDeclineOutOfSyncWhenTheGroupToReuseIsNotThere() {
        begin();
        receive(Peer.smcr(ClcType.ACCEPT, false));
        resources.receiver.failed(ReasonCode.SYNCERR);
        assertEquals(new ClcDecline(2, true, host.systemId, ReasonCode.SYNCERR.number(), 2, List.of(0, 0, 0, 0)), lastDecline());
        assertFallback(ReasonCode.SYNCERR, 0);
    }

    @Test
    void shouldDeclineInSyncWhenTheLinkIsNotThere() {
        begin();
        receive(Peer.smcr(ClcType.ACCEPT, false));
        resources.receiver.failed(ReasonCode.NOSRVLINK);
        assertEquals(false, lastDecline().outOfSync());
        assertFallback(ReasonCode.NOSRVLINK, 0);
    }

    @Test
    void shouldDeclineAfterOneSecondMoreWhenTheServerDoesNotSpeakOverRoce() {
        confirmFirstLink();
        place.firstLink.failed(ReasonCode.TIMEOUT_CL);
        time.advance(SECOND - 1);
        assertEquals(List.of(), ends);
        time.advance(1);
        assertEquals(ReasonCode.TIMEOUT_CL.number(), lastDecline().diagnosis());
        assertFallback(ReasonCode.TIMEOUT_CL, 0);
        assertEquals(List.of("awaitFirstLink", "release"), place.calls);
    }

    @Test
    void shouldFollowTheDeclineWhenItComesInThatSecond() {
        confirmFirstLink();
        place.firstLink.failed(ReasonCode.TIMEOUT_CL);
        time.advance(SECOND / 2);
        int before = sent.size();
        receive(Peer.decline(0x02010000));
        assertFallback(ReasonCode.PEERDECL, 0x02010000);
        assertEquals(before, sent.size(), "a Decline is not answered");
    }

    @Test
    void shouldDeclineAtOnceWhenTheLinkFails() {
        confirmFirstLink();
        place.firstLink.failed(ReasonCode.RMBE_EC);
        assertEquals(ReasonCode.RMBE_EC.number(), lastDecline().diagnosis());
        assertFallback(ReasonCode.RMBE_EC, 0);
    }

    @Test
    void shouldDeclineAfterTheConfirmWhenTheLinkIsLostAlready() {
        begin();
        receive(Peer.smcr(ClcType.ACCEPT, true));
        place = new ScriptedResources.Place(ScriptedResources.SMCR, true);
        place.lost = ReasonCode.NOACTLINK;
        resources.receiver.reserved(place);
        assertEquals(3, sent.size(), "Proposal, Confirm and Decline");
        assertEquals(ReasonCode.NOACTLINK.number(), lastDecline().diagnosis());
        assertEquals(List.of("awaitFirstLink", "release"), place.calls);
    }

    // -- The ways that lead nowhere --

    @Test
    void shouldFailAfterSixSecondsWhenNoAcceptComes() {
        begin();
        time.advance(6 * SECOND - 1);
        assertEquals(List.of(), ends);
        time.advance(1);
        assertEquals(List.of(new HandshakeEnd.Failed(Errno.ETIMEDOUT)), ends);
        assertEquals(1, sent.size(), "no Decline");
    }

    @Test
    void shouldFailWhenTheServerSaysSomethingElseThanAnAccept() {
        begin();
        receive(Peer.smcr(ClcType.CONFIRM, true));
        assertEquals(List.of(new HandshakeEnd.Failed(Errno.EPROTO)), ends);
    }

    /** Whatever the state: the peer declines, breaks the rules or goes, or we close the connection. */
    @ParameterizedTest
    @EnumSource(value = ClientHandshake.State.class, names = {"ACTIVE", "FALLBACK", "FAILED"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldEndOnceAndLeaveNothingBehindWhenInterruptedInAnyState(ClientHandshake.State state) {
        for (String interruption : List.of("decline", "outOfSync", "malformed", "message", "closed", "cancel")) {
            List<ClcMessage> messages = new ArrayList<>();
            List<HandshakeEnd> outcomes = new ArrayList<>();
            ScriptedResources own = new ScriptedResources();
            HandshakeTurns order = new HandshakeTurns(time);
            ClientHandshake handshake = new ClientHandshake(time, messages::add, own, order, outcomes::add);
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
            boolean declines = interruption.equals("cancel") && state != ClientHandshake.State.NEW;
            assertEquals(said + (declines ? 1 : 0), messages.size(), why);
            if (reserved != null) {
                assertEquals(interruption.equals("outOfSync") ? List.of("outOfSync", "release") : List.of("release"),
                        reserved.calls.stream().filter(call -> !call.equals("awaitFirstLink")).toList(), why);
            }
            assertTurnIsFree(order, why);

            // What comes too late.
            for (String late : List.of("decline", "malformed", "message", "closed", "cancel")) {
                interrupt(handshake, late);
            }
            if (state == ClientHandshake.State.RESERVING) {
                assertEquals(List.of("release"), own.give(true).calls, "nobody wants it any more");
            }
            if (reserved != null) {
                reserved.firstLink.ready();
                reserved.firstLink.failed(ReasonCode.TIMEOUT_CL);
            }
            time.advance(100 * SECOND);
            assertEquals(1, outcomes.size(), why);
            assertEquals(said + (declines ? 1 : 0), messages.size(), why);
        }
    }

    private ScriptedResources.Place drive(ClientHandshake handshake, ScriptedResources own, HandshakeTurns order,
                                          ClientHandshake.State state) {
        if (state == ClientHandshake.State.NEW) {
            return null;
        }
        handshake.begin(host.abilities(), host.connection());
        if (state == ClientHandshake.State.PROPOSED) {
            return null;
        }
        HandshakeTurns.Turn other = order.awaitSmcrClient(() -> { });
        handshake.received(Peer.smcr(ClcType.ACCEPT, true));
        time.runDue();
        if (state == ClientHandshake.State.QUEUED) {
            assertEquals(List.of(), own.asked);
            other.leave();
            return null;
        }
        other.leave();
        time.runDue();
        if (state == ClientHandshake.State.RESERVING) {
            return null;
        }
        ScriptedResources.Place reserved = own.give(true);
        if (state == ClientHandshake.State.DECLINE_OR_TIMEOUT) {
            reserved.firstLink.failed(ReasonCode.TIMEOUT_CL);
        } else if (state == ClientHandshake.State.DECLINE_OR_ONE_LINK) {
            reserved.firstLink.noSecondLink();
        }
        return reserved;
    }

    private static void interrupt(ClientHandshake handshake, String interruption) {
        switch (interruption) {
            case "decline" -> handshake.received(Peer.decline(0x1234));
            case "outOfSync" -> handshake.received(Peer.outOfSync());
            case "malformed" -> handshake.malformed();
            case "message" -> handshake.received(Peer.smcr(ClcType.CONFIRM, true));
            case "closed" -> handshake.peerClosed();
            default -> handshake.cancel();
        }
    }

    private void assertTurnIsFree(HandshakeTurns order, String why) {
        List<String> next = new ArrayList<>();
        HandshakeTurns.Turn turn = order.awaitSmcrClient(() -> next.add("next"));
        time.runDue();
        assertEquals(List.of("next"), next, why);
        turn.leave();
    }

    // -- Order --

    @Test
    void shouldWaitForItsTurnWhenAnotherClientMakesAGroup() {
        List<HandshakeEnd> others = new ArrayList<>();
        ScriptedResources otherResources = new ScriptedResources();
        ClientHandshake first = new ClientHandshake(time, message -> { }, otherResources, turns, others::add);
        first.begin(host.abilities(), host.connection());
        first.received(Peer.smcr(ClcType.ACCEPT, true));
        begin();
        receive(Peer.smcr(ClcType.ACCEPT, false));
        ScriptedResources.Place held = otherResources.give(true);
        time.advance(3 * SECOND);
        assertEquals(ClientHandshake.State.QUEUED, client.state());
        held.firstLink.ready();
        time.runDue();
        assertEquals(ClientHandshake.State.RESERVING, client.state());
        assertInstanceOf(HandshakeEnd.Active.class, others.getFirst());
    }

    @Test
    void shouldNotWaitForSmcRWhenItIsSmcD() {
        HandshakeTurns.Turn other = turns.awaitSmcrClient(() -> { });
        begin();
        receive(Peer.smcd(ClcType.ACCEPT, true));
        assertEquals(ClientHandshake.State.RESERVING, client.state());
        other.leave();
    }

    @Test
    void shouldWaitForAServerOfSmcDWhenItIsSmcD() {
        HandshakeTurns.Turn server = turns.awaitServerOrSmcd(() -> { });
        begin();
        receive(Peer.smcd(ClcType.ACCEPT, true));
        assertEquals(ClientHandshake.State.QUEUED, client.state());
        server.leave();
        time.runDue();
        assertEquals(ClientHandshake.State.RESERVING, client.state());
    }

    // -- Misuse --

    @Test
    void shouldThrowWhenResourcesAnswerWhatWasNotAsked() {
        confirmFirstLink();
        assertThrows(IllegalStateException.class, () -> resources.receiver.failed(ReasonCode.MEM));
        assertSame(ClientHandshake.State.CONFIRMING_LINK, client.state());
    }
}
