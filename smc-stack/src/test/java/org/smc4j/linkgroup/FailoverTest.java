package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.smc4j.diag.ReasonCode;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcType;
import org.smc4j.llc.TestLink;
import org.smc4j.time.VirtualTime;

@Timeout(20)
class FailoverTest {
    private static final long SECOND = TwoHosts.SECOND;
    private static final long TEST_LINK = 30 * SECOND;

    private final VirtualTime time = new VirtualTime(3);
    private TwoHosts hosts;
    private List<Connection> connections;

    @BeforeEach
    void setUp() {
        hosts = new TwoHosts(time, time.random(), 2, 2, TEST_LINK).version2(2);
        connections = hosts.established(4);
    }

    private void loseSecondPortOfClient() {
        RnicPort port = hosts.clientPorts.get(1);
        hosts.clientHost.active(port, false);
        hosts.fabric.path(port, FakeFabric.Path.CUT);
        hosts.client.portLost(port.device(), port.number());
    }

    private void restoreSecondPortOfClient() {
        RnicPort port = hosts.clientPorts.get(1);
        hosts.clientHost.active(port, true);
        hosts.fabric.path(port, FakeFabric.Path.UP);
        time.execute(() -> hosts.client.portActive(port));
    }

    private void assertAllOn(int linkId) {
        for (Connection connection : connections) {
            for (TestMember end : List.of(connection.clientEnd, connection.serverEnd)) {
                assertEquals(linkId, end.membership.link().id());
                assertTrue(end.membership.link().isActive());
            }
        }
    }

    @Test
    void shouldMoveConnectionsWhenAPortOfTheClientIsLost() {
        time.execute(this::loseSecondPortOfClient);
        time.advance(3 * SECOND);

        assertAllOn(1);
        assertEquals(List.of("established"), connections.get(0).clientEnd.events);
        assertEquals(List.of("established", "moved to 1"), connections.get(1).clientEnd.events);
        assertEquals(List.of("established", "moved to 1"), connections.get(1).serverEnd.events);
        // The server offers a link at once, the client has but one port.
        assertEquals(LinkGroupType.ASYMMETRIC_LOCAL, hosts.clientGroup().type());
        assertEquals(LinkGroupType.ASYMMETRIC_PEER, hosts.serverGroup().type());
        assertEquals(4, hosts.fabric.openTransports);
        TwoHosts.assertReachable(connections);
    }

    @Test
    void shouldMoveConnectionsWhenAPortOfTheServerIsLost() {
        RnicPort port = hosts.serverPorts.getFirst();
        time.execute(() -> {
            hosts.serverHost.active(port, false);
            hosts.fabric.path(port, FakeFabric.Path.CUT);
            hosts.server.portLost(port.device(), port.number());
        });
        time.advance(3 * SECOND);

        assertAllOn(2);
        assertEquals(LinkGroupType.ASYMMETRIC_PEER, hosts.clientGroup().type());
        TwoHosts.assertReachable(connections);
    }

    @Test
    void shouldHaveTwoLinksAgainWhenThePortIsBack() {
        time.execute(this::loseSecondPortOfClient);
        time.advance(3 * SECOND);
        restoreSecondPortOfClient();
        time.advance(3 * SECOND);

        assertEquals(LinkGroupType.SYMMETRIC, hosts.clientGroup().type());
        assertEquals(LinkGroupType.SYMMETRIC, hosts.serverGroup().type());
        assertEquals(4, hosts.fabric.openTransports);
        TwoHosts.assertReachable(connections);
        // And the other way round: the link that was never lost goes now.
        time.execute(() -> hosts.client.portLost("client0", 1));
        time.advance(SECOND);
        assertEquals("moved to 4", connections.get(0).clientEnd.last());
        TwoHosts.assertReachable(connections);
    }

