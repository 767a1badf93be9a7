package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Mac;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.ConfirmRkey;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.DeleteRkey;
import org.smc4j.llc.LlcCodec;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.LlcType;
import org.smc4j.llc.RequestAddLink;
import org.smc4j.llc.TestLink;

/** Which message goes where, and which flow has its turn: one group hears what the test says, and its peer nothing. */
@Timeout(20)
class LlcFlowsTest extends TwoHostsFixture {
    private SmcrLinkGroup group;
    private List<Connection> connections;

    LlcFlowsTest() {
        super(4);
    }

    /** A group of version 2, or 1 for an invitation, with two links, and a peer that says only what the test says. */
    private void setUp(int version, Role role, int ports) {
        setUpHosts(version, ports, ports);
        connections = hosts.established(2);
        silence(role);
    }

    private void silence(Role role) {
        group = role == Role.SERVER ? hosts.serverGroup() : hosts.clientGroup();
        for (RnicPort port : hosts.serverPorts) {
            hosts.fabric.path(port, FakeFabric.Path.SILENT);
        }
        hosts.fabric.log.clear();
    }

    private void hear(int link, LlcMessage message) {
        hear(link, LlcCodec.encode(message));
    }

    private void hear(int link, byte[] message) {
        time.execute(() -> ((FakeFabric.FakeTransport) group.slots().byId(link).transport()).hear(message));
        time.runDue();
    }

    /** What the group has said since it was asked last. */
    private List<LlcMessage> said() {
        List<LlcMessage> said = new ArrayList<>(hosts.fabric.log.stream().map(FakeFabric.Sent::message).toList());
        hosts.fabric.log.clear();
        return said;
    }

    private static DeleteLink deleteLink(int link) {
        return new DeleteLink(2, false, false, true, link, DeleteLink.LOST_PATH);
    }

    /** A flow that waits for the answer to a DELETE RKEY. */
    private void occupySlot() {
        Connection connection = connections.removeLast();
        (group.role() == Role.SERVER ? connection.serverEnd : connection.clientEnd).membership.leave();
        assertEquals(List.of(LlcType.DELETE_RKEY), said().stream().map(LlcMessage::type).toList());
    }

    @Test
    void shouldAnswerATestOverTheLinkItCameFrom() {
        setUp(2, Role.SERVER, 2);
        hear(2, new TestLink(2, false, 17, 4));
        FakeFabric.Sent answer = hosts.fabric.log.getFirst();
        assertEquals(new TestLink(2, true, 17, 4), answer.message());
        assertEquals(group.slots().byId(2).transport().queuePair(), answer.linkOfSender());
    }

    @Test
    void shouldAnswerRkeysOfThePeerWhileAFlowOfItsOwnIsUnderWay() {
        setUp(2, Role.SERVER, 2);
        occupySlot();
        hear(1, ConfirmRkey.request(2, 700, 7, List.of(new ConfirmRkey.RkeyOnLink(2, 800, 8))));

        ConfirmRkey answer = (ConfirmRkey) said().getFirst();
        assertTrue(answer.response() && !answer.negative());
        PeerRmb known = group.rtokens().add(group.slots().byId(1).place(), new Rtoken(700, 7));
        assertEquals(new Rtoken(800, 8), known.on(group.slots().byId(2).place()));
    }

    @Test
    void shouldForgetAnRmbOnAllLinksWhenThePeerDeletesItOnOne() {
        setUp(2, Role.SERVER, 2);
        hear(1, ConfirmRkey.request(2, 700, 7, List.of(new ConfirmRkey.RkeyOnLink(2, 800, 8))));
        said();

        hear(2, DeleteRkey.request(2, List.of(800, 801)));
        DeleteRkey answer = (DeleteRkey) said().getFirst();
        assertTrue(answer.negative());
        assertEquals(1, answer.errors());
        hear(1, DeleteRkey.request(2, List.of(700)));
        assertTrue(((DeleteRkey) said().getFirst()).negative());
    }

