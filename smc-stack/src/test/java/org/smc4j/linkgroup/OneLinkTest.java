package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.diag.ReasonCode;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.ConfirmRkey;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcType;

@Timeout(20)
class OneLinkTest extends TwoHostsFixture {
    OneLinkTest() {
        super(1);
    }

    @BeforeEach
    void setUp() {
        setUpHosts(2, 1, 1);
    }

    private Connection established() {
        return hosts.established(1).getFirst();
    }

    @Test
    void shouldBringUpOneLinkWhenBothEndsHaveOnePort() {
        Connection connection = established();

        assertEquals(LinkGroupType.SINGLE, hosts.serverGroup().type());
        assertEquals(LinkGroupType.SINGLE, hosts.clientGroup().type());
        time.advance(SECOND);
        assertEquals(1, hosts.serverGroup().links().size());
        assertEquals(1, hosts.clientGroup().links().size());
        assertEquals(2, hosts.fabric.openTransports);
        assertEquals(hosts.clientGroup().links().getFirst().uid(), hosts.serverGroup().links().getFirst().peerUid());
        assertEquals(connection.clientEnd.membership.rtoken(), connection.serverEnd.membership.peerRtoken());
        assertEquals(connection.serverEnd.membership.rtoken(), connection.clientEnd.membership.peerRtoken());
    }

    @Test
    void shouldUseTheGroupAgainWhenASecondConnectionComes() {
        Connection first = established();
        Connection second = established();

        assertSame(first.serverEnd.membership.group(), second.serverEnd.membership.group());
        assertSame(first.clientEnd.membership.group(), second.clientEnd.membership.group());
        assertFalse(second.serverEnd.membership.isFirstContact());
        assertEquals(2, hosts.fabric.sent(LlcType.CONFIRM_RKEY, true).size());
        assertEquals(second.clientEnd.membership.rtoken(), second.serverEnd.membership.peerRtoken());
        assertNotSame(first.serverEnd.membership.rmb(), second.serverEnd.membership.rmb());
    }

    @Test
    void shouldTellThePeerAndZeroTheRmbBeforeItIsUsedAgain() {
        Connection first = established();
        RdmaBuffer rmb = first.serverEnd.membership.rmb();
        rmb.memory().fill((byte) 7);
        first.close();
        assertTrue(rmb.isUsed());
        time.advance(SECOND);
        assertEquals(2, hosts.fabric.sent(LlcType.DELETE_RKEY, true).size());
        assertFalse(hosts.serverGroup().rtokens().delete(0, rmb.rtoken(hosts.serverGroup().links().getFirst()).rkey()));

        Connection second = established();

        assertSame(rmb, second.serverEnd.membership.rmb());
        assertArrayEquals(new byte[rmb.size()], rmb.memory().toArray(ValueLayout.JAVA_BYTE));
        assertEquals(16384, hosts.serverGroup().rmbCounts().allocatedBytes());
    }

    @Test
    void shouldFreeTheGroupOfBothEndsTenMinutesAfterTheLastConnection() {
        established().close();
        time.advance(599 * SECOND);
        assertEquals(1, hosts.server.groups().size());
        time.advance(2 * SECOND);

        assertTrue(hosts.server.groups().isEmpty());
        assertTrue(hosts.client.groups().isEmpty());
        assertEquals(0, hosts.fabric.openTransports);
        assertEquals(0, hosts.fabric.openRegions);
        List<FakeFabric.Sent> deletes = hosts.fabric.sent(LlcType.DELETE_LINK, false);
        assertEquals(new DeleteLink(2, false, true, true, 0, DeleteLink.PROGRAM_INITIATED), deletes.get(0).message());
        assertEquals(new DeleteLink(2, false, true, false, 0, DeleteLink.PROGRAM_INITIATED), deletes.get(1).message());
    }

    @Test
    void shouldKeepTheGroupWhenAConnectionComesWhileItWaitsForItsEnd() {
        established().close();
        time.advance(599 * SECOND);
        SmcrLinkGroup group = hosts.serverGroup();
        Connection connection = established();
        time.advance(700 * SECOND);

        assertTrue(group.isListed());
        assertSame(group, connection.serverEnd.membership.group());
    }

    @Test
    void shouldAbortTheConnectionsOfBothEndsWhenOneTerminates() {
        Connection connection = established();

        time.execute(() -> hosts.client.terminateAll(DeleteLink.OPERATOR_INITIATED, () -> {
        }));
        time.advance(3 * SECOND);

        assertEquals("killed 20000", connection.clientEnd.last());
        assertEquals("killed 20000", connection.serverEnd.last());
        assertEquals(0, hosts.fabric.openTransports);
        assertEquals(0, hosts.fabric.openRegions);
    }

