package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcType;
import org.smc4j.time.VirtualTime;

/**
 * Events that come at a bad time. On one scheduler "at the same time" is "before or after each turn of what is under way", so
 * each event is tried at every such moment: between any two turns of first contacts, second links and rkey exchanges. Whatever
 * happens, each connection hears of its end once, nothing is used after its end, the next connection is a good one, and nothing
 * is left. Which races there are, and where each has its test, is the table in {@code org.smc4j.KernelRacesTest}.
 */
@Timeout(60)
class RaceTest {
    private static final long SECOND = TwoHosts.SECOND;
    private static final int CONNECTIONS = 3;

    /** Something that happens out of turn. */
    enum Event {
        CLIENT_TERMINATES(hosts -> hosts.client.terminateAll(DeleteLink.OPERATOR_INITIATED, () -> {
        })),
        SERVER_TERMINATES(hosts -> hosts.server.terminateAll(DeleteLink.OPERATOR_INITIATED, () -> {
        })),
        BOTH_TERMINATE(hosts -> {
            SERVER_TERMINATES.happen(hosts);
            CLIENT_TERMINATES.happen(hosts);
        }),
        OUT_OF_SYNC(hosts -> hosts.server.groups().forEach(LinkGroup::syncError)),
        FIRST_PORT_OF_CLIENT_LOST(hosts -> lose(hosts.clientHost, hosts.client, hosts.clientPorts.getFirst())),
        FIRST_PORT_OF_SERVER_LOST(hosts -> lose(hosts.serverHost, hosts.server, hosts.serverPorts.getFirst())),
        SECOND_PORT_OF_CLIENT_LOST(hosts -> lose(hosts.clientHost, hosts.client, hosts.clientPorts.getLast())),
        SECOND_PORT_OF_SERVER_LOST(hosts -> lose(hosts.serverHost, hosts.server, hosts.serverPorts.getLast())),
        FIRST_PORT_OF_BOTH_LOST(hosts -> {
            FIRST_PORT_OF_CLIENT_LOST.happen(hosts);
            FIRST_PORT_OF_SERVER_LOST.happen(hosts);
        }),
        EACH_LOSES_ANOTHER_PORT(hosts -> {
            SECOND_PORT_OF_CLIENT_LOST.happen(hosts);
            FIRST_PORT_OF_SERVER_LOST.happen(hosts);
        }),
        FIRST_PORT_OF_SERVER_SILENT(hosts -> hosts.fabric.path(hosts.serverPorts.getFirst(), FakeFabric.Path.SILENT)),
        SECOND_PORT_OF_SERVER_SILENT(hosts -> hosts.fabric.path(hosts.serverPorts.getLast(), FakeFabric.Path.SILENT)),
        ALL_QUEUE_PAIRS_OF_CLIENT_FAIL(hosts -> hosts.clientHost.transports().forEach(FakeFabric.FakeTransport::giveUp)),
        PORTS_ACTIVE(hosts -> {
            hosts.server.portActive(hosts.serverPorts.getLast());
            hosts.client.portActive(hosts.clientPorts.getLast());
        });

        private final Consumer<TwoHosts> action;

        Event(Consumer<TwoHosts> action) {
            this.action = action;
        }

        void happen(TwoHosts hosts) {
            action.accept(hosts);
        }

        private static void lose(FakeFabric.FakeHost host, LinkGroups groups, RnicPort port) {
            host.active(port, false);
            host.fabric().path(port, FakeFabric.Path.CUT);
            groups.portLost(port.device(), port.number());
        }
    }

