package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.LlcType;
import org.smc4j.time.VirtualTime;

/** A group that others have joined before its first contact is over, or would join. */
@Timeout(20)
class FirstContactTest {
    private static final long SECOND = TwoHosts.SECOND;

    private final VirtualTime time = new VirtualTime(8);
    private TwoHosts hosts;
    private Connection first;

    @BeforeEach
    void setUp() {
        hosts = new TwoHosts(time, time.random(), 2, 2, 0).version2(2);
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
}