    @Test
    void shouldHoldTheMemoryUntilTheLastConnectionHasLeft() {
        Connection connection = established();
        connection.clientEnd.leavesAtOnce = false;
        boolean[] gone = new boolean[1];

        time.execute(() -> hosts.client.terminateAll(DeleteLink.OPERATOR_INITIATED, () -> gone[0] = true));
        time.advance(10 * SECOND);
        assertFalse(gone[0]);
        connection.clientEnd.membership.rmb().zero();
        connection.clientEnd.membership.leave();

        assertTrue(gone[0]);
    }

    @Test
    void shouldDeclineWhenTheServerIsNotHeardOfAfterTheConfirm() {
        Connection connection = hosts.connect();
        assertTrue(time.runUntil(() -> connection.clientEnd.membership != null, SECOND));
        hosts.fabric.path(hosts.serverPorts.getFirst(), FakeFabric.Path.SILENT);
        time.advance(3 * SECOND);
        assertEquals("failed TIMEOUT_CL", connection.serverEnd.events.getFirst());
        time.advance(2 * SECOND);

        assertEquals("failed TIMEOUT_CL", connection.clientEnd.events.getFirst());
        assertTrue(hosts.client.groups().isEmpty());
        assertTrue(hosts.server.groups().isEmpty());
        time.advance(5 * SECOND);
        assertEquals(0, hosts.fabric.openTransports);
        assertEquals(0, hosts.fabric.openRegions);
    }

    @Test
    void shouldDeclineWhenOnlyTheServerStillKnowsTheGroup() {
        Connection first = established();
        hosts.fabric.path(hosts.clientPorts.getFirst(), FakeFabric.Path.SILENT);
        time.execute(() -> hosts.clientGroup().terminate(DeleteLink.PROGRAM_INITIATED));
        time.advance(5 * SECOND);
        assertEquals("killed 30000", first.clientEnd.last());
        assertTrue(hosts.server.groups().getFirst().isListed());
        hosts.fabric.path(hosts.clientPorts.getFirst(), FakeFabric.Path.UP);

        Connection second = hosts.connect();
        assertTrue(time.runUntil(second::isOver, 10 * SECOND));

        // The server does not even get as far as the Accept: nobody answers its CONFIRM RKEY.
        assertEquals(ReasonCode.ERR_REGBUF, second.declined);
    }

    @Test
    void shouldNotTakeAGroupThatIsOutOfSync() {
        Connection first = established();
        SmcrLinkGroup old = first.serverEnd.membership.group();
        time.execute(old::syncError);
        time.advance(5 * SECOND);

        Connection second = established();

        assertNotSame(old, second.serverEnd.membership.group());
        assertTrue(second.serverEnd.membership.isFirstContact());
    }

    @Test
    void shouldBeginAnotherGroupWhenTheRtokenTableIsFull() {
        established();
        SmcrLinkGroup full = hosts.serverGroup();
        for (int i = 1; i < RtokenTable.MAX_RMBS; i++) {
            full.rtokens().add(0, new Rtoken(i, i));
        }
        assertTrue(full.rtokens().isFull());

        Connection second = established();

        assertTrue(second.serverEnd.membership.isFirstContact());
    }

    @Test
    void shouldRefuseAnRkeyWhenThereIsNoRoom() {
        established();
        Connection second = hosts.connect();
        assertTrue(time.runUntil(() -> second.clientEnd.membership != null, SECOND));
        for (int i = 1; i < RtokenTable.MAX_RMBS; i++) {
            hosts.serverGroup().rtokens().add(0, new Rtoken(i, i));
        }
        assertTrue(time.runUntil(second::isOver, 10 * SECOND));

        assertEquals(ReasonCode.ERR_REGBUF, second.declined);
        ConfirmRkey answer = (ConfirmRkey) hosts.fabric.sent(LlcType.CONFIRM_RKEY, true).getLast().message();
        assertTrue(answer.negative() && answer.retry());
    }

    @Test
    void shouldGoOnWhenTheServerOffersNoSecondLink() {
        hosts.version2(1);
        established();

        assertTrue(hosts.fabric.sent(LlcType.ADD_LINK, false).isEmpty());
    }

    @Test
    void shouldLoseTheConnectionsToTcpWhenTheOnlyLinkIsLost() {
        Connection connection = established();

        hosts.fabric.path(hosts.serverPorts.getFirst(), FakeFabric.Path.CUT);
        time.execute(() -> hosts.server.portLost("server0", 1));
        time.advance(SECOND);
        assertEquals("last link lost", connection.serverEnd.last());
        assertTrue(hosts.server.groups().isEmpty());
        assertEquals("established", connection.clientEnd.last());
    }

    @Test
    void shouldDeclineForMemoryWhenNoBufferIsToBeHad() {
        hosts.serverHost.failAfterRegistrations = 0;
        Connection connection = hosts.connect();
        assertTrue(time.runUntil(connection::isOver, SECOND));

        assertEquals(ReasonCode.MEM, connection.declined);
        time.advance(SECOND);
        assertTrue(hosts.server.groups().isEmpty());
        assertEquals(0, hosts.fabric.openTransports);
    }
}