    /** A handshake of which the peer heard no answer, then the same RMB for the next one, when there was a second link. */
    @Test
    void shouldKnowAnRmbAgainByAnyLink() {
        setUp(2, Role.SERVER, 2);
        hear(1, ConfirmRkey.request(2, 700, 7, List.of()));
        hear(2, ConfirmRkey.request(2, 800, 8, List.of(new ConfirmRkey.RkeyOnLink(1, 700, 7))));

        RtokenTable rtokens = group.rtokens();
        int place = group.slots().byId(1).place();
        PeerRmb known = rtokens.add(group.slots().byId(2).place(), new Rtoken(800, 8));
        assertSame(known, rtokens.add(place, new Rtoken(700, 7)));
        // As ADD LINK says where it is on a third link.
        rtokens.add(place, 700, 2, new Rtoken(900, 9));
        assertEquals(new Rtoken(900, 9), known.on(2));
    }

    @Test
    void shouldRefuseAConfirmRkeyThatCountsMoreThanThree() {
        setUp(2, Role.SERVER, 2);
        byte[] message = LlcCodec.encode(ConfirmRkey.request(2, 700, 7, List.of()));
        message[4] = 4;
        hear(1, message);
        ConfirmRkey answer = (ConfirmRkey) said().getFirst();
        assertTrue(answer.negative() && answer.retry());
    }

    @Test
    void shouldDropWhatIsNoMessageOfTheGroup() {
        setUp(2, Role.SERVER, 2);
        hear(1, new byte[0]);
        hear(1, new byte[] {0x2A, 44, 0, 0});
        hear(1, TestLink.request(1));
        hear(1, new RequestAddLink(true, List.of()));
        assertEquals(List.of(), said());
        assertTrue(group.isListed());
    }

    @Test
    void shouldDropResponsesThatNobodyWaitsFor() {
        setUp(2, Role.SERVER, 2);
        hear(1, deleteLink(2).answer(DeleteLink.DONE));
        hear(1, ConfirmRkey.request(2, 700, 7, List.of()).answer(true));
        occupySlot();
        // Of the type of another flow.
        hear(1, deleteLink(2).answer(DeleteLink.DONE));
        assertEquals(List.of(), said());
        assertEquals(2, group.links().size());
    }

    @Test
    void shouldDropAConfirmLinkThatNoFlowWaitsFor() {
        setUp(2, Role.CLIENT, 2);
        RnicPort port = hosts.serverPorts.getFirst();
        hear(1, new ConfirmLink(2, false, true, port.mac(), port.gid(), 17, 1, 1, 2, 255));
        assertEquals(List.of(), said());
    }

    @Test
    void shouldKeepADeleteLinkForTheTimeAfterTheFlowThatIsUnderWay() {
        setUp(2, Role.CLIENT, 2);
        occupySlot();
        hear(1, deleteLink(2));
        assertEquals(List.of(), said());
        assertNotNull(group.slots().byId(2));

        hear(1, DeleteRkey.request(2, List.of(1)).answer(new BitSet()));
        assertEquals(deleteLink(2).answer(DeleteLink.DONE), said().getFirst());
        assertNull(group.slots().byId(2));
        assertEquals(LinkGroupType.SINGLE, group.type());
    }

    @Test
    void shouldServeEveryDeletionThatCameWhileAnotherFlowWasUnderWay() {
        setUp(2, Role.CLIENT, 2);
        occupySlot();
        hear(1, deleteLink(2));
        hear(1, deleteLink(9));
        time.advance(2 * SECOND);

        assertEquals(List.of(deleteLink(2).answer(DeleteLink.DONE), deleteLink(9).answer(DeleteLink.UNKNOWN_LINK_ID)), said());
    }

    @Test
    void shouldDropDeletionsBeyondTheNumberOfLinks() {
        setUp(2, Role.CLIENT, 2);
        occupySlot();
        for (int i = 0; i < 100; i++) {
            hear(1, deleteLink(9));
        }
        time.advance(2 * SECOND);

        assertEquals(1 + LinkSlots.COUNT, said().size());
    }

    /** A client that has lost the link by which it was told would else keep one that the server has deleted. */
    @Test
    void shouldServeADeletionWhoseLinkIsLostMeanwhile() {
        setUp(2, Role.CLIENT, 2);
        occupySlot();
        hear(2, deleteLink(9));
        hear(2, deleteLink(2));
        Link lost = group.slots().byId(2);
        lose(2);
        hear(1, DeleteRkey.request(2, List.of(1)).answer(new BitSet()));

        assertEquals(List.of(deleteLink(9).answer(DeleteLink.UNKNOWN_LINK_ID), deleteLink(2).answer(DeleteLink.DONE), deleteLink(2)),
                said());
        assertTrue(group.slots().byId(1).isActive());
        assertNull(group.slots().byId(2));
        time.advance(3 * SECOND);
        // What was still to be done about it held it, and let it go.
        assertEquals(LinkState.UNUSED, lost.state());
    }

