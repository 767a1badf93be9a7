package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.smc4j.linkgroup.TwoHosts.Connection;
import org.smc4j.time.VirtualTime;

/** Ports that are cut and restored at random for minutes of virtual time, under connections that come and go. */
@Timeout(60)
class CutLinksTest {
    private static final long SECOND = TwoHosts.SECOND;
    private static final long MILLISECOND = SECOND / 1000;
    private static final int SEEDS = 20;
    private static final int STEPS = 300;

    private VirtualTime time;
    private RandomGenerator random;
    private TwoHosts hosts;
    private final List<Connection> connections = new ArrayList<>();

    static Stream<Arguments> runs() {
        return Stream.iterate(1, seed -> seed <= SEEDS, seed -> seed + 1)
                .flatMap(seed -> Stream.of(Arguments.of(seed, 1), Arguments.of(seed, 2)));
    }

    /** What is left when all is well again: both ends have the same two links, and reach every buffer over both. */
    @ParameterizedTest
    @MethodSource("runs")
    void shouldAgreeOnTheirLinksInTheEnd(int seed, int version) {
        time = new VirtualTime(seed);
        random = time.random();
        hosts = new TwoHosts(time, random, 2, 2, 2 * SECOND);
        if (version == 2) {
            hosts.version2(2);
        }
        for (int step = 0; step < STEPS; step++) {
            disturb();
            // Most of what matters happens within a few messages; some of it takes the time of a time-out.
            time.advance(random.nextLong(random.nextInt(10) < seed % 10 ? 20 * FakeFabric.LATENCY_NANOS : 3 * SECOND));
        }
        for (int port = 0; port < 2; port++) {
            restore(true, port);
            restore(false, port);
        }
        time.advance(60 * SECOND);
        connections.addAll(hosts.established(1));
        time.advance(10 * SECOND);

        assertTrue(hosts.server.groups().size() > 0);
        assertEquals(shapes(hosts.server), shapes(hosts.client));
        assertTrue(shapes(hosts.server).stream().allMatch(shape -> shape.startsWith("SYMMETRIC")), () -> shapes(hosts.server).toString());
        TwoHosts.assertReachable(connections.stream().filter(CutLinksTest::isAlive).toList());
    }

    private static boolean isAlive(Connection connection) {
        return connection.isEstablished() && !connection.clientEnd.membership.hasLeft() && !connection.serverEnd.membership.hasLeft();
    }

    /** The type of each group, and the numbers of its links. */
    private static List<String> shapes(LinkGroups groups) {
        return groups.groups().stream().map(SmcrLinkGroup.class::cast)
                .map(group -> group.type() + " " + group.links().stream().map(Link::id).sorted().toList()).sorted().toList();
    }

    private void disturb() {
        boolean client = random.nextBoolean();
        int port = random.nextInt(2);
        switch (random.nextInt(8)) {
            case 0, 1 -> cut(client, port, FakeFabric.Path.CUT);
            case 2 -> cut(client, port, FakeFabric.Path.SILENT);
            case 3, 4 -> restore(client, port);
            case 5 -> time.execute(() -> (client ? hosts.clientHost : hosts.serverHost).transports().stream()
                    .skip(port).limit(1).forEach(FakeFabric.FakeTransport::giveUp));
            case 6 -> connections.add(hosts.connect());
            default -> {
                if (!connections.isEmpty()) {
                    Connection connection = connections.removeFirst();
                    time.execute(() -> leave(connection));
                }
            }
        }
    }

    private static void leave(Connection connection) {
        for (TestMember end : List.of(connection.clientEnd, connection.serverEnd)) {
            if (end.membership != null) {
                end.membership.leave();
            }
        }
    }

    private void cut(boolean ofClient, int number, FakeFabric.Path how) {
        RnicPort port = port(ofClient, number);
        hosts.fabric.path(port, how);
        if (how == FakeFabric.Path.CUT) {
            (ofClient ? hosts.clientHost : hosts.serverHost).active(port, false);
            time.execute(() -> (ofClient ? hosts.client : hosts.server).portLost(port.device(), port.number()));
        }
    }

    private void restore(boolean ofClient, int number) {
        RnicPort port = port(ofClient, number);
        hosts.fabric.path(port, FakeFabric.Path.UP);
        (ofClient ? hosts.clientHost : hosts.serverHost).active(port, true);
        time.execute(() -> (ofClient ? hosts.client : hosts.server).portActive(port));
    }

    private RnicPort port(boolean ofClient, int number) {
        return (ofClient ? hosts.clientPorts : hosts.serverPorts).get(number);
    }
}
