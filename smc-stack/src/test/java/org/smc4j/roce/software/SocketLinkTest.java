package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.roce.QueuePair.SIGNALED;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.QueuePair.State;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceDevice.QueuePairAttributes;
import org.smc4j.roce.RoceException;

/** Links, ports, devices and processes that fail under a {@link SocketRnic}, and what one leaves behind. */
@Timeout(60)
class SocketLinkTest {
    private static final long PATIENCE = 20_000_000_000L;
    private static final long PATH_TIMEOUT = 400_000_000L;
    private static final long LONG_PATH_TIMEOUT = 10_000_000_000L;

    private final List<Side> sides = new ArrayList<>();

    @AfterEach
    void close() {
        sides.forEach(Side::close);
    }

    private Side side(String name, long pathTimeout) throws RoceException {
        Side side = new Side(SocketRnic.open(name, pathTimeout, "lo"));
        sides.add(side);
        return side;
    }

    private static SocketRnic rnic(Side side) {
        return (SocketRnic) side.device;
    }

    private static OutgoingConnection outgoing(Side side) {
        return ((SocketWire) ((SoftwareQueuePair) side.queuePair).wire).outgoing();
    }

    private static List<String> await(Side side, CompletionQueue queue, int count) {
        List<String> seen = new ArrayList<>();
        Waiting.until(() -> {
            seen.addAll(side.poll(queue));
            return seen.size() >= count;
        }, PATIENCE);
        return seen;
    }

    private static void assertEvents(Side side, Event... expected) {
        Waiting.until(() -> side.events.size() >= expected.length, PATIENCE);
        assertEquals(List.of(expected), side.events);
    }

    /** One message each way, so that both connections are there. */
    private static void greet(Side a, Side b) {
        a.receive(900, 0, 44);
        b.receive(900, 0, 44);
        a.send(901, 0, 44, SIGNALED);
        b.send(901, 0, 44, SIGNALED);
        assertEquals(List.of("901:0"), await(a, a.sent, 1));
        assertEquals(List.of("901:0"), await(b, b.sent, 1));
        assertEquals(List.of("900:0:44"), await(a, a.received, 1));
        assertEquals(List.of("900:0:44"), await(b, b.received, 1));
    }

