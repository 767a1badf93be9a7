package org.smc4j.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.time.VirtualTime;

/** The rules of spec/80-cm-rej-timeout.md, message by message. */
@Timeout(60)
class RouterTest {
    private static final int KAFKA = 1;
    private static final int REDIS = 2;
    private static final int PEER = 11;
    private static final int OTHER_PEER = 12;
    private static final byte[] HERE = {10, 0, 0, 1};
    private static final byte[] THERE = {10, 0, 0, 2};
    private static final InetAddress THERE_ADDRESS = incoming(1, 9092).clientAddress();
    private static final long SECOND = 1_000_000_000L;

    /** Where a message went. */
    private record Sent(int member, int peer, HandshakeMessage message) {
    }

    private final VirtualTime time = new VirtualTime(80);
    private final List<Sent> sent = new ArrayList<>();
    private final Router router = new Router(time, new Outputs(), 0);
    private DeclineReason refusal;
    private boolean peersTakeMessages = true;

    private final class Outputs implements Router.Output {
        @Override
        public void toMember(int member, int peer, HandshakeMessage message) {
            sent.add(new Sent(member, peer, message));
        }

        @Override
        public boolean toPeer(int peer, HandshakeMessage message) {
            if (peersTakeMessages) {
                sent.add(new Sent(0, peer, message));
            }
            return peersTakeMessages;
        }

        @Override
        public DeclineReason refusal(FourTuple tuple) {
            return refusal;
        }

        @Override
        public int peerFor(FourTuple tuple) {
            return PEER;
        }
    }

    private static FourTuple outgoing(int clientPort) {
        return new FourTuple(HERE, clientPort, THERE, 9092);
    }

    private static FourTuple incoming(int clientPort, int serverPort) {
        return new FourTuple(THERE, clientPort, HERE, serverPort);
    }

    private static HandshakeMessage message(Type type, int localId, int remoteId, FourTuple tuple) {
        return new HandshakeMessage(type, null, localId, remoteId, tuple, new byte[] {42});
    }

    private static HandshakeMessage timeout(int localId, FourTuple tuple) {
        return HandshakeMessage.decline(DeclineReason.TIMEOUT, localId, 0, tuple);
    }

    /** The one message that was sent since the last call. */
    private Sent only() {
        assertEquals(1, sent.size(), sent.toString());
        return sent.removeFirst();
    }

    private void nothing() {
        assertEquals(List.of(), sent);
    }

    private void assertDelivered(int member, HandshakeMessage expected) {
        Sent delivered = only();
        assertEquals(member, delivered.member, delivered.toString());
        assertEquals(expected, delivered.message);
    }

    private void listening() {
        router.listens(KAFKA, outgoing(1).clientAddress(), 9092);
        router.listens(REDIS, outgoing(1).clientAddress(), 6379);
    }

