package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.smc4j.roce.QueuePair.SIGNALED;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.Gids;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceDevice.GidType;

/** Two {@link SocketRnic}s in two network namespaces, over a pair of virtual interfaces. Needs the right to make these. */
@Timeout(60)
class NetworkNamespaceTest {
    private static final long PATIENCE = 20_000_000_000L;

    private final String id = Long.toString(ProcessHandle.current().pid() % 100_000);
    private final String namespace = "smc4j-rnic-" + id;
    private final String ours = "smcv" + id;
    private final String theirs = "smcw" + id;
    // Of the block for benchmarks, so that no route of the machine is in the way.
    private final String network = "198.18." + Long.parseLong(id) % 256;

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(succeeds("ip", "netns", "add", namespace), "network namespaces cannot be made here");
        ip("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", namespace);
        // Nobody else has the addresses, so they can be used at once.
        run("ip", "netns", "exec", namespace, "sysctl", "-qw", "net.ipv6.conf." + theirs + ".accept_dad=0");
        run("sysctl", "-qw", "net.ipv6.conf." + ours + ".accept_dad=0");
        ip("address", "add", network + ".1/24", "dev", ours);
        ip("link", "set", ours, "up");
        ip("-n", namespace, "address", "add", network + ".2/24", "dev", theirs);
        ip("-n", namespace, "link", "set", theirs, "up");
    }

    @AfterEach
    void disconnect() throws Exception {
        succeeds("ip", "link", "delete", ours);
        succeeds("ip", "netns", "delete", namespace);
    }

    private static void ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        run(command.toArray(new String[0]));
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), String.join(" ", command) + ": " + output);
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                    .waitFor() == 0;
        } catch (IOException e) {
            // There is no such program.
            return false;
        }
    }

    private Peer.Handle peer(int gidIndex) throws Exception {
        return new Peer.Handle(List.of("ip", "netns", "exec", namespace), theirs, gidIndex);
    }

    private static void await(String what, BooleanSupplier condition) {
        assertTrue(Waiting.until(condition, PATIENCE), what);
    }

    private static GidEntry awaitGid(SocketRnic rnic, GidType type) {
        Predicate<GidEntry> wanted = entry -> entry.type() == type;
        await("no GID of " + type, () -> rnic.port(1).gids().stream().anyMatch(wanted));
        return rnic.port(1).gids().stream().filter(wanted).findFirst().orElseThrow();
    }

    private static List<String> await(Side side, CompletionQueue queue, int count) {
        List<String> seen = new ArrayList<>();
        Waiting.until(() -> {
            seen.addAll(side.poll(queue));
            return seen.size() >= count;
        }, PATIENCE);
        return seen;
    }

    private static void exchange(Side side, Peer.Handle peer, int round) {
        int messageAt = Side.MEMORY / 2;
        side.fill(200_000, 100_000, round);
        side.memory.set(ValueLayout.JAVA_INT, messageAt, 100_000);
        side.receive(1, messageAt + 64, Peer.MESSAGE);
        side.queuePair.postWrite(2, side.address(200_000), 100_000, side.region.lkey(), peer.address.memory(), peer.address.rkey(),
                0);
        side.send(3, messageAt, Peer.MESSAGE, SIGNALED);
        assertEquals(List.of("1:0:44"), await(side, side.received, 1));
        assertEquals(List.of("3:0"), await(side, side.sent, 1));
        side.assertFilled(0, 100_000, round);
    }

    @Test
    void shouldReachAnotherNamespaceOverGidsOfEitherType() throws Exception {
        for (GidType type : GidType.values()) {
            try (SocketRnic rnic = SocketRnic.open("ours", ours)) {
                GidEntry own = awaitGid(rnic, type);
                assertEquals(type == GidType.ROCE_V2, Gids.isIpv4(own.gid()));
                assertEquals(type == GidType.ROCE_V2 ? 24 : 0, own.prefixLength());
                assertEquals(3, rnic.port(1).mtuCode());
                if (type == GidType.ROCE_V1) {
                    assertEquals(Gids.linkLocal(rnic.port(1).mac()), own.gid());
                }
                // Theirs has both from the beginning, in the order of the table.
                try (Peer.Handle peer = peer(type.ordinal()); Side side = new Side(rnic)) {
                    peer.connect(side, own.index());
                    for (int round = 0; round < 20; round++) {
                        exchange(side, peer, round);
                    }
                }
            }
        }
    }

    @Test
    void shouldTellOfALinkThatGoesDownAtEitherEndAndGoOnWhenItIsBack() throws Exception {
        try (Peer.Handle peer = peer(1); Side side = new Side(SocketRnic.open("ours", ours))) {
            SocketRnic rnic = (SocketRnic) side.device;
            int index = awaitGid(rnic, GidType.ROCE_V2).index();
            awaitGid(rnic, GidType.ROCE_V1);
            peer.connect(side, index);
            exchange(side, peer, 1);
            side.events.clear();
            // Their end: ours loses its carrier.
            ip("-n", namespace, "link", "set", theirs, "down");
            peer.expect("event PORT_ERROR");
            await("no event", () -> side.events.contains(new Event(Event.Kind.PORT_ERROR, 1, 0)));
            assertFalse(rnic.port(1).active());
            ip("-n", namespace, "link", "set", theirs, "up");
            peer.expect("event PORT_ACTIVE");
            await("no event", () -> side.events.contains(new Event(Event.Kind.PORT_ACTIVE, 1, 0)));
            assertTrue(rnic.port(1).active());
            exchange(side, peer, 2);
        }
    }

    @Test
    void shouldTellOfAddressesThatComeAndGo() throws Exception {
        // Back from being down, the link-local address is one that cannot be used until the kernel has asked for it.
        run("sysctl", "-qw", "net.ipv6.conf." + ours + ".accept_dad=1");
        ip("link", "set", ours, "down");
        ip("link", "set", ours, "up");
        try (Side side = new Side(SocketRnic.open("ours", ours))) {
            SocketRnic rnic = (SocketRnic) side.device;
            awaitGid(rnic, GidType.ROCE_V1);
            GidEntry v2 = awaitGid(rnic, GidType.ROCE_V2);
            side.events.clear();
            ip("address", "add", network + ".77/24", "dev", ours);
            await("no event", () -> side.events.contains(new Event(Event.Kind.GID_CHANGE, 1, 0)));
            assertEquals(3, rnic.port(1).gids().size());
            side.events.clear();
            ip("address", "delete", network + ".1/24", "dev", ours);
            await("no event", () -> side.events.contains(new Event(Event.Kind.GID_CHANGE, 1, 0)));
            await("the GID is still there", () -> !rnic.port(1).gids().contains(v2));
            // The others have kept their places.
            for (GidEntry entry : rnic.port(1).gids()) {
                assertEquals(entry, SoftwareQueuePair.sourceGid(rnic.port(1), entry.index()));
                assertTrue(entry.index() != v2.index());
            }
        }
    }

    @Test
    void shouldHaveTwoPortsOnTwoInterfaces() throws Exception {
        try (Side two = new Side(SocketRnic.open("two", ours, "lo")); Side one = new Side(SocketRnic.open("one", "lo"))) {
            SocketRnic rnic = (SocketRnic) two.device;
            awaitGid(rnic, GidType.ROCE_V2);
            assertEquals(2, rnic.portCount());
            assertEquals(ours, rnic.port(1).gids().getFirst().networkName());
            GidEntry second = rnic.port(2).gids().getFirst();
            assertEquals("lo", second.networkName());
            one.queuePair.initialize(1);
            one.queuePair.readyToReceive(new Peer.Address(second.gid(), two.queuePair.number(), 7, 0, 0).path(0));
            two.queuePair.initialize(2);
            two.queuePair.readyToReceive(new Peer.Address(second.gid(), one.queuePair.number(), 8, 0, 0).path(0));
            two.queuePair.readyToSend(7);
            two.fill(0, 100, 1);
            // The other port has nothing to do with it.
            rnic.setPortActive(1, false);
            two.write(1, 0, 100, one, 0, SIGNALED);
            assertEquals(List.of("1:0"), await(two, two.sent, 1));
            one.assertFilled(0, 100, 1);
        }
    }

    @Test
    void shouldExceedItsRetriesWhenTheInterfaceIsGone() throws Exception {
        try (Peer.Handle peer = peer(1); Side side = new Side(SocketRnic.open("ours", 400_000_000L, ours))) {
            SocketRnic rnic = (SocketRnic) side.device;
            peer.connect(side, awaitGid(rnic, GidType.ROCE_V2).index());
            exchange(side, peer, 1);
            ip("link", "delete", ours);
            await("no event", () -> side.events.contains(new Event(Event.Kind.PORT_ERROR, 1, 0)));
            side.send(4, 0, 44, SIGNALED);
            assertEquals(List.of("4:" + Completions.RETRY_EXCEEDED), await(side, side.sent, 1));
            await("GIDs are left", () -> rnic.port(1).gids().isEmpty());
        }
    }
}
