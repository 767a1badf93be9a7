package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.diag.SmcMode;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcType;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.status.LinkGroupStatus;
import org.smc4j.status.LinkStatus;

@Timeout(20)
class TwoLinksTest extends TwoHostsFixture {
    TwoLinksTest() {
        super(2);
    }

    private void assertTypes(LinkGroupType ofClient, LinkGroupType ofServer) {
        assertEquals(ofClient, hosts.clientGroup().type());
        assertEquals(ofServer, hosts.serverGroup().type());
        int links = ofServer == LinkGroupType.SINGLE ? 1 : 2;
        assertEquals(links, hosts.clientGroup().links().size());
        assertEquals(links, hosts.serverGroup().links().size());
        assertEquals(2 * links, hosts.fabric.openTransports);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldHaveTwoLinksWhenBothEndsHaveTwoPorts(int version) {
        setUpHosts(version, 2, 2);
        List<Connection> connections = hosts.established(4);

        assertTypes(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC);
        TwoHosts.assertReachable(connections);
        List<Integer> links = connections.stream().map(connection -> connection.serverEnd.membership.link().id()).toList();
        assertEquals(List.of(1, 2, 1, 2), links);
        assertEquals(links, connections.stream().map(connection -> connection.clientEnd.membership.link().id()).toList());
    }

    @Test
    void shouldReportGroupsLinksAndBuffersAsTheyAre() {
        setUpHosts(2, 2, 2);
        List<Connection> connections = hosts.established(3);
        connections.get(1).close();
        time.advance(SECOND);

        LinkGroupReport report = hosts.server.report();
        assertEquals(List.of(new LinkGroupStatus(SmcMode.SMCR, hosts.serverGroup().id(), "SERV", "SYM", 2, 1,
                hosts.serverGroup().pnetId(), 0, 2, 255, 2, TwoHosts.CLIENT_ID.toString(), "SMC4J-TEST", 3, 2, 3 * 16384, 3, 2,
                3 * 16384)), report.groups());
        assertEquals(List.of("LINK_ACTIVE", "LINK_ACTIVE"), report.links().stream().map(LinkStatus::state).toList());
        assertEquals(List.of(2, 0), report.links().stream().map(LinkStatus::connections).toList());
        LinkGroupReport ofClient = hosts.client.report();
        assertEquals("CLNT", ofClient.groups().getFirst().role());
        for (int i = 0; i < 2; i++) {
            LinkStatus server = report.links().get(i);
            LinkStatus client = ofClient.links().get(i);
            assertEquals(server.id(), client.id());
            assertEquals(server.gid(), client.peerGid());
            assertEquals(server.peerGid(), client.gid());
            assertEquals(server.queuePair(), client.peerQueuePair());
            assertEquals(server.peerQueuePair(), client.queuePair());
            assertEquals(server.uid(), client.peerUid());
        }
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        hosts.server.portLost(hosts.serverPorts.get(1).device(), hosts.serverPorts.get(1).number());
        time.advance(SECOND);
        assertEquals("ASYML", hosts.server.report().groups().getFirst().type());
        assertEquals("ASYMP", hosts.client.report().groups().getFirst().type());
        assertEquals(List.of(false, true), hosts.server.report().links().stream().map(LinkStatus::asymmetric).sorted().toList());

        hosts.serverGroup().terminate(DeleteLink.PROGRAM_INITIATED);
        assertEquals("NONE", hosts.server.report().groups().getFirst().type());
        connections.get(0).close();
        connections.get(2).close();
        time.advance(SECOND);
        assertEquals(LinkGroupReport.NONE, hosts.server.report());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldTellOfAllBuffersWhenALinkIsAddedToManyConnections(int version) {
        setUpHosts(version, 2, 2);
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        hosts.clientHost.active(hosts.clientPorts.get(1), false);
        List<Connection> connections = hosts.established(7);
        assertTypes(LinkGroupType.SINGLE, LinkGroupType.SINGLE);
        // Five RMBs at one end, seven at the other.
        connections.get(1).clientEnd.membership.leave();
        connections.get(4).clientEnd.membership.leave();
        time.advance(SECOND);

        hosts.serverHost.active(hosts.serverPorts.get(1), true);
        hosts.clientHost.active(hosts.clientPorts.get(1), true);
        time.execute(() -> hosts.server.portActive(hosts.serverPorts.get(1)));
        time.advance(SECOND);

        assertTypes(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC);
        for (Connection connection : connections) {
            if (!connection.clientEnd.membership.hasLeft()) {
                TwoHosts.assertReachable(List.of(connection));
            }
        }
        assertEquals(version == 1 ? 4 : 0, hosts.fabric.sent(LlcType.ADD_LINK_CONTINUE, false).size());
        assertEquals(version == 1 ? 4 : 0, hosts.fabric.sent(LlcType.ADD_LINK_CONTINUE, true).size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldLeaveTheAsymmetricLinkAloneWhenTheClientHasOnePort(int version) {
        setUpHosts(version, 1, 2);
        List<Connection> connections = hosts.established(3);

        assertTypes(LinkGroupType.ASYMMETRIC_LOCAL, LinkGroupType.ASYMMETRIC_PEER);
        TwoHosts.assertReachable(connections);
        for (Connection connection : connections) {
            assertEquals(1, connection.serverEnd.membership.link().id());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldLeaveTheAsymmetricLinkAloneWhenTheServerHasOnePort(int version) {
        setUpHosts(version, 2, 1);
        List<Connection> connections = hosts.established(3);

        assertTypes(LinkGroupType.ASYMMETRIC_PEER, LinkGroupType.ASYMMETRIC_LOCAL);
        TwoHosts.assertReachable(connections);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReplaceTheAsymmetricLinkWhenTheServerGetsItsSecondPort(int version) {
        setUpHosts(version, 2, 2);
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        List<Connection> connections = hosts.established(2);
        assertTypes(LinkGroupType.ASYMMETRIC_PEER, LinkGroupType.ASYMMETRIC_LOCAL);

        hosts.serverHost.active(hosts.serverPorts.get(1), true);
        time.execute(() -> hosts.server.portActive(hosts.serverPorts.get(1)));
        time.advance(SECOND);

        assertTypes(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC);
        TwoHosts.assertReachable(connections);
        DeleteLink delete = (DeleteLink) hosts.fabric.sent(LlcType.DELETE_LINK, false).getFirst().message();
        assertEquals(DeleteLink.ASYMMETRIC_NOT_NEEDED, delete.reason());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldInviteTheServerWhenTheClientGetsItsSecondPort(int version) {
        setUpHosts(version, 2, 2);
        hosts.clientHost.active(hosts.clientPorts.get(1), false);
        List<Connection> connections = hosts.established(2);
        assertTypes(LinkGroupType.ASYMMETRIC_LOCAL, LinkGroupType.ASYMMETRIC_PEER);

        hosts.clientHost.active(hosts.clientPorts.get(1), true);
        time.execute(() -> hosts.client.portActive(hosts.clientPorts.get(1)));
        time.advance(SECOND);

        assertTypes(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC);
        TwoHosts.assertReachable(connections);
        TwoHosts.assertReachable(hosts.established(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldUseAPortOfTheClientThatBecameActiveWhileALinkWasAddedWithoutIt(int version) {
        setUpHosts(version, 2, 2);
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        hosts.clientHost.active(hosts.clientPorts.get(1), false);
        List<Connection> connections = hosts.established(2);
        assertTypes(LinkGroupType.SINGLE, LinkGroupType.SINGLE);

        hosts.serverHost.active(hosts.serverPorts.get(1), true);
        time.execute(() -> hosts.server.portActive(hosts.serverPorts.get(1)));
        // The client has answered, with the one port that it had then.
        time.advance(FakeFabric.LATENCY_NANOS + FakeFabric.LATENCY_NANOS / 2);
        hosts.clientHost.active(hosts.clientPorts.get(1), true);
        time.execute(() -> hosts.client.portActive(hosts.clientPorts.get(1)));
        time.advance(SECOND);

        assertTypes(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC);
        TwoHosts.assertReachable(connections);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldUseAPortOfTheServerThatBecameActiveWhileALinkWasAddedWithoutIt(int version) {
        setUpHosts(version, 2, 2);
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        hosts.clientHost.active(hosts.clientPorts.get(1), false);
        List<Connection> connections = hosts.established(2);

        hosts.clientHost.active(hosts.clientPorts.get(1), true);
        time.execute(() -> hosts.client.portActive(hosts.clientPorts.get(1)));
        time.advance(FakeFabric.LATENCY_NANOS + FakeFabric.LATENCY_NANOS / 2);
        hosts.serverHost.active(hosts.serverPorts.get(1), true);
        time.execute(() -> hosts.server.portActive(hosts.serverPorts.get(1)));
        time.advance(SECOND);

        assertTypes(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC);
        TwoHosts.assertReachable(connections);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldOfferALinkLaterWhenTheInvitationComesAtABadTime(int version) {
        setUpHosts(version, 2, 2);
        hosts.serverHost.active(hosts.serverPorts.get(1), false);
        hosts.clientHost.active(hosts.clientPorts.get(1), false);
        List<Connection> connections = hosts.established(2);
        hosts.serverHost.active(hosts.serverPorts.get(1), true);
        hosts.clientHost.active(hosts.clientPorts.get(1), true);

        // The server's end of this connection waits for the answer to its CONFIRM RKEY when the invitation comes.
        Connection another = hosts.connect();
        time.execute(() -> hosts.client.portActive(hosts.clientPorts.get(1)));
        time.advance(SECOND);

        assertTypes(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC);
        TwoHosts.assertReachable(connections);
        assertTrue(another.isEstablished());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldRefuseTheLinkWhenTheClientCannotOpenOne(int version) {
        setUpHosts(version, 2, 2);
        hosts.clientHost.failAfterOpens = 1;
        hosts.established(2);

        assertTypes(LinkGroupType.SINGLE, LinkGroupType.SINGLE);
        AddLink answer = (AddLink) hosts.fabric.sent(LlcType.ADD_LINK, true).getFirst().message();
        assertTrue(answer.rejected());
        assertEquals(0, hosts.serverGroup().links().getFirst().place());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldGoOnWithOneLinkWhenTheServerCannotOpenAnother(int version) {
        setUpHosts(version, 2, 2);
        hosts.serverHost.failAfterOpens = 1;
        hosts.established(2);

        assertTypes(LinkGroupType.SINGLE, LinkGroupType.SINGLE);
        assertTrue(hosts.fabric.sent(LlcType.ADD_LINK, false).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldGoOnWithOneLinkWhenTheNewOneCarriesNothing(int version) {
        setUpHosts(version, 2, 2);
        hosts.fabric.path(hosts.serverPorts.get(1), FakeFabric.Path.SILENT);
        hosts.established(1);
        time.advance(6 * SECOND);

        assertTypes(LinkGroupType.SINGLE, LinkGroupType.SINGLE);
        DeleteLink delete = (DeleteLink) hosts.fabric.sent(LlcType.DELETE_LINK, false).getFirst().message();
        assertFalse(delete.orderly());
        assertEquals(2, delete.linkNumber());
        TwoHosts.assertReachable(hosts.established(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldGoOnWithOneLinkWhenTheNewOneBreaks(int version) {
        setUpHosts(version, 2, 2);
        hosts.fabric.path(hosts.clientPorts.get(1), FakeFabric.Path.CUT);
        hosts.established(1);
        time.advance(6 * SECOND);

        assertTypes(LinkGroupType.SINGLE, LinkGroupType.SINGLE);
        TwoHosts.assertReachable(hosts.established(1));
    }
}