    /** The server takes it back when it hears nothing more of it, and offers another one if it has a reason. */
    @Test
    void shouldInviteAnotherOfferWhenTheLinkOfAKeptOneIsLost() {
        setUp(2, Role.CLIENT, 2);
        occupySlot();
        hear(2, offerOfServer(7));
        lose(2);
        time.advance(3 * SECOND);

        assertEquals(List.of(deleteLink(2), new RequestAddLink(false,
                List.of(hosts.clientPorts.get(0).gid(), hosts.clientPorts.get(1).gid()))), said());
        assertNull(group.slots().byId(7));
    }

    @Test
    void shouldForgetAKeptOfferWhenTheServerGoesOn() {
        setUp(2, Role.CLIENT, 2);
        occupySlot();
        hear(1, offerOfServer(7));
        hear(1, offerOfServer(8));
        hear(1, deleteLink(2));
        hear(1, DeleteRkey.request(2, List.of(1)).answer(new BitSet()));

        assertEquals(List.of(deleteLink(2).answer(DeleteLink.DONE), new RequestAddLink(false,
                List.of(hosts.clientPorts.get(0).gid(), hosts.clientPorts.get(1).gid()))), said());
    }

    private void lose(int link) {
        time.execute(() -> ((FakeFabric.FakeTransport) group.slots().byId(link).transport()).giveUp());
        time.runDue();
    }

    @Test
    void shouldDeleteALostLinkLaterWhenTheRequestForThatWasDropped() {
        setUp(2, Role.SERVER, 2);
        occupySlot();
        hear(1, deleteLink(9));
        lose(2);
        time.advance(SECOND);
        assertEquals(List.of(), said());
        time.advance(SECOND);
        assertEquals(List.of(deleteLink(2)), said());
        time.advance(2 * SECOND);
        assertNull(group.slots().byId(2));
    }

    @Test
    void shouldForgetHowBuffersAreReachedOverALinkThatIsDeleted() {
        setUp(2, Role.CLIENT, 2);
        hear(1, ConfirmRkey.request(2, 700, 7, List.of(new ConfirmRkey.RkeyOnLink(2, 800, 8))));
        int place = group.slots().byId(2).place();
        PeerRmb known = group.rtokens().add(place, new Rtoken(800, 8));
        hear(1, deleteLink(2));

        assertNull(known.on(place));
        assertFalse(group.rtokens().delete(place, 800));
        assertTrue(group.rtokens().delete(group.slots().byId(1).place(), 700));
    }

    @Test
    void shouldNotGiveAnRmbAwayWhileThePeerIsBeingToldOfIt() throws LinkGroupException {
        setUp(2, Role.SERVER, 2);
        TestMember late = new TestMember();
        SmcrMembership membership = hosts.server.serverJoin(hosts.requestOfServer(), late);
        membership.confirmRkey(late);
        ConfirmRkey request = (ConfirmRkey) said().getFirst();
        membership.leave();
        assertTrue(membership.rmb().isUsed());
        assertEquals(List.of(), said());

        hear(1, request.answer(true));
        assertEquals(LlcType.DELETE_RKEY, said().getFirst().type());
        assertTrue(membership.rmb().isUsed());
        hear(1, DeleteRkey.request(2, List.of(1)).answer(new BitSet()));
        assertFalse(membership.rmb().isUsed());
        membership.confirmRkey(late);
        assertEquals("failed ERR_REGBUF", late.last());
        assertEquals(List.of(), said());
    }

    @Test
    void shouldSayThatItKnowsNoSuchLink() {
        setUp(2, Role.CLIENT, 2);
        hear(1, deleteLink(9));
        assertEquals(List.of(deleteLink(9).answer(DeleteLink.UNKNOWN_LINK_ID)), said());
    }

    @Test
    void shouldNotAnswerTheClientsRequestToDeleteALinkThatTheServerDoesNotKnow() {
        setUp(2, Role.SERVER, 2);
        hear(1, deleteLink(9));
        assertEquals(List.of(), said());
    }