    private void propose(int remoteId, int port) {
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.PROPOSAL, remoteId, 0, incoming(remoteId, port)));
    }

    /** A proposal of a process of this host: the id that the wire has for it. */
    private int proposed(int member, int localId, int port) {
        router.fromMember(member, 0, message(Type.PROPOSAL, localId, 0, outgoing(port)));
        Sent proposal = only();
        assertEquals(PEER, proposal.peer);
        assertEquals(message(Type.PROPOSAL, proposal.message.localId(), 0, outgoing(port)), proposal.message);
        return proposal.message.localId();
    }

    // -- Ids --

    @Test
    void shouldTellTheHandshakesOfTwoProcessesApartWhenTheyChoseTheSameId() {
        int ofKafka = proposed(KAFKA, 7, 1000);
        int ofRedis = proposed(REDIS, 7, 2000);
        assertNotEquals(ofKafka, ofRedis);
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.ACCEPT, 70, ofRedis, outgoing(2000)));
        assertDelivered(REDIS, message(Type.ACCEPT, 70, 7, outgoing(2000)));
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.ACCEPT, 71, ofKafka, outgoing(1000)));
        assertDelivered(KAFKA, message(Type.ACCEPT, 71, 7, outgoing(1000)));
        router.fromMember(KAFKA, PEER, message(Type.CONFIRM, 7, 71, outgoing(1000)));
        assertDelivered(0, message(Type.CONFIRM, ofKafka, 71, outgoing(1000)));
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.READY, 71, ofKafka, outgoing(1000)));
        assertDelivered(KAFKA, message(Type.READY, 71, 7, outgoing(1000)));
    }

    @Test
    void shouldTellAnswersOfTwoProcessesApartWhenTheyChoseTheSameId() {
        listening();
        propose(5, 9092);
        assertDelivered(KAFKA, message(Type.PROPOSAL, 5, 0, incoming(5, 9092)));
        propose(6, 6379);
        assertDelivered(REDIS, message(Type.PROPOSAL, 6, 0, incoming(6, 6379)));
        router.fromMember(KAFKA, PEER, message(Type.ACCEPT, 1, 5, incoming(5, 9092)));
        int ofKafka = only().message.localId();
        router.fromMember(REDIS, PEER, message(Type.ACCEPT, 1, 6, incoming(6, 6379)));
        int ofRedis = only().message.localId();
        assertNotEquals(ofKafka, ofRedis);
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.CONFIRM, 6, ofRedis, incoming(6, 6379)));
        assertDelivered(REDIS, message(Type.CONFIRM, 6, 1, incoming(6, 6379)));
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.CONFIRM, 5, ofKafka, incoming(5, 9092)));
        assertDelivered(KAFKA, message(Type.CONFIRM, 5, 1, incoming(5, 9092)));
    }

    @Test
    void shouldKeepTheWireIdWhenAProposalIsSaidAgain() {
        assertEquals(proposed(KAFKA, 7, 1000), proposed(KAFKA, 7, 1000));
        assertEquals(1, router.idCount());
    }

    @Test
    void shouldDropWhatNamesAnIdOfAnotherConnection() {
        int ofKafka = proposed(KAFKA, 7, 1000);
        router.fromPeer(OTHER_PEER, THERE_ADDRESS, message(Type.ACCEPT, 70, ofKafka, outgoing(1000)));
        nothing();
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.ACCEPT, 70, ofKafka + 1, outgoing(1000)));
        nothing();
        assertEquals(2, router.dropped());
    }

    @Test
    void shouldDropWhatGoesOnWithAHandshakeThatHasNoWireId() {
        router.fromMember(KAFKA, PEER, message(Type.CONFIRM, 7, 70, outgoing(1000)));
        router.fromMember(KAFKA, PEER, timeout(7, outgoing(1000)));
        nothing();
        assertEquals(2, router.dropped());
        assertEquals(0, router.idCount());
    }

    @Test
    void shouldAnswerACheckWithoutRememberingIt() {
        listening();
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.CHECK, 5, 0, incoming(0, 9092)));
        assertDelivered(KAFKA, message(Type.CHECK, 5, 0, incoming(0, 9092)));
        router.fromMember(KAFKA, PEER, message(Type.READY, 1, 5, incoming(0, 9092)));
        assertDelivered(0, message(Type.READY, 0, 5, incoming(0, 9092)));
        assertEquals(0, router.idCount());
    }

    @Test
    void shouldSendADeclineWithoutIdWhenTheProcessNeverAccepted() {
        listening();
        propose(5, 9092);
        only();
        router.fromMember(KAFKA, PEER, HandshakeMessage.decline(DeclineReason.PEER, 1, 5, incoming(5, 9092)));
        assertDelivered(0, HandshakeMessage.decline(DeclineReason.PEER, 0, 5, incoming(5, 9092)));
        assertEquals(0, router.idCount());
    }

    @Test
    void shouldSkipZeroAndIdsInUseWhenIdsWrapAround() {
        IdMap ids = new IdMap(time, -3);
        assertEquals(-2, ids.findOrAdd(KAFKA, 1, PEER, outgoing(1)).wireId());
        assertEquals(-1, ids.findOrAdd(KAFKA, 2, PEER, outgoing(1)).wireId());
        assertEquals(1, ids.findOrAdd(KAFKA, 3, PEER, outgoing(1)).wireId());
        IdMap again = new IdMap(time, -2);
        again.findOrAdd(KAFKA, 1, PEER, outgoing(1));
        assertEquals(1, again.findOrAdd(KAFKA, 2, PEER, outgoing(1)).wireId());
    }

    @Test
    void shouldForgetIdsThirtySecondsAfterTheEnd() {
        int wireId = proposed(KAFKA, 7, 1000);
        router.fromPeer(PEER, THERE_ADDRESS, HandshakeMessage.decline(DeclineReason.PEER, 0, wireId, outgoing(1000)));
        assertDelivered(KAFKA, HandshakeMessage.decline(DeclineReason.PEER, 0, 7, outgoing(1000)));
        time.advance(30 * SECOND - 1);
        assertEquals(1, router.idCount());
        time.advance(1);
        assertEquals(0, router.idCount());
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.ACCEPT, 70, wireId, outgoing(1000)));
        nothing();
    }

    @Test
    void shouldDeliverALateDeclineAfterReadyAndPostponeTheEnd() {
        int wireId = proposed(KAFKA, 7, 1000);
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.READY, 70, wireId, outgoing(1000)));
        only();
        time.advance(29 * SECOND);
        HandshakeMessage late = HandshakeMessage.decline(DeclineReason.PEER, 70, wireId, outgoing(1000));
        router.fromPeer(PEER, THERE_ADDRESS, late);
        assertDelivered(KAFKA, late.withRemoteId(7));
        time.advance(29 * SECOND);
        assertEquals(1, router.idCount());
        time.advance(SECOND);
        assertEquals(0, router.idCount());
    }

    @Test
    void shouldForgetIdsOfHandshakesThatNobodyEnds() {
        proposed(KAFKA, 7, 1000);
        time.advance(IdMap.UNUSED_NANOS - 1);
        assertEquals(1, router.idCount());
        time.advance(1);
        assertEquals(0, router.idCount());
        assertTrue(time.runUntilIdle(0));
    }

    // -- Declines for time-out --

    @Test
    void shouldFindTheProcessOfADeclineForTimeoutByTheSendersId() {
        listening();
        propose(5, 9092);
        propose(6, 6379);
        sent.clear();
        router.fromPeer(PEER, THERE_ADDRESS, timeout(6, incoming(6, 6379)));
        assertDelivered(REDIS, timeout(6, incoming(6, 6379)));
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        assertDelivered(KAFKA, timeout(5, incoming(5, 9092)));
        // Looking it up does not remove it.
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        assertDelivered(KAFKA, timeout(5, incoming(5, 9092)));
    }

    @Test
    void shouldSayInADeclineForTimeoutTheIdThatWasInTheProposal() {
        int wireId = proposed(KAFKA, 7, 1000);
        router.fromMember(KAFKA, 0, timeout(7, outgoing(1000)));
        assertDelivered(0, timeout(wireId, outgoing(1000)));
    }

    @Test
    void shouldPreferTheRemoteIdWhenThereIsOne() {
        listening();
        propose(5, 9092);
        only();
        router.fromMember(KAFKA, PEER, message(Type.ACCEPT, 1, 5, incoming(5, 9092)));
        int wireId = only().message.localId();
        router.fromPeer(PEER, THERE_ADDRESS, HandshakeMessage.decline(DeclineReason.TIMEOUT, 5, wireId, incoming(5, 9092)));
        assertDelivered(KAFKA, HandshakeMessage.decline(DeclineReason.TIMEOUT, 5, 1, incoming(5, 9092)));
    }

    @Test
    void shouldDropADeclineForTimeoutThirtySecondsAfterTheProposal() {
        listening();
        propose(5, 9092);
        only();
        time.advance(30 * SECOND - 1);
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        only();
        time.advance(1);
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        nothing();
        assertEquals(0, router.timeoutCount());
    }

    @Test
    void shouldPostponeTheRemovalWhenAProposalIsSaidAgain() {
        listening();
        propose(5, 9092);
        time.advance(29 * SECOND);
        propose(5, 9092);
        assertEquals(1, router.timeoutCount());
        time.advance(29 * SECOND);
        sent.clear();
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        assertDelivered(KAFKA, timeout(5, incoming(5, 9092)));
        time.advance(SECOND);
        assertEquals(0, router.timeoutCount());
    }

    @Test
    void shouldKeepTheFirstProcessWhenAProposalIsSaidAgain() {
        listening();
        propose(5, 9092);
        router.listensNoMore(KAFKA, outgoing(1).clientAddress(), 9092);
        router.listens(REDIS, outgoing(1).clientAddress(), 9092);
        propose(5, 9092);
        sent.clear();
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        assertDelivered(KAFKA, timeout(5, incoming(5, 9092)));
    }

    @ParameterizedTest
    @EnumSource(value = DeclineReason.class, names = {"PEER", "NO_RESOURCES", "PEER_GONE"})
    void shouldDropOtherDeclinesWithoutRemoteId(DeclineReason reason) {
        listening();
        propose(5, 9092);
        only();
        router.fromPeer(PEER, THERE_ADDRESS, HandshakeMessage.decline(reason, 5, 0, incoming(5, 9092)));
        nothing();
    }

    @Test
    void shouldNotMixUpTheSameIdOfTwoConnections() {
        listening();
        propose(5, 9092);
        InetAddress other = new FourTuple(new byte[] {10, 0, 0, 3}, 5, HERE, 6379).clientAddress();
        FourTuple tuple = new FourTuple(other.getAddress(), 5, HERE, 6379);
        router.fromPeer(OTHER_PEER, other, message(Type.PROPOSAL, 5, 0, tuple));
        sent.clear();
        router.fromPeer(OTHER_PEER, other, timeout(5, tuple));
        assertDelivered(REDIS, timeout(5, tuple));
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        assertDelivered(KAFKA, timeout(5, incoming(5, 9092)));
    }

    // -- Listeners --

    @Test
    void shouldRefuseAProposalFromAnotherAddressThanThatOfTheClient() {
        listening();
        FourTuple forged = new FourTuple(new byte[] {10, 0, 0, 9}, 5, HERE, 9092);
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.PROPOSAL, 5, 0, forged));
        assertDelivered(0, HandshakeMessage.decline(DeclineReason.INVALID_ADDRESS, 0, 5, forged));
        assertEquals(0, router.timeoutCount());
    }

    @ParameterizedTest
    @EnumSource(value = Type.class, names = {"PROPOSAL", "CHECK"})
    void shouldWaitAMomentForAListenerThatIsNotKnown(Type type) {
        HandshakeMessage opening = message(type, 5, 0, incoming(5, 9092));
        router.fromPeer(PEER, THERE_ADDRESS, opening);
        time.advance(Router.PARKED_NANOS / 2);
        nothing();
        listening();
        assertDelivered(KAFKA, opening);
        assertEquals(0, router.parkedCount());
        time.advance(Router.PARKED_NANOS);
        nothing();
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        assertDelivered(KAFKA, timeout(5, incoming(5, 9092)));
    }

    @Test
    void shouldDeclineWhenTheListenerStaysUnknown() {
        propose(5, 1234);
        time.advance(Router.PARKED_NANOS);
        assertDelivered(0, HandshakeMessage.decline(DeclineReason.NO_LISTENER, 0, 5, incoming(5, 1234)));
        assertTrue(time.runUntilIdle(0));
    }

    @Test
    void shouldForgetAWaitingProposalThatIsGivenUpOrWhoseConnectionIsGone() {
        propose(5, 1234);
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 1234)));
        propose(6, 1234);
        router.peerGone(PEER, DeclineReason.PEER_GONE);
        time.advance(Router.PARKED_NANOS);
        nothing();
        assertEquals(0, router.dropped());
    }

    @Test
    void shouldPreferTheListenerOfTheAddressToThoseOfTheWildcards() {
        InetAddress any4 = new FourTuple(new byte[4], 0, HERE, 0).clientAddress();
        InetAddress any6 = new FourTuple(new byte[16], 0, HERE, 0).clientAddress();
        router.listens(3, any4, 9092);
        propose(1, 9092);
        assertEquals(3, only().member);
        router.listens(4, any6, 9092);
        propose(2, 9092);
        assertEquals(4, only().member);
        router.listens(5, outgoing(1).clientAddress(), 9092);
        router.listens(6, outgoing(1).clientAddress(), 9092);
        propose(3, 9092);
        assertEquals(5, only().member);
        router.memberGone(5);
        propose(4, 9092);
        assertEquals(6, only().member);
        router.listensNoMore(6, outgoing(1).clientAddress(), 9092);
        router.memberGone(4);
        propose(5, 9092);
        assertEquals(3, only().member);
    }

    // -- Refusals and ends --

    @Test
    void shouldTellTheProcessWhyItsProposalCannotBeSent() {
        refusal = DeclineReason.REFUSED;
        router.fromMember(KAFKA, 0, message(Type.PROPOSAL, 7, 0, outgoing(1000)));
        assertDelivered(KAFKA, HandshakeMessage.decline(DeclineReason.REFUSED, 0, 7, outgoing(1000)));
        assertEquals(0, router.idCount());
    }

    @Test
    void shouldTellTheProcessThatThePeerTakesNoMore() {
        peersTakeMessages = false;
        router.fromMember(KAFKA, 0, message(Type.PROPOSAL, 7, 0, outgoing(1000)));
        assertDelivered(KAFKA, HandshakeMessage.decline(DeclineReason.NO_RESOURCES, 0, 7, outgoing(1000)));
        router.fromMember(KAFKA, PEER, message(Type.ACCEPT, 8, 70, incoming(70, 9092)));
        assertDelivered(KAFKA, HandshakeMessage.decline(DeclineReason.NO_RESOURCES, 0, 8, incoming(70, 9092)));
        router.fromMember(KAFKA, PEER, HandshakeMessage.decline(DeclineReason.PEER, 8, 70, incoming(70, 9092)));
        nothing();
        time.advance(30 * SECOND);
        assertEquals(0, router.idCount());
    }

    @Test
    void shouldTellEveryProcessThatThePeerIsGone() {
        listening();
        proposed(KAFKA, 7, 1000);
        proposed(REDIS, 7, 2000);
        int over = proposed(REDIS, 8, 3000);
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.READY, 9, over, outgoing(3000)));
        propose(5, 9092);
        sent.clear();
        router.peerGone(PEER, DeclineReason.PEER_GONE);
        assertEquals(List.of(
                new Sent(KAFKA, PEER, HandshakeMessage.decline(DeclineReason.PEER_GONE, 0, 7, outgoing(1000))),
                new Sent(REDIS, PEER, HandshakeMessage.decline(DeclineReason.PEER_GONE, 0, 7, outgoing(2000))),
                new Sent(KAFKA, PEER, HandshakeMessage.decline(DeclineReason.PEER_GONE, 5, 0, incoming(5, 9092)))), sent);
        assertEquals(0, router.idCount() + router.timeoutCount());
        assertTrue(time.runUntilIdle(IdMap.UNUSED_NANOS), "timers of what was removed find nothing");
    }

    @Test
    void shouldFlushEverythingOfAProcessThatIsGoneAndNothingOfOthers() {
        listening();
        int ofKafka = proposed(KAFKA, 7, 1000);
        int ending = proposed(KAFKA, 8, 1001);
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.READY, 9, ending, outgoing(1001)));
        int ofRedis = proposedAfterClear(REDIS, 7, 2000);
        propose(5, 9092);
        propose(6, 6379);
        sent.clear();
        time.advance(10 * SECOND);
        router.memberGone(KAFKA);
        assertEquals(1, router.idCount());
        assertEquals(1, router.timeoutCount());
        router.fromPeer(PEER, THERE_ADDRESS, timeout(5, incoming(5, 9092)));
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.ACCEPT, 70, ofKafka, outgoing(1000)));
        nothing();
        // A process that comes later is not taken for it.
        int again = proposed(KAFKA, 7, 3000);
        assertNotEquals(ofKafka, again);
        router.fromPeer(PEER, THERE_ADDRESS, timeout(6, incoming(6, 6379)));
        assertDelivered(REDIS, timeout(6, incoming(6, 6379)));
        router.fromPeer(PEER, THERE_ADDRESS, message(Type.ACCEPT, 71, ofRedis, outgoing(2000)));
        assertDelivered(REDIS, message(Type.ACCEPT, 71, 7, outgoing(2000)));
        // The pending removals of what was flushed remove nothing else.
        time.advance(25 * SECOND);
        assertEquals(2, router.idCount());
        assertEquals(0, router.timeoutCount());
    }

    private int proposedAfterClear(int member, int localId, int port) {
        sent.clear();
        return proposed(member, localId, port);
    }

    // -- Growth --

    @Test
    void shouldNotGrowWithAbandonedAttemptsOfThisHost() {
        int attempts = 100_000;
        int most = 0;
        for (int i = 1; i <= attempts; i++) {
            router.fromMember(i % 2 + 1, 0, message(Type.PROPOSAL, i, 0, outgoing(i & 0xFFFF)));
            router.fromMember(i % 2 + 1, 0, timeout(i, outgoing(i & 0xFFFF)));
            time.advance(SECOND / 1000);
            most = Math.max(most, router.idCount());
            sent.clear();
        }
        assertTrue(most <= 30_001, most + " entries for 1000 attempts a second that stay for 30 s");
        time.advance(30 * SECOND);
        assertEquals(0, router.idCount());
        assertTrue(time.runUntilIdle(IdMap.UNUSED_NANOS), "timers are left");
    }

    @Test
    void shouldNotGrowWithAbandonedAttemptsOfAnotherHost() {
        listening();
        int attempts = 100_000;
        int most = 0;
        for (int i = 1; i <= attempts; i++) {
            propose(i, 9092);
            router.fromPeer(PEER, THERE_ADDRESS, timeout(i, incoming(i, 9092)));
            time.advance(SECOND / 1000);
            most = Math.max(most, router.timeoutCount());
            assertEquals(2, sent.size());
            sent.clear();
        }
        assertTrue(most <= 30_001, most + " entries for 1000 attempts a second that stay for 30 s");
        time.advance(30 * SECOND);
        assertEquals(0, router.timeoutCount() + router.idCount() + router.parkedCount());
        assertTrue(time.runUntilIdle(0), "timers are left");
    }

    @Test
    void shouldStayWithinItsBoundsWhenAttemptsComeAllAtOnce() {
        listening();
        for (int i = 1; i <= 100_000; i++) {
            router.fromMember(KAFKA, 0, message(Type.PROPOSAL, i, 0, outgoing(i & 0xFFFF)));
            router.fromMember(KAFKA, 0, timeout(i, outgoing(i & 0xFFFF)));
            propose(i, 9092);
            propose(i, 1234);
        }
        assertEquals(IdMap.MAX_ENTRIES, router.idCount());
        assertEquals(TimeoutTable.MAX_ENTRIES, router.timeoutCount());
        assertEquals(1024, router.parkedCount());
        sent.clear();
        router.fromPeer(PEER, THERE_ADDRESS, timeout(100_000, incoming(100_000, 9092)));
        assertEquals(KAFKA, only().member, "the latest is remembered");
        time.advance(30 * SECOND);
        assertEquals(0, router.idCount() + router.timeoutCount() + router.parkedCount());
    }

    @Test
    void shouldRefuseMoreHandshakesThanItCanRemember() {
        for (int i = 1; i <= IdMap.MAX_ENTRIES; i++) {
            router.fromMember(KAFKA, 0, message(Type.PROPOSAL, i, 0, outgoing(i & 0xFFFF)));
        }
        sent.clear();
        router.fromMember(REDIS, 0, message(Type.PROPOSAL, 1, 0, outgoing(1)));
        assertDelivered(REDIS, HandshakeMessage.decline(DeclineReason.NO_RESOURCES, 0, 1, outgoing(1)));
    }
}