    @Test
    void shouldMoveConnectionsWhenNobodyAnswersOnALink() {
        hosts.fabric.path(hosts.serverPorts.get(1), FakeFabric.Path.SILENT);
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        time.advance(TEST_LINK + 3 * SECOND);

        assertAllOn(1);
        TwoHosts.assertReachable(connections);
        assertTrue(hosts.clientGroup().links().stream().allMatch(Link::isActive));
        time.advance(10 * TEST_LINK);
        assertAllOn(1);
    }

    @Test
    void shouldNotAskOnALinkThatIsHeardOf() {
        for (int i = 0; i < 10; i++) {
            time.advance(TEST_LINK / 2);
            connections.getFirst().close();
            connections = hosts.established(1);
        }
        assertTrue(hosts.fabric.sent(LlcType.TEST_LINK, false).stream().noneMatch(sent -> sent.linkOfSender() == 0x11));
    }

    @Test
    void shouldKeepALinkThatIsHeardOfThoughTheTestIsNotAnswered() {
        hosts.fabric.path(hosts.serverPorts.get(1), FakeFabric.Path.SILENT);
        Link link = hosts.clientGroup().slots().byId(2);
        FakeFabric.FakeTransport transport = transport(hosts.clientGroup());
        assertTrue(time.runUntil(() -> testsOf(transport) == 1, 2 * TEST_LINK));
        time.advance(SECOND);
        time.execute(() -> transport.hear(new byte[] {0}));
        time.execute(() -> transport(hosts.serverGroup()).hear(new byte[] {0}));
        time.advance(2 * SECOND);
        assertTrue(link.isActive());

        time.advance(TEST_LINK - 3 * SECOND);
        assertEquals(1, testsOf(transport));
        time.advance(2 * SECOND);
        assertEquals(2, testsOf(transport));
        time.advance(2 * SECOND);
        assertFalse(link.isActive());
    }

    private static FakeFabric.FakeTransport transport(SmcrLinkGroup group) {
        return (FakeFabric.FakeTransport) group.slots().byId(2).transport();
    }

    private long testsOf(FakeFabric.FakeTransport transport) {
        return hosts.fabric.sent(LlcType.TEST_LINK, false).stream().filter(sent -> sent.linkOfSender() == transport.queuePair()).count();
    }

    @Test
    void shouldTellConnectionsOfBothEndsWhenTheLastLinkIsLost() {
        for (RnicPort port : hosts.serverPorts) {
            hosts.fabric.path(port, FakeFabric.Path.SILENT);
        }
        time.advance(TEST_LINK + 3 * SECOND);

        for (Connection connection : connections) {
            assertEquals("last link lost", connection.clientEnd.last());
            assertEquals("last link lost", connection.serverEnd.last());
        }
        assertTrue(hosts.client.groups().isEmpty());
        assertTrue(hosts.server.groups().isEmpty());
        assertEquals(0, hosts.fabric.openTransports);
        assertEquals(0, hosts.fabric.openRegions);
    }

    @Test
    void shouldTellOfTheDeviceWhenNoLinkUsesItAnyMore() {
        boolean[] gone = new boolean[1];
        time.execute(() -> {
            hosts.clientHost.active(hosts.clientPorts.get(1), false);
            hosts.client.deviceLost("client1", () -> gone[0] = true);
            assertFalse(gone[0]);
        });
        time.advance(SECOND);

        assertTrue(gone[0]);
        assertAllOn(1);
    }

    @Test
    void shouldLoseTheLinkWhenItsGidIsNotThereAnyMore() {
        time.execute(() -> hosts.client.gidsChanged("client1", 1, List.of(hosts.clientPorts.get(1).gid())));
        time.advance(SECOND);
        assertEquals(2, connections.get(1).clientEnd.membership.link().id());

        time.execute(() -> hosts.client.gidsChanged("client1", 1, List.of(hosts.clientPorts.get(0).gid())));
        time.advance(SECOND);
        assertAllOn(1);
    }