    /** Not so a client that could not bring up what was offered: that would go on without end. */
    @Test
    void shouldOfferALinkWhenTheClientHasLostOneThatTheServerDeletedLongBefore() {
        oneLinkAndTwoPorts(2, Role.SERVER);
        hear(1, new DeleteLink(2, false, false, false, 9, DeleteLink.LOST_PATH));
        assertEquals(List.of(), said());
        hear(1, deleteLink(9));
        assertEquals(List.of(LlcType.ADD_LINK), said().stream().map(LlcMessage::type).toList());
    }

    @Test
    void shouldSendTheDeleteLinkOfTheClientBackAndWaitForItsAnswer() {
        setUp(2, Role.SERVER, 2);
        ((FakeFabric.FakeTransport) group.slots().byId(1).transport()).hear(LlcCodec.encode(deleteLink(2)));
        time.runDue();
        assertEquals(List.of(deleteLink(2)), said());
        assertNotNull(group.slots().byId(2));
        hear(1, deleteLink(2).answer(DeleteLink.UNKNOWN_LINK_ID));
        assertNull(group.slots().byId(2));
        // The group has one link, and the server another port.
        assertEquals(LlcType.ADD_LINK, said().getFirst().type());
    }

    @Test
    void shouldEndTheGroupWhenTheClientDeletesAllLinks() {
        setUp(2, Role.SERVER, 2);
        DeleteLink all = new DeleteLink(2, false, true, false, 0, DeleteLink.OPERATOR_INITIATED);
        hear(1, all);
        assertFalse(group.isListed());
        assertEquals(List.of(new DeleteLink(2, false, true, true, 0, DeleteLink.OPERATOR_INITIATED), all), said());
        assertEquals("killed 20000", connections.getFirst().serverEnd.last());
    }

    /** A server that waits for what the client says to its offer; the id of the offered link is the result. */
    private int offer() {
        time.execute(() -> hosts.server.portActive(hosts.serverPorts.get(1)));
        time.runDue();
        AddLink offer = (AddLink) said().getFirst();
        return offer.linkNumber();
    }

    private void oneLinkAndTwoPorts(int version, Role role) {
        setUpHosts(version, 2, 2);
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        hosts.clientHost.active(hosts.clientPorts.get(1), false);
        connections = hosts.established(2);
        hosts.serverHost.active(hosts.serverPorts.get(1), true);
        hosts.clientHost.active(hosts.clientPorts.get(1), true);
        silence(role);
    }

    /** The kernel drops it; but what the client answers to the offer may be of the time before it had its other port. */
    @Test
    void shouldOfferOnceMoreWhenTheClientInvitesDuringAnOffer() {
        oneLinkAndTwoPorts(1, Role.SERVER);
        int first = offer();
        hear(1, LinkMessages.invitation(hosts.clientPorts.get(1)));
        hear(1, LinkMessages.invitation(hosts.clientPorts.get(1)));
        time.advance(SECOND);
        assertEquals(List.of(), said());
        time.advance(2 * SECOND);
        AddLink second = (AddLink) said().getFirst();
        assertNotEquals(first, second.linkNumber());
        time.advance(5 * SECOND);
        assertEquals(List.of(), said(), "one for both");
    }

    @Test
    void shouldOfferALinkWhenTheClientInvitesIt() {
        oneLinkAndTwoPorts(1, Role.SERVER);
        hear(1, LinkMessages.invitation(hosts.clientPorts.get(1)));
        AddLink offer = (AddLink) said().getFirst();
        assertEquals(hosts.serverPorts.get(1).gid(), offer.gid());
    }

    @Test
    void shouldAnswerTheInvitationWhenTheServerCannotOfferALink() {
        setUp(2, Role.SERVER, 2);
        RequestAddLink invitation = new RequestAddLink(false, List.of(FakeFabric.gid(1), FakeFabric.gid(3)));
        hear(1, invitation);
        assertEquals(List.of(invitation.answer()), said());
    }

