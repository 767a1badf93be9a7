package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.roce.RoceException;
import org.smc4j.time.VirtualTime;

/** The rules by which links, ids and tokens are chosen. */
@Timeout(20)
class LinkSlotsTest {
    private final VirtualTime time = new VirtualTime(8);
    private final TwoHosts hosts = new TwoHosts(time, time.random(), 2, 2, 0).version2(2);
    private final SmcrLinkGroup group = new SmcrLinkGroup(hosts.server, Role.SERVER, hosts.requestOfServer());

    private Link link(int place, int ownPort, int peerAddress) throws RoceException {
        Link link = group.openLink(place, hosts.serverPorts.get(ownPort), FakeFabric.gid(peerAddress), Mac.NONE);
        link.id(group.newLinkId());
        link.activate();
        return link;
    }

    @Test
    void shouldTakeTheHighestPlaceForAnAsymmetricLinkOnly() throws RoceException {
        link(0, 0, 1);
        LinkSlots slots = group.slots();
        assertEquals(1, slots.free(LinkGroupType.SINGLE, LinkGroupType.SYMMETRIC));
        assertEquals(2, slots.free(LinkGroupType.SINGLE, LinkGroupType.ASYMMETRIC_LOCAL));
        assertEquals(1, slots.free(LinkGroupType.ASYMMETRIC_PEER, LinkGroupType.SYMMETRIC));
        assertEquals(LinkSlots.NONE, slots.free(LinkGroupType.ASYMMETRIC_PEER, LinkGroupType.ASYMMETRIC_PEER));
        assertEquals(LinkSlots.NONE, slots.free(LinkGroupType.SYMMETRIC, LinkGroupType.SYMMETRIC));
        link(1, 1, 3);
        link(2, 1, 1);
        assertEquals(LinkSlots.NONE, slots.free(LinkGroupType.ASYMMETRIC_PEER, LinkGroupType.SYMMETRIC));
    }

    @Test
    void shouldFindTheLinkThatSharesBothOfItsEnds() throws RoceException {
        link(0, 0, 1);
        Link asymmetric = link(2, 1, 1);
        assertNull(group.slots().asymmetric());
        link(1, 1, 3);
        assertSame(asymmetric, group.slots().asymmetric());
    }

    /** The type and the mark of the asymmetric link follow from what is left. */
    @Test
    void shouldKnowItsShapeWhenALinkIsGone() throws RoceException {
        Link first = link(0, 0, 1);
        Link second = link(1, 1, 3);
        Link third = link(2, 1, 1);
        first.asymmetric(true);
        third.deactivate();
        assertShape(LinkGroupType.SYMMETRIC);
        third.clear();
        third = link(2, 1, 1);
        first.deactivate();
        assertShape(LinkGroupType.ASYMMETRIC_LOCAL, third);
        first.clear();
        first = link(0, 0, 1);
        second.deactivate();
        assertShape(LinkGroupType.ASYMMETRIC_PEER, third);
        first.deactivate();
        assertShape(LinkGroupType.SINGLE);
        third.deactivate();
        group.countLinks();
        assertFalse(group.isListed());
    }

    private void assertShape(LinkGroupType type, Link... asymmetric) {
        group.countLinks();
        assertEquals(type, group.type());
        assertEquals(List.of(asymmetric), group.slots().active().stream().filter(Link::isAsymmetric).toList());
    }

    @Test
    void shouldSpreadConnectionsOfTheServerOverSymmetricLinks() throws RoceException {
        Link first = link(0, 0, 1);
        assertSame(first, group.slots().forConnection(Role.SERVER, 1));
        Link third = link(2, 1, 1);
        third.asymmetric(true);
        assertSame(first, group.slots().forConnection(Role.SERVER, 1));
        Link second = link(1, 1, 3);
        assertSame(first, group.slots().forConnection(Role.SERVER, 0));
        assertSame(second, group.slots().forConnection(Role.SERVER, 1));
        assertSame(first, group.slots().forConnection(Role.CLIENT, 1));
        first.deactivate();
        assertSame(second, group.slots().forConnection(Role.SERVER, 0));
        second.deactivate();
        assertNull(group.slots().forConnection(Role.SERVER, 0));
    }

    @Test
    void shouldNotMoveToAnotherLinkOfALostPort() throws RoceException {
        Link first = link(0, 0, 1);
        Link onSamePort = link(2, 0, 3);
        assertSame(onSamePort, group.slots().replacement(first, false));
        assertNull(group.slots().replacement(first, true));
    }

    @Test
    void shouldGiveNoLinkIdThatIsInUse() throws RoceException {
        Link first = link(0, 0, 1);
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < 254; i++) {
            ids.add(group.newLinkId());
        }
        assertEquals(254, ids.size());
        assertFalse(ids.contains(first.id()));
        assertFalse(ids.contains(0));
        assertEquals(2, group.newLinkId());
    }

    @Test
    void shouldKeepToTheTableOfLinkStates() throws RoceException {
        Link link = link(0, 0, 1);
        assertThrows(IllegalStateException.class, link::activate);
        assertTrue(link.deactivate());
        assertFalse(link.deactivate());
        assertThrows(IllegalStateException.class, link::activate);
        assertEquals(LinkState.INACTIVE, link.state());
    }

    @Test
    void shouldGiveNoTokenThatIsInUse() {
        Identifiers identifiers = new Identifiers(time.random(), 0xABCD);
        List<Integer> tokens = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            tokens.add(identifiers.nextAlertToken(token -> token == 2));
        }
        assertEquals(List.of(1, 3, 4), tokens);
        assertEquals(0x100, identifiers.nextGroupId());
        assertEquals(0x200, identifiers.nextGroupId());
    }

    @Test
    void shouldTakeTheSystemIdFromTheFirstActivePort() {
        assertEquals(SystemId.NONE, hosts.server.systemId());
        hosts.server.portActive(hosts.serverPorts.get(1));
        SystemId id = hosts.server.systemId();
        assertEquals(hosts.serverPorts.get(1).mac().value(), id.value() & 0xFFFF_FFFF_FFFFL);
        hosts.server.portActive(hosts.serverPorts.get(0));
        assertEquals(id, hosts.server.systemId());
    }

    @Test
    void shouldKnowALinkByPortAndQueuePair() throws RoceException {
        Link link = link(0, 0, 1);
        link.connect(new PeerQueuePair(99, 1, 5));
        SmcrRequest request = hosts.requestOfServer();
        assertSame(link, group.linkTo(request, new PeerQueuePair(99, 7, 1)));
        assertNull(group.linkTo(request, new PeerQueuePair(98, 1, 5)));
        assertTrue(group.leadsTo(request));
        assertFalse(group.matches(Role.CLIENT, request));
        assertTrue(group.matches(Role.SERVER, request));
        link.peer(Gid.NONE, Mac.NONE);
        assertFalse(group.leadsTo(request));
    }

    @Test
    void shouldRefuseAPeerWithoutMtu() throws RoceException {
        Link link = link(0, 0, 1);
        assertThrows(RoceException.class, () -> link.connect(new PeerQueuePair(99, 1, 0)));
    }
}
