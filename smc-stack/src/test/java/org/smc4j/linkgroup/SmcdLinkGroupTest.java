package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Gid;
import org.smc4j.llc.DeleteLink;
import org.smc4j.time.VirtualTime;

@Timeout(20)
class SmcdLinkGroupTest {
    private static final long SECOND = TwoHosts.SECOND;
    private static final Gid PEER = new Gid(1, 2);
    private static final SmcdRequest V2 = new SmcdRequest(2, "lo", PEER, 0);

    private final VirtualTime time = new VirtualTime(7);
    private final LinkGroups groups = new LinkGroups(time, null, null, new LinkGroupSettings(0, null), time.random(), 1);
    private final List<SmcdLinkGroup> signalled = new ArrayList<>();

    private Membership first(SmcdRequest request, GroupMember member) {
        return groups.smcdFirstContact(request, signalled::add, member);
    }

    @Test
    void shouldFindTheGroupOfTheSamePeerAndDevice() {
        Membership first = first(V2, new TestMember());
        Membership second = groups.smcdJoin(V2, new TestMember());

        assertSame(first.group(), second.group());
        assertNotEquals(first.alertToken(), second.alertToken());
        assertNull(groups.smcdJoin(new SmcdRequest(2, "lo", new Gid(9, 2), 0), new TestMember()));
        assertNull(groups.smcdJoin(new SmcdRequest(2, "ism1", PEER, 0), new TestMember()));
    }

    @Test
    void shouldCareForTheVlanInVersion1Only() {
        SmcdRequest vlan5 = new SmcdRequest(1, "ism1", PEER, 5);
        Membership first = first(vlan5, new TestMember());

        assertNull(groups.smcdJoin(new SmcdRequest(1, "ism1", PEER, 6), new TestMember()));
        assertSame(first.group(), groups.smcdJoin(new SmcdRequest(2, "ism1", PEER, 6), new TestMember()).group());
    }

    @Test
    void shouldSignalTheShutdownTenMinutesAfterTheLastConnection() {
        Membership member = first(V2, new TestMember());
        member.leave();
        time.advance(599 * SECOND);
        assertTrue(member.group().isListed());
        time.advance(2 * SECOND);

        assertFalse(member.group().isListed());
        assertEquals(List.of(member.group()), signalled);
    }

    @Test
    void shouldKillConnectionsWithoutASignalWhenThePeerHasShutDown() {
        TestMember member = new TestMember();
        SmcdLinkGroup group = (SmcdLinkGroup) first(V2, member).group();
        TestMember other = new TestMember();
        first(new SmcdRequest(2, "lo", new Gid(9, 2), 0), other);

        groups.smcdPeerShutdown("lo", PEER, SmcdLinkGroup.ANY_VLAN, DeleteLink.PROGRAM_INITIATED);
        assertEquals(List.of("killed 30000"), member.events);
        assertTrue(group.isPeerShutdown());
        assertEquals(List.of(), other.events);
        groups.smcdPeerShutdown("lo", Gid.NONE, 0, DeleteLink.OPERATOR_INITIATED);
        assertEquals(List.of("killed 20000"), other.events);
        assertEquals(List.of(), signalled);
    }

    @Test
    void shouldTakeNoConnectionIntoAGroupThatIsOutOfSync() {
        first(V2, new TestMember()).group().syncError();
        assertNull(groups.smcdJoin(V2, new TestMember()));
    }
}