    @Test
    void shouldEndTheInvitationWhenTheServerAnswersIt() {
        oneLinkAndTwoPorts(2, Role.CLIENT);
        time.execute(() -> hosts.client.portActive(hosts.clientPorts.get(1)));
        time.runDue();
        assertEquals(LlcType.REQUEST_ADD_LINK, said().getFirst().type());
        connections.getFirst().clientEnd.membership.leave();
        assertEquals(List.of(), said());

        hear(1, new RequestAddLink(true, List.of()));
        assertEquals(LlcType.DELETE_RKEY, said().getFirst().type());
    }

    @Test
    void shouldGoOnWithoutAnAnswerToTheInvitationAfterAWhile() {
        oneLinkAndTwoPorts(2, Role.CLIENT);
        time.execute(() -> hosts.client.portActive(hosts.clientPorts.get(1)));
        time.runDue();
        said();
        connections.getFirst().clientEnd.membership.leave();
        time.advance(3 * SECOND);
        assertEquals(LlcType.DELETE_RKEY, said().getFirst().type());
    }

    @Test
    void shouldEndTheOfferWhenADeleteLinkComesAndServeThatAfterwards() {
        oneLinkAndTwoPorts(2, Role.SERVER);
        int offered = offer();
        DeleteLink all = new DeleteLink(2, false, true, false, 0, DeleteLink.PROGRAM_INITIATED);
        hear(1, all);
        assertNull(group.slots().byId(offered));
        assertFalse(group.isListed());
    }

    @Test
    void shouldDropAConfirmationThatDoesNotComeOverTheNewLink() {
        oneLinkAndTwoPorts(2, Role.SERVER);
        int offered = offer();
        RnicPort port = hosts.clientPorts.get(1);
        hear(1, new AddLink(2, true, false, 0, port.mac(), port.gid(), 99, offered, 5, 1,
                new AddLink.Extension(true, port.gid(), 0, List.of())));
        assertEquals(LlcType.CONFIRM_LINK, said().getFirst().type());

        ConfirmLink confirmation = new ConfirmLink(2, true, true, port.mac(), port.gid(), 99, offered, 1, 2, 255);
        hear(1, confirmation);
        hear(offered, new ConfirmLink(2, true, true, port.mac(), port.gid(), 99, offered - 1, 1, 2, 255));
        assertEquals(LinkGroupType.SINGLE, group.type());
        hear(offered, confirmation);
        assertEquals(LinkGroupType.SYMMETRIC, group.type());
        assertEquals(List.of(), said());
    }

    @Test
    void shouldDropTheLateAnswerToAnEarlierOffer() {
        oneLinkAndTwoPorts(2, Role.SERVER);
        int first = offer();
        time.advance(3 * SECOND);
        int second = offer();
        assertTrue(second > first);
        RnicPort port = hosts.clientPorts.get(1);
        hear(1, new AddLink(2, true, false, 0, port.mac(), port.gid(), 99, first, 5, 1,
                new AddLink.Extension(true, port.gid(), 0, List.of())));
        hear(1, new AddLink(2, true, true, 0, port.mac(), port.gid(), 99, first, 5, 1, null));
        assertEquals(List.of(), said());
        hear(1, new AddLink(2, true, false, 0, port.mac(), port.gid(), 98, second, 5, 1,
                new AddLink.Extension(true, port.gid(), 0, List.of())));
        ConfirmLink confirm = (ConfirmLink) said().getFirst();
        assertEquals(second, confirm.linkNumber());
    }

    @Test
    void shouldNotGiveUpAnOfferForTheDeletionOfTheLinkOfAnEarlierOne() {
        oneLinkAndTwoPorts(2, Role.SERVER);
        int first = offer();
        time.advance(3 * SECOND);
        int second = offer();
        hear(1, new DeleteLink(2, false, false, false, first, DeleteLink.LOST_PATH));
        assertNotNull(group.slots().byId(second));
        time.advance(3 * SECOND);
        assertNull(group.slots().byId(second));
    }

    @Test
    void shouldNotWaitLongerBecauseOfWhatItDrops() {
        oneLinkAndTwoPorts(2, Role.SERVER);
        int offered = offer();
        RnicPort port = hosts.clientPorts.get(1);
        for (int i = 0; i < 19; i++) {
            time.advance(SECOND / 10);
            hear(1, new AddLink(2, true, false, 0, port.mac(), port.gid(), 99, offered + 1, 5, 1,
                    new AddLink.Extension(true, port.gid(), 0, List.of())));
            assertNotNull(group.slots().byId(offered));
        }
        time.advance(SECOND / 10);
        assertNull(group.slots().byId(offered));
    }