    record Case(Event event, int version, int clientPorts, int serverPorts) {
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Event event : Event.values()) {
            for (int version = 1; version <= 2; version++) {
                cases.add(new Case(event, version, 2, 2));
            }
            cases.add(new Case(event, 2, 1, 1));
            cases.add(new Case(event, 1, 1, 2));
        }
        return cases.stream();
    }

    private TwoHosts hosts;
    private VirtualTime time;
    private final List<Connection> connections = new ArrayList<>();
    private int turns;

    private void begin(Case conditions) {
        time = new VirtualTime(5);
        hosts = new TwoHosts(time, time.random(), conditions.clientPorts(), conditions.serverPorts(), 30 * SECOND);
        if (conditions.version() == 2) {
            hosts.version2(2);
        }
        connections.clear();
        connectNext();
    }

    /** One connection after the other; each leaves when the one after the next begins. */
    private void connectNext() {
        if (connections.size() > 1) {
            close(connections.get(connections.size() - 2));
        }
        if (connections.size() < CONNECTIONS) {
            Connection connection = hosts.connect();
            connections.add(connection);
            time.schedule(FakeFabric.LATENCY_NANOS * 40, this::connectNext);
        }
    }

    private static void close(Connection connection) {
        for (TestMember end : List.of(connection.clientEnd, connection.serverEnd)) {
            if (end.membership != null) {
                end.membership.leave();
            }
        }
    }

    /** Runs so many turns; false if there are not so many in the time that matters. */
    private boolean run(int count) {
        turns = -1;
        return time.runUntil(() -> ++turns == count, FakeFabric.LATENCY_NANOS * 40 * (CONNECTIONS + 1));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldLeaveNothingBehindWheneverItHappens(Case conditions) {
        int moment = 0;
        begin(conditions);
        while (run(moment)) {
            time.execute(() -> conditions.event().happen(hosts));
            time.advance(60 * SECOND);
            heal();
            connections.addAll(hosts.established(1));
            assertBuffersOfOneEach();
            connections.forEach(RaceTest::close);
            time.advance(1000 * SECOND);
            for (Connection connection : connections) {
                assertOneEnd(connection.clientEnd.events);
                assertOneEnd(connection.serverEnd.events);
            }
            hosts.assertNothingLeft();
            assertTrue(time.runUntilIdle(0), "timers left");
            moment++;
            begin(conditions);
        }
        assertTrue(moment > 50, "only " + moment + " moments");
    }

    /** No two connections that live have the same buffer. */
    private void assertBuffersOfOneEach() {
        Set<RdmaBuffer> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Connection connection : connections) {
            for (TestMember end : List.of(connection.clientEnd, connection.serverEnd)) {
                if (end.membership != null && !end.membership.hasLeft()) {
                    assertTrue(taken.add(end.membership.sendBuffer()) && taken.add(end.membership.rmb()));
                    assertTrue(end.membership.rmb().isUsed());
                }
            }
        }
    }

    private void heal() {
        for (RnicPort port : hosts.clientPorts) {
            hosts.clientHost.active(port, true);
            hosts.fabric.path(port, FakeFabric.Path.UP);
        }
        for (RnicPort port : hosts.serverPorts) {
            hosts.serverHost.active(port, true);
            hosts.fabric.path(port, FakeFabric.Path.UP);
        }
    }

    private static void assertOneEnd(List<String> events) {
        long ends = events.stream().filter(event -> !event.equals("established") && !event.startsWith("moved")).count();
        assertTrue(ends <= 1, events::toString);
    }

    /** The RMB of the handshake is one of those that ADD LINK lists, or CONFIRM RKEY tells of it on both links. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReachEveryBufferWhenALinkIsAddedAtAnyMomentOfAHandshake(int version) {
        for (int step = -40; step < 40; step++) {
            addLinkDuringHandshake(version, step * FakeFabric.LATENCY_NANOS / 4);
        }
    }

    private void addLinkDuringHandshake(int version, long nanosAfterItsBeginning) {
        time = new VirtualTime(5);
        hosts = new TwoHosts(time, time.random(), 2, 2, 0);
        if (version == 2) {
            hosts.version2(2);
        }
        hosts.serverHost.active(hosts.serverPorts.getLast(), false);
        hosts.clientHost.active(hosts.clientPorts.getLast(), false);
        connections.clear();
        connections.addAll(hosts.established(1));
        heal();
        time.schedule(SECOND + nanosAfterItsBeginning, () -> hosts.server.portActive(hosts.serverPorts.getLast()));
        time.advance(SECOND);
        Connection late = hosts.connect();
        connections.add(late);
        time.advance(10 * SECOND);

        assertTrue(late.isEstablished(), () -> "declined: " + late.declined);
        assertEquals(LinkGroupType.SYMMETRIC, hosts.serverGroup().type());
        TwoHosts.assertReachable(connections);
    }

    /** Whoever comes before the end has the group and keeps it; whoever comes after it begins another one. */
    @Test
    void shouldConnectWhenTheUnusedGroupIsFreedAtAnyMomentOfTheHandshake() {
        int reused = 0;
        for (int step = -40; step < 40; step++) {
            begin(new Case(null, 2, 2, 2));
            Connection first = connections.getFirst();
            assertTrue(time.runUntil(first::isOver, SECOND));
            time.advance(10 * SECOND);
            connections.forEach(RaceTest::close);
            SmcrLinkGroup group = hosts.serverGroup();
            time.advance(600 * SECOND + step * FakeFabric.LATENCY_NANOS / 4);
            Connection late = hosts.connect();
            assertTrue(time.runUntil(late::isOver, 20 * SECOND));

            assertTrue(late.isEstablished(), () -> "declined: " + late.declined);
            if (late.serverEnd.membership.group() == group) {
                reused++;
            }
            time.advance(60 * SECOND);
            assertEquals(List.of("established"), late.clientEnd.events);
            assertEquals(List.of("established"), late.serverEnd.events);
            late.close();
            time.advance(1000 * SECOND);
            hosts.assertNothingLeft();
        }
        assertTrue(reused > 0 && reused < 80, "both cases are there: " + reused);
    }

    @Test
    void shouldFailTheHandshakeWhenTheGroupIsTerminatedWhileAConnectionIsCreated() {
        begin(new Case(null, 2, 1, 1));
        assertTrue(time.runUntil(() -> !hosts.fabric.sent(LlcType.CONFIRM_LINK, false).isEmpty(), SECOND));
        time.execute(() -> hosts.serverGroup().terminate(DeleteLink.PROGRAM_INITIATED));
        time.runDue();

        assertEquals(List.of("failed TIMEOUT_CL"), connections.getFirst().serverEnd.events);
        assertTrue(connections.getFirst().serverEnd.membership.hasLeft());
        assertFalse(connections.getFirst().serverEnd.membership.establish());
    }

    @Test
    void shouldFailAllRkeysThatWaitForTheirTurnWhenTheGroupIsTerminated() {
        begin(new Case(null, 2, 1, 1));
        time.advance(10 * SECOND);
        TestMember first = new TestMember();
        TestMember second = new TestMember();
        time.execute(() -> {
            join(first).confirmRkey(first);
            join(second).confirmRkey(second);
            hosts.serverGroup().terminate(DeleteLink.PROGRAM_INITIATED);
        });
        time.runDue();

        assertEquals(List.of("failed ERR_REGBUF"), first.events);
        assertEquals(List.of("failed ERR_REGBUF"), second.events);
    }

    private SmcrMembership join(TestMember member) {
        try {
            member.membership = hosts.server.serverJoin(hosts.requestOfServer(), member);
            return member.membership;
        } catch (LinkGroupException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldTellThePeerOfTheEndOverTheOtherLinkWhenTheFirstSendsNothing() {
        begin(new Case(null, 2, 2, 2));
        time.advance(10 * SECOND);
        hosts.fabric.path(hosts.serverPorts.getFirst(), FakeFabric.Path.SILENT);
        time.execute(() -> hosts.serverGroup().terminate(DeleteLink.OPERATOR_INITIATED));
        time.advance(SECOND);
        assertTrue(hosts.client.groups().getFirst().isListed());
        time.advance(2 * SECOND);

        assertTrue(hosts.client.groups().isEmpty());
        assertEquals("killed 20000", connections.getLast().clientEnd.last());
    }

    @Test
    void shouldFailTheOfferWhenTheOnlyLinkIsLostMeanwhile() {
        begin(new Case(null, 2, 2, 2));
        assertTrue(time.runUntil(() -> !hosts.fabric.sent(LlcType.ADD_LINK, false).isEmpty(), SECOND));
        Connection connection = connections.getFirst();
        time.execute(() -> Event.FIRST_PORT_OF_SERVER_LOST.happen(hosts));
        time.advance(SECOND);

        assertEquals("failed NOACTLINK", connection.serverEnd.events.getFirst());
        assertTrue(hosts.server.groups().isEmpty() || hosts.serverGroup() != connection.serverEnd.membership.group());
    }

    @Test
    void shouldNotServeADelayedRequestOfAGroupThatHasEnded() {
        begin(new Case(null, 2, 2, 2));
        time.advance(10 * SECOND);
        SmcrLinkGroup group = hosts.clientGroup();
        time.execute(() -> {
            group.flows().start(new DeleteRkeyFlow(group, connections.getFirst().clientEnd.membership.rmb()));
            group.flows().deleteLink(group.slots().byId(1),
                    new DeleteLink(2, false, false, true, 2, DeleteLink.LOST_PATH));
            group.terminate(DeleteLink.PROGRAM_INITIATED);
        });
        time.advance(10 * SECOND);

        assertTrue(hosts.fabric.sent(LlcType.DELETE_LINK, true).isEmpty());
        connections.forEach(RaceTest::close);
        hosts.assertNothingLeft();
    }

    @Test
    void shouldEndOnceWhenTerminatedTwice() {
        begin(new Case(null, 2, 1, 1));
        time.advance(10 * SECOND);
        SmcrLinkGroup group = hosts.serverGroup();
        time.execute(() -> {
            group.terminate(DeleteLink.PROGRAM_INITIATED);
            group.terminate(DeleteLink.OPERATOR_INITIATED);
            group.syncError();
            group.abandon();
        });
        time.advance(10 * SECOND);

        List<FakeFabric.Sent> deletes = hosts.fabric.sent(LlcType.DELETE_LINK, false);
        assertEquals(2, deletes.size(), "one of each end");
        assertEquals("killed 30000", connections.getLast().serverEnd.last());
        hosts.assertNothingLeft();
    }

    @Test
    void shouldClearALinkWhileAnAnswerOverItIsAwaited() {
        begin(new Case(null, 2, 2, 2));
        time.advance(10 * SECOND);
        RdmaBuffer rmb = connections.getLast().clientEnd.membership.rmb();
        connections.getLast().clientEnd.membership.leave();
        Link carrier = hosts.clientGroup().slots().byId(1);
        time.execute(carrier::clear);
        time.execute(carrier::clear);
        time.advance(10 * SECOND);

        assertEquals(LinkState.UNUSED, carrier.state());
        assertFalse(rmb.memory().scope().isAlive(), "the peer has not said that it has forgotten it");
    }

    @Test
    void shouldDeclineWhenThePortGoesBetweenAcceptAndConfirm() {
        begin(new Case(null, 2, 1, 1));
        Connection connection = connections.getFirst();
        assertTrue(time.runUntil(() -> connection.clientEnd.membership != null, SECOND));
        Event.FIRST_PORT_OF_SERVER_LOST.happen(hosts);
        time.advance(10 * SECOND);

        assertEquals(List.of("failed NOACTLINK"), connection.serverEnd.events);
        assertEquals(List.of("failed TIMEOUT_CL"), connection.clientEnd.events);
    }
}
