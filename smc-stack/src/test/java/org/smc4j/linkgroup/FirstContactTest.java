package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.diag.ReasonCode;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.DeleteRkey;
import org.smc4j.llc.LlcType;

/** A group that others have joined before its first contact is over, or would join. */
@Timeout(20)
class FirstContactTest extends TwoHostsFixture {
    private Connection first;

    FirstContactTest() {
        super(8);
    }

    @BeforeEach
    void setUp() {
        setUpHosts(2, 2, 2);
        first = hosts.connect();
    }

    /** The first link is up at both ends, and a second one is being added. */
    private void addingALink() {
        assertTrue(time.runUntil(() -> !hosts.fabric.sent(LlcType.ADD_LINK, true).isEmpty(), SECOND));
        assertTrue(hosts.serverGroup().links().getFirst().isActive());
        assertEquals(List.of(), first.clientEnd.events);
        assertEquals(List.of(), first.serverEnd.events);
    }

    @Test
    void shouldGoOnForWhoHasJoinedWhenTheConnectionLeavesThatItBeganWith() {
        addingALink();
        Connection second = hosts.connect();
        assertTrue(time.runUntil(() -> second.serverEnd.membership != null, SECOND));
        assertSame(hosts.serverGroup(), second.serverEnd.membership.group());

        time.execute(first::close);
        assertTrue(time.runUntil(second::isOver, 20 * SECOND));

        assertTrue(second.isEstablished(), () -> "declined: " + second.declined);
        assertTrue(second.serverEnd.membership.group().isListed());
        time.advance(60 * SECOND);
        assertEquals(List.of("established"), second.clientEnd.events);
        assertEquals(List.of("established"), second.serverEnd.events);
        assertEquals(LinkGroupType.SYMMETRIC, hosts.clientGroup().type());
    }

    @Test
    void shouldBeThereForTheNextWhenTheFirstLeavesAfterItsLinkCameUp() {
        addingALink();
        SmcrLinkGroup group = hosts.serverGroup();
        time.execute(first::close);
        time.advance(10 * SECOND);

        assertSame(group, hosts.established(1).getFirst().serverEnd.membership.group());
    }

    @Test
    void shouldEndTheGroupWhenNobodyHoldsItAndItsLinkNeverCameUp() {
        assertTrue(time.runUntil(() -> first.clientEnd.membership != null, SECOND));
        time.execute(first::close);
        time.advance(10 * SECOND);

        hosts.assertNothingLeft();
    }

    /** A connection of the client in the group whose first contact is under way, or was. */
    private TestMember joined() {
        TestMember member = new TestMember();
        time.execute(() -> {
            Link ofServer = hosts.serverGroup().links().getFirst();
            try {
                member.membership = hosts.client.clientJoin(hosts.requestOfClient(ofServer.port()), TwoHosts.queuePair(ofServer),
                        new Rtoken(0x999, 0x99900), member);
                member.membership.confirmRkey(member);
            } catch (LinkGroupException e) {
                member.failed(e.reason());
            }
        });
        time.runDue();
        return member;
    }

    @Test
    void shouldWaitForAFirstContactThatIsUnderWay() {
        assertTrue(time.runUntil(() -> first.clientEnd.membership != null, SECOND));
        assertEquals(LinkGroupType.NONE, hosts.clientGroup().type());
        TestMember second = joined();
        assertEquals(List.of(), second.events);
        time.advance(10 * SECOND);

        assertTrue(first.isEstablished());
        assertEquals(List.of("established"), second.events);
        assertTrue(second.membership.establish());
    }

    @Test
    void shouldFailWithTheFirstContactThatItWaitsFor() {
        assertTrue(time.runUntil(() -> first.clientEnd.membership != null, SECOND));
        hosts.fabric.path(hosts.serverPorts.getFirst(), FakeFabric.Path.SILENT);
        TestMember second = joined();
        time.advance(10 * SECOND);

        assertEquals(List.of("failed TIMEOUT_CL"), first.clientEnd.events);
        assertEquals(List.of("failed ERR_REGBUF"), second.events);
        hosts.assertNothingLeft();
    }

    @Test
    void shouldGiveNoBufferToThePeerTwiceWhenTheFirstLeavesAndTheOtherStays() {
        assertTrue(time.runUntil(() -> first.clientEnd.membership != null, SECOND));
        TestMember second = joined();
        RdmaBuffer rmb = first.clientEnd.membership.rmb();
        int rkey = first.clientEnd.membership.rtoken().rkey();
        time.execute(first.clientEnd.membership::leave);
        time.advance(10 * SECOND);

        assertEquals(List.of("established"), second.events);
        // No CONFIRM LINK has confirmed it, but the Confirm had told the server of it.
        assertTrue(hosts.fabric.sent(LlcType.DELETE_RKEY, false).stream()
                .anyMatch(sent -> sent.message().equals(DeleteRkey.request(2, List.of(rkey)))));
        assertFalse(rmb.isUsed());
        assertFalse(rmb.isConfirmed());
    }

    @Test
    void shouldBeOutOfSyncOnlyWithAGroupThatIsNotKnown() {
        assertTrue(time.runUntil(first::isEstablished, 10 * SECOND));
        Link ofServer = hosts.serverGroup().links().getFirst();
        time.execute(() -> hosts.client.portLost(hosts.clientPorts.getFirst().device(), 1));
        time.runDue();
        LinkGroupException lost = assertThrows(LinkGroupException.class, () -> join(TwoHosts.queuePair(ofServer)));
        assertEquals(ReasonCode.NOSRVLINK, lost.reason());
        time.advance(10 * SECOND);
        assertNull(hosts.clientGroup().slots().byId(1));
        lost = assertThrows(LinkGroupException.class, () -> join(TwoHosts.queuePair(ofServer)));
        assertEquals(ReasonCode.NOSRVLINK, lost.reason());

        LinkGroupException unknown = assertThrows(LinkGroupException.class, () -> join(new PeerQueuePair(0x4711, 1, 5)));
        assertEquals(ReasonCode.SYNCERR, unknown.reason());
    }

    private void join(PeerQueuePair peer) throws LinkGroupException {
        hosts.client.clientJoin(hosts.requestOfClient(hosts.serverPorts.getFirst()), peer, new Rtoken(0x999, 0x99900), new TestMember());
    }
}