    private AddLink offerOfServer(int link) {
        RnicPort port = hosts.serverPorts.get(1);
        return new AddLink(2, false, false, 0, port.mac(), port.gid(), 99, link, 5, 1,
                new AddLink.Extension(true, port.gid(), 0, List.of()));
    }

    /** A kernel would drop it, and lose the link that it waits for as well. */
    @Test
    void shouldTakeTheNextOfferOfAServerThatHasGivenUpTheOneBefore() {
        oneLinkAndTwoPorts(2, Role.CLIENT);
        hear(1, offerOfServer(7));
        assertEquals(7, ((AddLink) said().getFirst()).linkNumber());
        hear(1, offerOfServer(8));

        assertNull(group.slots().byId(7));
        assertNotNull(group.slots().byId(8));
        // Nothing of the link that the server does not know any more: a kernel would give up link 8 for that.
        AddLink answer = (AddLink) said().getFirst();
        assertEquals(8, answer.linkNumber());
        assertTrue(answer.response() && !answer.rejected());
    }

    /** The link that was being added is not lost for good: the client asks for it again. */
    @Test
    void shouldInviteTheServerAgainWhenADeletionEndsItsOffer() {
        setUp(2, Role.CLIENT, 2);
        hear(1, deleteLink(2));
        said();
        hear(1, offerOfServer(7));
        said();
        hear(1, deleteLink(9));

        assertEquals(List.of(new DeleteLink(2, false, false, false, 7, DeleteLink.LOST_PATH),
                deleteLink(9).answer(DeleteLink.UNKNOWN_LINK_ID),
                new RequestAddLink(false, List.of(hosts.clientPorts.get(0).gid(), hosts.clientPorts.get(1).gid()))), said());
    }

    /** The answer to the DELETE RKEY of another RMB, or to the CONFIRM RKEY of another connection. */
    @Test
    void shouldNotDeclineAConnectionBecauseOfALateAnswer() throws LinkGroupException {
        setUp(2, Role.SERVER, 2);
        occupySlot();
        TestMember member = new TestMember();
        SmcrMembership membership = hosts.server.serverJoin(hosts.requestOfServer(), member);
        membership.confirmRkey(member);
        time.advance(2 * SECOND);
        ConfirmRkey request = (ConfirmRkey) said().getFirst();
        hear(1, DeleteRkey.request(2, List.of(1)).answer(new BitSet()));
        hear(1, ConfirmRkey.request(2, request.rkey() + 1, request.address(), List.of()).answer(false));
        hear(1, ConfirmRkey.request(2, request.rkey(), request.address() + 1, List.of()).answer(false));
        assertEquals(List.of(), member.events);
        hear(2, request.answer(true));
        assertEquals(List.of("established"), member.events);
    }

    @Test
    void shouldNotTakeTheAnswerForAnotherLinkForThatToADeleteLink() {
        setUp(2, Role.SERVER, 2);
        hear(1, deleteLink(2));
        assertEquals(List.of(deleteLink(2)), said());
        hear(1, deleteLink(3).answer(DeleteLink.DONE));
        assertNotNull(group.slots().byId(2));
        hear(1, deleteLink(2).answer(DeleteLink.DONE));
        assertNull(group.slots().byId(2));
    }

    @Test
    void shouldNotHaveAnRmbAgainThatThePeerWasToldOfAndHasNotForgotten() {
        for (int version = 1; version <= 2; version++) {
            setUp(version, Role.SERVER, 2);
            RdmaBuffer rmb = connections.getLast().serverEnd.membership.rmb();
            long before = group.rmbCounts().allocatedBytes();
            int regions = hosts.fabric.openRegions;
            occupySlot();
            time.advance(2 * SECOND);

            assertEquals(before - rmb.size(), group.rmbCounts().allocatedBytes());
            assertEquals(regions - 2, hosts.fabric.openRegions, "on both links");
            assertFalse(rmb.memory().scope().isAlive());
        }
    }