    @Test
    void shouldLeaveAHandshakeAloneWhenItsLinkIsLost() {
        connections.getFirst().close();
        time.advance(SECOND);
        Connection late = hosts.connect();
        assertTrue(time.runUntil(() -> late.clientEnd.membership != null, SECOND));
        assertEquals(2, late.clientEnd.membership.link().id());

        loseSecondPortOfClient();
        assertTrue(time.runUntil(late::isOver, 10 * SECOND));

        assertEquals(ReasonCode.ERR_REGBUF, late.declined);
        assertEquals(List.of(), late.clientEnd.events);
        assertEquals(List.of(), late.serverEnd.events);
    }

    @Test
    void shouldNotEstablishAConnectionWhoseLinkWasLost() {
        connections.getFirst().close();
        time.advance(SECOND);
        Connection late = hosts.connect();
        assertTrue(time.runUntil(() -> hosts.fabric.sent(LlcType.CONFIRM_RKEY, true).size() == 8, SECOND));
        assertTrue(time.runUntil(() -> late.clientEnd.membership.rmb().isConfirmed(), SECOND));

        loseSecondPortOfClient();
        assertFalse(late.clientEnd.membership.establish());
        assertEquals(List.of(), late.clientEnd.events);
    }

    @Test
    void shouldSendOneConnectionToTcpWhenThePeerNeverToldOfItsBufferOnTheOtherLink() {
        SmcrMembership orphan = connections.get(1).clientEnd.membership;
        hosts.clientGroup().rtokens().add(orphan.link().place(), orphan.peerRtoken()).put(0, null);

        time.execute(this::loseSecondPortOfClient);
        time.advance(3 * SECOND);

        assertEquals("last link lost", connections.get(1).clientEnd.last());
        assertEquals("moved to 1", connections.get(3).clientEnd.last());
        assertTrue(hosts.clientGroup().isListed());
    }

    @Test
    void shouldDeleteALinkForBothEndsWhenTheServerIsToldTo() {
        DeleteLink request = new DeleteLink(2, false, false, true, 1, DeleteLink.LOST_PATH);
        time.execute(() -> hosts.clientGroup().slots().byId(2).send(request));
        time.advance(FakeFabric.LATENCY_NANOS * 4);

        assertEquals("moved to 2", connections.get(0).serverEnd.last());
        assertEquals("moved to 2", connections.get(0).clientEnd.last());
        time.advance(SECOND);
        TwoHosts.assertReachable(connections);
        // The server has offered another one in its place.
        assertEquals(LinkGroupType.SYMMETRIC, hosts.serverGroup().type());
    }

    @Test
    void shouldTellTheClientAgainWhenTheLinkIsLostByWhichItWasTold() {
        time.execute(this::loseSecondPortOfClient);
        time.advance(3 * SECOND);
        assertEquals(LinkGroupType.ASYMMETRIC_LOCAL, hosts.clientGroup().type());
        restoreSecondPortOfClient();
        // The asymmetric link is not needed any more; the client is told so over the new one, which is lost at that moment.
        int before = deletionsByServer();
        assertTrue(time.runUntil(() -> deletionsByServer() > before, 3 * SECOND));
        loseSecondPortOfClient();
        time.advance(10 * SECOND);

        assertEquals(ids(hosts.serverGroup()), ids(hosts.clientGroup()));
        assertAllOn(1);
        TwoHosts.assertReachable(connections);
    }