    @Test
    void shouldSurviveALinkThatIsLostForAWhile() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        Side.connect(a, b, 0);
        greet(a, b);
        rnic(b).setLinkLost(1, true);
        a.fill(0, 300_000, 3);
        b.receive(1, 500_000, 44);
        a.write(2, 0, 300_000, b, 0, SIGNALED);
        a.send(3, 0, 44, SIGNALED);
        assertFalse(Waiting.until(() -> !a.poll(a.sent).isEmpty() || !b.poll(b.received).isEmpty(), 100_000_000));
        rnic(b).setLinkLost(1, false);
        assertEquals(List.of("2:0", "3:0"), await(a, a.sent, 2));
        assertEquals(List.of("1:0:44"), await(b, b.received, 1));
        b.assertFilled(0, 300_000, 3);
        assertEvents(a);
        assertEvents(b);
    }

    @Test
    void shouldExceedItsRetriesWhenTheLinkOfThePeerStaysLost() throws Exception {
        Side a = side("a", PATH_TIMEOUT);
        Side b = side("b", PATH_TIMEOUT);
        Side.connect(a, b, 0);
        greet(a, b);
        a.receive(1, 0, 44);
        rnic(b).setLinkLost(1, true);
        long start = System.nanoTime();
        a.write(2, 0, 8, b, 0, 0);
        a.send(3, 0, 44, SIGNALED);
        assertEquals(List.of("2:" + Completions.RETRY_EXCEEDED, "3:" + Completions.FLUSH_ERROR), await(a, a.sent, 2));
        assertTrue(System.nanoTime() - start >= PATH_TIMEOUT / 2, "too early");
        assertEquals(List.of("1:" + Completions.FLUSH_ERROR), await(a, a.received, 1));
        assertEquals(State.READY_TO_SEND, b.queuePair.state());
    }

    @Test
    void shouldConnectAgainWhenNothingWasOutstandingWhileTheLinkWasLost() throws Exception {
        Side a = side("a", PATH_TIMEOUT);
        Side b = side("b", PATH_TIMEOUT);
        Side.connect(a, b, 0);
        greet(a, b);
        // The kernels may acknowledge the last bytes: they would be repeated for seconds, and so show that there is a peer.
        Waiting.until(() -> false, 100_000_000);
        rnic(b).setLinkLost(1, true);
        assertTrue(Waiting.until(() -> outgoing(a).isIdle() && outgoing(b).isIdle(), PATIENCE));
        assertEquals(State.READY_TO_SEND, a.queuePair.state());
        assertEquals(State.READY_TO_SEND, b.queuePair.state());
        rnic(b).setLinkLost(1, false);
        greet(a, b);
    }

    @Test
    void shouldExceedItsRetriesWhenItsOwnLinkStaysLost() throws Exception {
        Side a = side("a", PATH_TIMEOUT);
        Side b = side("b", PATH_TIMEOUT);
        Side.connect(a, b, 0);
        greet(a, b);
        rnic(a).setLinkLost(1, true);
        a.send(3, 0, 44, SIGNALED);
        assertEquals(List.of("3:" + Completions.RETRY_EXCEEDED), await(a, a.sent, 1));
    }

    @Test
    void shouldExceedItsRetriesWhenThereNeverWasALink() throws Exception {
        Side a = side("a", PATH_TIMEOUT);
        Side b = side("b", PATH_TIMEOUT);
        rnic(b).setLinkLost(1, true);
        Side.connect(a, b, 0);
        a.send(3, 0, 44, SIGNALED);
        assertEquals(List.of("3:" + Completions.RETRY_EXCEEDED), await(a, a.sent, 1));
    }

    @Test
    void shouldSendByItselfWhatThePosterHasLeft() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        Side.connect(a, b, 0);
        greet(a, b);
        a.fill(0, 1_000_000, 3);
        a.write(1, 0, 1_000_000, b, 0, SIGNALED);
        assertEquals(List.of("1:0"), await(a, a.sent, 1));
        b.assertFilled(0, 1_000_000, 3);
    }

    @Test
    void shouldLetMemoryBeTakenAwayWhileItWaitsToBeSent() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        Side.connect(a, b, 0);
        greet(a, b);
        rnic(b).setLinkLost(1, true);
        MemoryRegion region = a.domain.register(a.memory, false);
        // More than the socket takes.
        for (int i = 0; i < 50; i++) {
            a.queuePair.postWrite(i, a.address(0), Side.MEMORY, region.lkey(), b.address(0), b.region.rkey(), 0);
        }
        for (int turn = 0; turn < 100; turn++) {
            rnic(a).thread().call(() -> { });
        }
        region.close();
        // It is somebody else's now, and nobody else may see it.
        a.memory.fill((byte) 0x22);
        rnic(b).setLinkLost(1, false);
        List<String> sent = await(a, a.sent, 1);
        assertTrue(sent.getFirst().endsWith(":" + Completions.LOCAL_PROTECTION_ERROR), sent.toString());
        assertEquals(State.ERROR, a.queuePair.state());
        rnic(b).thread().call(() -> { });
        for (int i = 0; i < Side.MEMORY; i++) {
            assertNotEquals(0x22, b.memory.get(ValueLayout.JAVA_BYTE, i));
        }
    }

    @Test
    void shouldTellOfAPortThatIsDisabledAndEnabledAgain() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        Side.connect(a, b, 0);
        greet(a, b);
        rnic(a).setPortActive(1, false);
        assertFalse(a.device.port(1).active());
        a.write(1, 0, 8, b, 0, SIGNALED);
        assertFalse(Waiting.until(() -> !a.poll(a.sent).isEmpty(), 50_000_000));
        rnic(a).setPortActive(1, true);
        assertTrue(a.device.port(1).active());
        assertEquals(List.of("1:0"), await(a, a.sent, 1));
        assertEvents(a, new Event(Event.Kind.PORT_ERROR, 1, 0), new Event(Event.Kind.PORT_ACTIVE, 1, 0));
        assertEvents(b);
    }

    @Test
    void shouldWaitForAPeerThatIsNotReadyYet() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        a.queuePair.initialize(1);
        b.queuePair.initialize(1);
        a.queuePair.readyToReceive(a.pathTo(b, 0, 2));
        a.queuePair.readyToSend(1);
        b.receive(7, 0, 44);
        a.send(8, 0, 44, SIGNALED);
        assertFalse(Waiting.until(() -> !a.poll(a.sent).isEmpty(), 50_000_000));
        b.queuePair.readyToReceive(b.pathTo(a, 0, 1));
        assertEquals(List.of("8:0"), await(a, a.sent, 1));
        assertEquals(List.of("7:0:44"), await(b, b.received, 1));
    }

    @Test
    void shouldGoOnWhenThePeerWasOnlySlow() throws Exception {
        Side b = side("b", PATH_TIMEOUT);
        try (Peer.Handle peer = new Peer.Handle(List.of(), "lo", 0)) {
            peer.connect(b, 0);
            b.receive(1, 0, 44);
            signal("STOP", peer.pid());
            b.send(2, 0, 44, SIGNALED);
            // Its kernel answers, so its path is there.
            assertFalse(Waiting.until(() -> !b.poll(b.sent).isEmpty(), 3 * PATH_TIMEOUT));
            signal("CONT", peer.pid());
            assertEquals(List.of("2:0"), await(b, b.sent, 1));
            assertEquals(List.of("1:0:44"), await(b, b.received, 1));
        }
    }

    private static void signal(String name, long pid) throws Exception {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor());
        boolean stopped = name.equals("STOP");
        assertTrue(Waiting.until(() -> isStopped(pid) == stopped, PATIENCE));
    }

    private static boolean isStopped(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/status")).contains("State:\tT");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldFailAtOnceWhenTheProcessOfThePeerEnds() throws Exception {
        Side b = side("b", LONG_PATH_TIMEOUT);
        try (Peer.Handle peer = new Peer.Handle(List.of(), "lo", 0)) {
            peer.connect(b, 0);
            b.receive(1, 0, 44);
            b.send(2, 0, 44, SIGNALED);
            assertEquals(List.of("1:0:44"), await(b, b.received, 1));
            assertEquals(List.of("2:0"), await(b, b.sent, 1));
            b.receive(3, 0, 44);
            peer.kill();
            assertEquals(List.of("3:" + Completions.FLUSH_ERROR), await(b, b.received, 1));
            assertEquals(State.ERROR, b.queuePair.state());
        }
    }

    @Test
    void shouldExceedItsRetriesWhenTheProcessOfThePeerEndsBeforeItsAnswer() throws Exception {
        Side b = side("b", LONG_PATH_TIMEOUT);
        try (Peer.Handle peer = new Peer.Handle(List.of(), "lo", 0)) {
            peer.connect(b, 0);
            b.receive(1, 0, 44);
            b.send(2, 0, 44, 0);
            assertEquals(List.of("1:0:44"), await(b, b.received, 1));
            signal("STOP", peer.pid());
            b.send(3, 0, 44, SIGNALED);
            b.send(4, 0, 44, SIGNALED);
            peer.kill();
            assertEquals(List.of("3:" + Completions.RETRY_EXCEEDED, "4:" + Completions.FLUSH_ERROR), await(b, b.sent, 2));
        }
    }

    @Test
    void shouldNoticeADeviceThatWasClosedWithTheNextRequestOnly() throws Exception {
        Side b = side("b", LONG_PATH_TIMEOUT);
        try (Peer.Handle peer = new Peer.Handle(List.of(), "lo", 0)) {
            peer.connect(b, 0);
            b.receive(1, 0, 44);
            b.send(2, 0, 44, SIGNALED);
            assertEquals(List.of("2:0"), await(b, b.sent, 1));
            assertEquals(List.of("1:0:44"), await(b, b.received, 1));
            peer.tell("close");
            peer.expect("closed");
            rnic(b).thread().call(() -> { });
            assertEquals(State.READY_TO_SEND, b.queuePair.state());
            b.send(3, 0, 44, SIGNALED);
            assertEquals(List.of("3:" + Completions.RETRY_EXCEEDED), await(b, b.sent, 1));
        }
    }

    @Test
    void shouldFlushEverythingWhenTheDeviceBreaks() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        Side.connect(a, b, 0);
        a.receive(1, 0, 44);
        rnic(a).breakDown();
        assertEquals(List.of("1:" + Completions.FLUSH_ERROR), await(a, a.received, 1));
        assertEvents(a, new Event(Event.Kind.DEVICE_FATAL, 0, 0));
        assertFalse(a.device.port(1).active());
        assertThrows(RoceException.class,
                () -> a.domain.createQueuePair(new QueuePairAttributes(a.sent, a.received, 1, 1, 1, 1, 0)));
    }

    @Test
    void shouldHaveMoreQueuePairsThanOneTcpPortHasNumbers() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        QueuePairAttributes attributes = new QueuePairAttributes(b.sent, b.received, 1, 1, 1, 1, 0);
        Set<Integer> numbers = new HashSet<>();
        List<QueuePair> pairs = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            pairs.add(b.domain.createQueuePair(attributes));
            assertTrue(numbers.add(pairs.getLast().number()));
            assertTrue(pairs.getLast().number() > 0 && pairs.getLast().number() <= 0xFF_FFFF);
        }
        // One behind the third TCP port is reached as well.
        QueuePair last = pairs.getLast();
        last.initialize(1);
        last.readyToReceive(new QueuePair.Path(0, 1, b.pathTo(a, 0, 0).peerGid(), b.pathTo(a, 0, 0).peerMac(),
                a.queuePair.number(), 9, 1));
        a.queuePair.initialize(1);
        QueuePair.Path path = a.pathTo(b, 0, 0);
        a.queuePair.readyToReceive(new QueuePair.Path(0, 1, path.peerGid(), path.peerMac(), last.number(), 0, 1));
        a.queuePair.readyToSend(9);
        a.fill(0, 100, 1);
        a.write(1, 0, 100, b, 0, SIGNALED);
        assertEquals(List.of("1:0"), await(a, a.sent, 1));
        b.assertFilled(0, 100, 1);
        // Numbers come back.
        pairs.forEach(QueuePair::close);
        for (int i = 0; i < 700; i++) {
            b.domain.createQueuePair(attributes).close();
        }
    }

    @Test
    void shouldShowItsInterfaceAsAPort() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        var port = a.device.port(1);
        assertTrue(port.active());
        assertEquals(5, port.mtuCode());
        assertEquals("02007f000001", port.mac().toString());
        var entry = port.gids().getFirst();
        assertEquals(GidType.ROCE_V2, entry.type());
        assertEquals("00000000000000000000ffff7f000001", entry.gid().toString());
        assertEquals(8, entry.prefixLength());
        assertEquals("lo", entry.networkName());
        assertThrows(RoceException.class, () -> SocketRnic.open("x", "no-such-interface"));
    }

    @Test
    void shouldLeaveNoDescriptorAndNoThreadBehind() throws Exception {
        exchangeAndClose();
        int descriptors = descriptors();
        for (int i = 0; i < 20; i++) {
            exchangeAndClose();
        }
        assertEquals(descriptors, descriptors());
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            assertFalse(thread.getName().startsWith("smc4j-rnic-leak"));
        }
    }

    @Test
    void shouldLeaveNoDescriptorBehindWhenQueuePairsCloseBeforeTheDevice() throws Exception {
        Side a = side("a", LONG_PATH_TIMEOUT);
        Side b = side("b", LONG_PATH_TIMEOUT);
        int descriptors = descriptors();
        for (int i = 0; i < 50; i++) {
            QueuePair ofA = a.domain.createQueuePair(new QueuePairAttributes(a.sent, a.received, 8, 8, 1, 1, 0));
            QueuePair ofB = b.domain.createQueuePair(new QueuePairAttributes(b.sent, b.received, 8, 8, 1, 1, 0));
            connect(ofA, ofB, a, b);
            ofA.postWrite(i, a.address(0), 8, a.region.lkey(), b.address(0), b.region.rkey(), SIGNALED);
            Completions completions = new Completions(4);
            assertTrue(Waiting.until(() -> a.sent.poll(completions) > 0, PATIENCE));
            ofA.close();
            ofB.close();
        }
        assertTrue(Waiting.until(() -> descriptors() == descriptors, PATIENCE), "left: " + (descriptors() - descriptors));
    }

    private static void connect(QueuePair ofA, QueuePair ofB, Side a, Side b) throws RoceException {
        QueuePair.Path toB = a.pathTo(b, 0, 0);
        ofA.initialize(1);
        ofB.initialize(1);
        ofA.readyToReceive(new QueuePair.Path(0, 1, toB.peerGid(), toB.peerMac(), ofB.number(), 0, 1));
        ofB.readyToReceive(new QueuePair.Path(0, 1, toB.peerGid(), toB.peerMac(), ofA.number(), 0, 1));
        ofA.readyToSend(0);
        ofB.readyToSend(0);
    }

    private static void exchangeAndClose() throws Exception {
        try (Side a = new Side(SocketRnic.open("leak-a", "lo")); Side b = new Side(SocketRnic.open("leak-b", "lo"))) {
            Side.connect(a, b, 0);
            greet(a, b);
            a.send(1, 0, 44, SIGNALED);
        }
    }

    private static int descriptors() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return (int) files.count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