    @Test
    void shouldNotHaveAnRmbAgainThatThePeerDoesNotKnow() {
        setUp(1, Role.SERVER, 2);
        RdmaBuffer rmb = connections.getLast().serverEnd.membership.rmb();
        int rkey = rmb.region(group.slots().byId(1)).rkey();
        occupySlot();
        BitSet unknown = new BitSet();
        unknown.set(0);
        hear(1, DeleteRkey.request(1, List.of(rkey + 1)).answer(unknown));
        assertTrue(rmb.memory().scope().isAlive());
        hear(1, DeleteRkey.request(1, List.of(rkey)).answer(unknown));
        assertFalse(rmb.memory().scope().isAlive());
    }

    @Test
    void shouldTellThePeerOverAnotherLinkWhenThatOfTheDeleteRkeyIsLost() {
        setUp(2, Role.SERVER, 2);
        RdmaBuffer rmb = connections.getLast().serverEnd.membership.rmb();
        int rkey = rmb.region(group.slots().byId(2)).rkey();
        occupySlot();
        lose(1);
        assertEquals(List.of(DeleteRkey.request(2, List.of(rkey))), said());
        hear(2, DeleteRkey.request(2, List.of(rkey)).answer(new BitSet()));
        assertFalse(rmb.isUsed());
    }

    /** In version 2 it does not say which rkey it is for. */
    @Test
    void shouldNotTakeTheLateAnswerToADeleteRkeyForThatToTheNext() {
        setUp(2, Role.SERVER, 2);
        RdmaBuffer second = connections.getFirst().serverEnd.membership.rmb();
        occupySlot();
        time.advance(2 * SECOND);
        occupySlot();
        DeleteRkey answer = DeleteRkey.request(2, List.of(1)).answer(new BitSet());
        hear(2, answer);
        hear(1, answer);
        assertTrue(second.isUsed());
        hear(1, answer);
        assertFalse(second.isUsed());
    }

    @Test
    void shouldAnswerTheDeleteLinkThatComesInPlaceOfTheConfirmation() {
        oneLinkAndTwoPorts(2, Role.CLIENT);
        RnicPort port = hosts.serverPorts.get(1);
        hear(1, new AddLink(2, false, false, 0, port.mac(), port.gid(), 99, 7, 5, 1,
                new AddLink.Extension(true, port.gid(), 0, List.of())));
        assertEquals(LlcType.ADD_LINK, said().getFirst().type());
        assertNotNull(group.slots().byId(7));

        DeleteLink delete = new DeleteLink(2, false, false, false, 7, DeleteLink.LOST_PATH);
        hear(1, delete);
        assertEquals(List.of(delete.answer(DeleteLink.DONE)), said());
        assertNull(group.slots().byId(7));
        assertTrue(group.isListed());
    }

    @Test
    void shouldRefuseAnOfferThatNamesNoMtu() {
        oneLinkAndTwoPorts(2, Role.CLIENT);
        RnicPort port = hosts.serverPorts.get(1);
        AddLink offer = new AddLink(2, false, false, 0, port.mac(), port.gid(), 99, 7, 0, 1, null);
        hear(1, offer);
        assertEquals(List.of(offer.rejection()), said());
    }

    @Test
    void shouldRefuseAnOfferOfTheSamePathWhenThereIsNoOtherPort() {
        setUp(2, Role.CLIENT, 1);
        RnicPort port = hosts.serverPorts.getFirst();
        AddLink offer = new AddLink(2, false, false, 0, Mac.NONE, port.gid(), 99, 7, 5, 1,
                new AddLink.Extension(true, port.gid(), 0, List.of()));
        hear(1, offer);
        assertEquals(List.of(offer.rejection()), said());
    }

    @Test
    void shouldDeclineWhenAnRkeyWaitsLongerForItsTurnThanTwentySeconds() throws LinkGroupException {
        oneLinkAndTwoPorts(2, Role.SERVER);
        TestMember late = new TestMember();
        // One flow after the other: each waits 2 s in vain.
        for (int i = 0; i < 12; i++) {
            group.flows().start(new DeleteRkeyFlow(group, group.rmbs().take(16384, group.slots().usable())));
        }
        connections.getLast().serverEnd.membership.confirmRkey(late);
        time.advance(19 * SECOND);
        assertEquals(List.of(), late.events);
        time.advance(2 * SECOND);
        assertEquals(List.of("failed ERR_REGBUF"), late.events);
    }
}