    @Test
    void shouldTellTheClientByAnotherLinkWhenNoAnswerComesByTheFirst() {
        time.execute(this::loseSecondPortOfClient);
        time.advance(3 * SECOND);
        RnicPort port = hosts.clientPorts.get(1);
        restoreSecondPortOfClient();
        assertTrue(time.runUntil(() -> hosts.serverGroup().links().size() == 3 && hosts.serverGroup().links().stream()
                .filter(link -> link.peerGid().equals(port.gid())).anyMatch(Link::isActive), 3 * SECOND));
        // The asymmetric link is not needed any more; the client is told so by the first one, and nothing comes by that.
        hosts.fabric.path(hosts.clientPorts.getFirst(), FakeFabric.Path.SILENT);
        int before = deletionsByServer();
        time.advance(4 * SECOND);

        assertTrue(deletionsByServer() > before + 1);
        assertEquals(List.of(1, 4), ids(hosts.serverGroup()));
        assertEquals(List.of(1, 4), ids(hosts.clientGroup()));
    }

    /** While the asymmetric link is being replaced there are three; any of them can be lost then, at either end. */
    @ParameterizedTest
    @CsvSource({"true, 0", "true, 1", "true, 2", "false, 0", "false, 1", "false, 2"})
    void shouldAgreeOnTheTypeWhenOneOfThreeLinksIsLost(boolean atClient, int which) {
        time.execute(this::loseSecondPortOfClient);
        time.advance(3 * SECOND);
        restoreSecondPortOfClient();
        assertTrue(time.runUntil(() -> hosts.clientGroup().slots().active().size() == 3, 3 * SECOND));
        SmcrLinkGroup group = atClient ? hosts.clientGroup() : hosts.serverGroup();
        FakeFabric.FakeTransport transport = (FakeFabric.FakeTransport) group.links().get(which).transport();
        time.execute(transport::giveUp);
        time.advance(10 * SECOND);

        assertEquals(ids(hosts.serverGroup()), ids(hosts.clientGroup()));
        // If it was the new one the asymmetric one stays.
        boolean symmetric = hosts.clientGroup().type() == LinkGroupType.SYMMETRIC;
        assertEquals(symmetric ? LinkGroupType.SYMMETRIC : LinkGroupType.ASYMMETRIC_PEER, hosts.serverGroup().type());
        assertEquals(symmetric ? LinkGroupType.SYMMETRIC : LinkGroupType.ASYMMETRIC_LOCAL, hosts.clientGroup().type());
        for (SmcrLinkGroup end : List.of(hosts.clientGroup(), hosts.serverGroup())) {
            assertEquals(symmetric ? 0 : 1, end.links().stream().filter(Link::isAsymmetric).count());
            assertEquals(2, end.links().size());
        }
        TwoHosts.assertReachable(connections);
    }

    private int deletionsByServer() {
        return (int) hosts.fabric.sent(LlcType.DELETE_LINK, false).stream().filter(sent -> sent.host().startsWith("server")).count();
    }

    private static List<Integer> ids(SmcrLinkGroup group) {
        return group.links().stream().map(Link::id).sorted().toList();
    }

    @Test
    void shouldLeaveALinkThatWorksOnlyWhenEverythingPostedThereHasCompleted() {
        DeleteLink request = new DeleteLink(2, false, false, true, 1, DeleteLink.OPERATOR_INITIATED);
        // The client has something on its way there that does not complete for a while.
        TestMember member = connections.get(0).clientEnd;
        member.membership.link().send(TestLink.request(2));
        hosts.fabric.path(hosts.clientPorts.getFirst(), FakeFabric.Path.SILENT);
        member.membership.link().send(TestLink.request(2));
        hosts.fabric.path(hosts.clientPorts.getFirst(), FakeFabric.Path.UP);
        time.execute(() -> hosts.clientGroup().slots().byId(2).send(request));
        time.advance(SECOND);

        assertEquals("moved to 2", connections.get(0).serverEnd.last());
        assertEquals(List.of("established", "paused"), member.events);
        // For no longer than the server waits for the answer.
        time.advance(SECOND);
        assertEquals("moved to 2", member.last());
        assertEquals(1, hosts.fabric.sent(LlcType.DELETE_LINK, true).stream().filter(sent -> sent.message() instanceof DeleteLink answer
                && answer.response()).count());
        TwoHosts.assertReachable(connections);
    }
}
