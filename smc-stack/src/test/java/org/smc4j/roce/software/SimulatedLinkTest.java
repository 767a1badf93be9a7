package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.roce.QueuePair.INLINE;
import static org.smc4j.roce.QueuePair.SIGNALED;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.roce.Completions;
import org.smc4j.roce.Gids;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.QueuePair.State;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.roce.RoceDevice.QueuePairAttributes;
import org.smc4j.roce.RoceException;
import org.smc4j.time.VirtualTime;

/** Time that simulated RNICs take, and links, ports and devices that fail. */
@Timeout(20)
class SimulatedLinkTest {
    private static final long SECOND = 1_000_000_000L;
    /** 4.096 µs × 2^15, eight times. */
    private static final long RETRIES_NANOS = 8 * 134_217_728L;

    private final VirtualTime time = new VirtualTime(42);
    private final SimulatedFabric fabric = new SimulatedFabric(time);

    private static Side side(SimulatedFabric fabric, RnicModel model, int host) throws RoceException {
        return new Side(fabric.addRnic("rnic-" + host, model,
                SimulatedFabric.port(1, "eth0", new Mac(0x02_00_00_00_01_00L + host), 0x0A_00_01_00 + host, 24),
                SimulatedFabric.port(2, "eth1", new Mac(0x02_00_00_00_02_00L + host), 0x0A_00_02_00 + host, 24)));
    }

    private Side side(RnicModel model, int host) throws RoceException {
        return side(fabric, model, host);
    }

    private static SimulatedRnic rnic(Side side) {
        return (SimulatedRnic) side.device;
    }

    private long nanosUntil(BooleanSupplier condition) {
        long start = time.nanoTime();
        assertTrue(time.runUntil(condition, 10 * SECOND));
        return time.nanoTime() - start;
    }

    // -- Time --

    @Test
    void shouldTakeTheTimesOfItsModel() throws Exception {
        RnicModel model = new RnicModel(900, 0, 25, 250, 0, 1_000, 220, 64, SECOND, 7, 60_000, 7);
        try (Side a = side(model, 1); Side b = side(model, 2)) {
            Side.connect(a, b, 1);
            b.receive(1, 0, 44);
            a.send(2, 0, 44, SIGNALED);
            List<String> seen = new ArrayList<>();
            long received = nanosUntil(() -> seen.addAll(b.poll(b.received)));
            assertEquals(250 + 25 + 900 + 1_000, received);
            long acknowledged = nanosUntil(() -> seen.addAll(a.poll(a.sent)));
            assertEquals(900, acknowledged);
        }
    }

    @Test
    void shouldBeBoundByDoorbellsThenByIssueThenByBandwidth() throws Exception {
        RnicModel model = new RnicModel(900, 0, 25, 250, 1_000_000_000L, 0, 220, 64, SECOND, 7, 60_000, 7);
        assertEquals(250, nanosPerWrite(model, 8));
        assertEquals(100 + 1_000, nanosPerWrite(model, 1_000));
        assertEquals(600, nanosPerWrite(model.withMessageCosts(600, 250, 0), 8));
        assertEquals(108, nanosPerWrite(model.withMessageCosts(0, 0, 0), 8));
        assertEquals(54, nanosPerWrite(model.withMessageCosts(0, 0, 0).withBandwidth(2_000_000_000L), 8));
    }

    /** In the steady state, from the difference of many and few. */
    private long nanosPerWrite(RnicModel model, int length) throws RoceException {
        return (nanosOfWrites(model, length, 60) - nanosOfWrites(model, length, 10)) / 50;
    }

    private long nanosOfWrites(RnicModel model, int length, int count) throws RoceException {
        SimulatedFabric own = new SimulatedFabric(time);
        try (Side a = side(own, model, 1); Side b = side(own, model, 2)) {
            Side.connect(a, b, 1);
            for (int i = 0; i < count; i++) {
                a.write(i, 0, length, b, 0, i == count - 1 ? SIGNALED : 0);
            }
            return nanosUntil(() -> !a.poll(a.sent).isEmpty());
        }
    }

    @Test
    void shouldShareThePortPacketByPacket() throws Exception {
        RnicModel model = RnicModel.PLAIN.withBandwidth(1_000_000_000L);
        try (Side a = side(model, 1); Side b = side(model, 2)) {
            Side.connect(a, b, 1);
            QueuePair smallA = a.domain.createQueuePair(new QueuePairAttributes(a.sent, a.received, 4, 4, 1, 1, 0));
            QueuePair smallB = b.domain.createQueuePair(new QueuePairAttributes(b.sent, b.received, 4, 4, 1, 1, 0));
            smallA.initialize(1);
            smallB.initialize(1);
            QueuePair.Path pathToB = a.pathTo(b, 1, 0);
            QueuePair.Path pathToA = b.pathTo(a, 1, 0);
            smallA.readyToReceive(new QueuePair.Path(1, 3, pathToB.peerGid(), pathToB.peerMac(), smallB.number(), 0, 1));
            smallB.readyToReceive(new QueuePair.Path(1, 3, pathToA.peerGid(), pathToA.peerMac(), smallA.number(), 0, 1));
            smallA.readyToSend(0);
            a.write(1, 0, 1_000_000, b, 0, SIGNALED);
            smallA.postWrite(2, a.address(0), 8, a.region.lkey(), b.address(0), b.region.rkey(), SIGNALED);
            Completions completions = new Completions(1);
            long nanos = nanosUntil(() -> a.sent.poll(completions) > 0);
            assertEquals(2, completions.id(0));
            assertTrue(nanos < 10_000, "waited for the whole of the large write: " + nanos);
        }
    }

    @Test
    void shouldMakeSmallMessagesThreeTimesAsManyWhenTheyShareRequestsOnAConnectX4() throws Exception {
        RnicModel model = RnicModel.CONNECTX_4_LX;
        for (int length : new int[] {16, 64, 256, 512}) {
            double each = nanosPerMessage(model, length, 1);
            double together = nanosPerMessage(model, length, 16);
            assertTrue(each > 3 * together, length + " bytes: " + each + " ns each, " + together + " ns together");
        }
        // And the way of one message there is a few microseconds, as published.
        long oneWay = pingNanos(model);
        assertTrue(oneWay > 1_500 && oneWay < 3_500, "one way takes " + oneWay);
    }

    /** A WRITE of several messages and a SEND behind it, as SMC-R does. */
    private long nanosPerMessage(RnicModel model, int length, int messages) throws RoceException {
        SimulatedFabric own = new SimulatedFabric(time);
        try (Side a = side(own, model, 1); Side b = side(own, model, 2)) {
            Side.connect(a, b, 1);
            int rounds = 30;
            for (int i = 0; i < rounds; i++) {
                b.receive(i, 0, 44);
                a.write(i, 0, length * messages, b, 4_096, length * messages < a.queuePair.maxInline() ? INLINE : 0);
                a.send(i, 0, 44, (i == rounds - 1 ? SIGNALED : 0) | INLINE);
            }
            return nanosUntil(() -> !a.poll(a.sent).isEmpty()) / rounds / messages;
        }
    }

    private long pingNanos(RnicModel model) throws RoceException {
        SimulatedFabric own = new SimulatedFabric(time);
        try (Side a = side(own, model, 1); Side b = side(own, model, 2)) {
            Side.connect(a, b, 1);
            b.receive(1, 0, 44);
            a.write(1, 0, 16, b, 4_096, INLINE);
            a.send(2, 0, 44, INLINE);
            return nanosUntil(() -> !b.poll(b.received).isEmpty());
        }
    }

    // -- Loss --

    @Test
    void shouldSurviveALinkThatIsLostForAWhile() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 1);
            rnic(a).setLinkLost(1, true);
            a.fill(0, 5_000, 3);
            b.receive(1, 100_000, 44);
            a.write(2, 0, 5_000, b, 0, SIGNALED);
            a.send(3, 0, 44, SIGNALED);
            time.advance(RETRIES_NANOS / 2);
            b.assertZero(0, 5_000);
            rnic(a).setLinkLost(1, false);
            time.advance(RETRIES_NANOS / 2);
            assertEquals(List.of("2:0", "3:0"), a.poll(a.sent));
            assertEquals(List.of("1:0:44"), b.poll(b.received));
            b.assertFilled(0, 5_000, 3);
            assertEquals(List.of(), a.events);
        }
    }

    @Test
    void shouldExceedItsRetriesWhenTheLinkStaysLost() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 1);
            b.receive(1, 0, 44);
            a.receive(1, 0, 44);
            rnic(b).setLinkLost(1, true);
            a.write(2, 0, 8, b, 0, 0);
            a.send(3, 0, 44, SIGNALED);
            time.advance(RETRIES_NANOS - 10_000);
            assertEquals(List.of(), a.poll(a.sent));
            assertEquals(State.READY_TO_SEND, a.queuePair.state());
            time.advance(20_000);
            assertEquals(List.of("2:" + Completions.RETRY_EXCEEDED, "3:" + Completions.FLUSH_ERROR), a.poll(a.sent));
            assertEquals(List.of("1:" + Completions.FLUSH_ERROR), a.poll(a.received));
            // The other end sent nothing and so does not know.
            assertEquals(State.READY_TO_SEND, b.queuePair.state());
        }
    }

    @Test
    void shouldNotDoTwiceWhatTheLostAcknowledgementWasFor() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 1);
            b.receive(1, 0, 44);
            b.receive(2, 100, 44);
            a.send(3, 0, 44, SIGNALED);
            assertTrue(time.runUntil(() -> !b.poll(b.received).isEmpty(), SECOND));
            // The acknowledgement is on its way: it does not get through.
            rnic(a).setLinkLost(1, true);
            time.advance(10_000);
            rnic(a).setLinkLost(1, false);
            assertEquals(List.of(), a.poll(a.sent));
            assertTrue(time.runUntilIdle(SECOND));
            assertEquals(List.of("3:0"), a.poll(a.sent));
            assertEquals(List.of(), b.poll(b.received));
        }
    }

    @Test
    void shouldTellOfPortsAndSendNothingWhileOneIsDown() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 1);
            rnic(b).setPortActive(1, false);
            assertEquals(false, b.device.port(1).active());
            assertEquals(true, b.device.port(2).active());
            a.write(1, 0, 8, b, 0, SIGNALED);
            assertTrue(time.runUntilIdle(10 * SECOND));
            assertEquals(List.of("1:" + Completions.RETRY_EXCEEDED), a.poll(a.sent));
            rnic(b).setPortActive(1, true);
            assertTrue(time.runUntilIdle(SECOND));
            assertEquals(List.of(new Event(Event.Kind.PORT_ERROR, 1, 0), new Event(Event.Kind.PORT_ACTIVE, 1, 0)), b.events);
            assertEquals(List.of(), a.events);
        }
    }

    @Test
    void shouldStopToBeReachedUnderAGidThatItHasNoMore() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 1);
            GidEntry v1 = b.device.port(1).gids().get(0);
            rnic(b).setGids(1, List.of(v1));
            a.write(1, 0, 8, b, 0, SIGNALED);
            assertTrue(time.runUntilIdle(10 * SECOND));
            assertEquals(List.of("1:" + Completions.RETRY_EXCEEDED), a.poll(a.sent));
            assertEquals(List.of(new Event(Event.Kind.GID_CHANGE, 1, 0)), b.events);
            assertEquals(List.of(v1), b.device.port(1).gids());
        }
    }

    @Test
    void shouldNotReachGidsOfTheOtherTypeOrOfAnotherVlan() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 0);
            List<GidEntry> old = b.device.port(1).gids();
            a.write(1, 0, 8, b, 0, SIGNALED);
            time.advance(10_000);
            assertEquals(List.of("1:0"), a.poll(a.sent));
            GidEntry v1 = old.get(0);
            rnic(b).setGids(1, List.of(new GidEntry(0, GidType.ROCE_V1, v1.gid(), "eth0.7", 0, 7)));
            a.write(2, 0, 8, b, 0, SIGNALED);
            time.advance(RETRIES_NANOS / 2);
            assertEquals(List.of(), a.poll(a.sent));
            rnic(b).setGids(1, List.of(new GidEntry(0, GidType.ROCE_V2, v1.gid(), "eth0", 0, 0)));
            time.advance(RETRIES_NANOS);
            assertEquals(List.of("2:" + Completions.RETRY_EXCEEDED), a.poll(a.sent));
        }
    }

    @Test
    void shouldTakePacketsOfItsPeerOnly() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2); Side c = side(RnicModel.PLAIN, 3)) {
            Side.connect(a, b, 1);
            // A third one that knows number, PSN and keys.
            c.queuePair.initialize(1);
            c.queuePair.readyToReceive(c.pathTo(b, 1, 2_222));
            c.queuePair.readyToSend(Psn.MASK - 5);
            c.fill(0, 100, 1);
            c.write(1, 0, 100, b, 0, SIGNALED);
            assertTrue(time.runUntilIdle(10 * SECOND));
            b.assertZero(0, 100);
            assertEquals(List.of("1:" + Completions.RETRY_EXCEEDED), c.poll(c.sent));
            a.fill(0, 100, 2);
            a.write(2, 0, 100, b, 0, SIGNALED);
            assertTrue(time.runUntilIdle(SECOND));
            b.assertFilled(0, 100, 2);
        }
    }

    @Test
    void shouldCheckTheGidOfAPacketThatHasTheNumberOfItsPeer() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 1);
            SimulatedPort port = rnic(b).ports().get(0);
            rnic(b).receive(port, forged(a, b, Gids.ofIpv4(0x0A00_0103)));
            b.assertZero(0, 8);
            // Without the other GID it would have been taken.
            rnic(b).receive(port, forged(a, b, Gids.ofIpv4(0x0A00_0101)));
            b.assertFilled(0, 8, 1);
        }
    }

    private static Frame forged(Side a, Side b, Gid source) {
        Packet packet = new Packet();
        packet.opcode = Packet.WRITE;
        packet.first = true;
        packet.last = true;
        packet.psn = Psn.MASK - 5;
        packet.remoteAddress = b.address(0);
        packet.rkey = b.region.rkey();
        packet.length = 8;
        packet.requestLength = 8;
        byte[] bytes = new byte[8];
        for (int i = 0; i < 8; i++) {
            bytes[i] = Side.pattern(1, i);
        }
        return new Frame(source, a.queuePair.number(), Gids.ofIpv4(0x0A00_0102), b.queuePair.number(), packet, bytes, 0, 0);
    }

    @Test
    void shouldExceedTheRetriesOfItsModelWhenNoReceiveIsPosted() throws Exception {
        RnicModel model = RnicModel.PLAIN.withRetries(SECOND, 7, 3);
        try (Side a = side(model, 1); Side b = side(model, 2)) {
            Side.connect(a, b, 1);
            a.send(1, 0, 44, SIGNALED);
            assertTrue(time.runUntilIdle(10 * SECOND));
            assertEquals(List.of("1:" + Completions.RNR_RETRY_EXCEEDED), a.poll(a.sent));
        }
    }

    @Test
    void shouldFlushEverythingWhenTheDeviceBreaks() throws Exception {
        try (Side a = side(RnicModel.PLAIN, 1); Side b = side(RnicModel.PLAIN, 2)) {
            Side.connect(a, b, 1);
            a.receive(1, 0, 44);
            a.send(2, 0, 44, 0);
            rnic(a).breakDown();
            assertTrue(time.runUntilIdle(SECOND));
            assertEquals(List.of("1:5"), a.poll(a.received));
            assertEquals(List.of("2:5"), a.poll(a.sent));
            assertEquals(List.of(new Event(Event.Kind.DEVICE_FATAL, 0, 0)), a.events);
            assertEquals(false, a.device.port(1).active());
            assertThrows(RoceException.class,
                    () -> a.domain.createQueuePair(new QueuePairAttributes(a.sent, a.received, 1, 1, 1, 1, 0)));
        }
    }

    // -- Chance --

    @Test
    void shouldLoseNothingAndKeepOrderWhenPacketsGetLost() throws Exception {
        List<String> first = lossyRun(7);
        assertEquals(first, lossyRun(7));
        assertNotEquals(first, lossyRun(8));
    }

    /** A random exchange over a bad link, checked as it goes; returns all that was seen, with its times. */
    private static List<String> lossyRun(long seed) throws RoceException {
        VirtualTime time = new VirtualTime(seed);
        SimulatedFabric fabric = new SimulatedFabric(time);
        RnicModel model = RnicModel.CONNECTX_4_LX.withLatency(900, 500).withRetries(50_000, 100, 7);
        List<String> seen = new ArrayList<>();
        try (Side a = side(fabric, model, 1); Side b = side(fabric, model, 2)) {
            Side.connect(a, b, 1);
            fabric.loseOneOf(20);
            RandomGenerator random = time.random();
            int sent = 0;
            int received = 0;
            int acknowledged = 0;
            while (received < 2_000 || acknowledged < sent) {
                if (sent < 2_000 && sent - acknowledged < 12) {
                    // The message says what was written before it: its own number, all over a piece of random length.
                    int length = 1 + random.nextInt(3_000);
                    int slot = sent % 16;
                    a.memory.set(ValueLayout.JAVA_INT, slot * 8L, sent);
                    a.memory.set(ValueLayout.JAVA_INT, slot * 8L + 4, length);
                    a.memory.asSlice(4_096 + slot * 4_096L, length).fill((byte) sent);
                    assertEquals(0, a.write(sent, 4_096 + slot * 4_096, length, b, 4_096 + slot * 4_096, 0));
                    assertEquals(0, a.send(sent, slot * 8, 8, SIGNALED));
                    sent++;
                }
                if (random.nextInt(3) == 0) {
                    b.receive(received, 0, 8);
                }
                time.advance(random.nextInt(2_000));
                for (String completion : b.poll(b.received)) {
                    assertEquals(":0:8", completion.substring(completion.indexOf(':')));
                    seen.add(time.nanoTime() + " received " + completion);
                    received++;
                }
                // Receives use one buffer: what is there is of the last message, which may be a later one than was polled.
                if (received > 0) {
                    int number = b.memory.get(ValueLayout.JAVA_INT, 0);
                    int length = b.memory.get(ValueLayout.JAVA_INT, 4);
                    assertTrue(number >= received - 1, number + " after " + received);
                    if (sent - number < 12) {
                        long last = 4_096 + number % 16 * 4_096L + length - 1;
                        assertEquals((byte) number, b.memory.get(ValueLayout.JAVA_BYTE, last));
                    }
                }
                for (String completion : a.poll(a.sent)) {
                    assertEquals(acknowledged + ":0", completion);
                    seen.add(time.nanoTime() + " sent " + completion);
                    acknowledged++;
                }
            }
            assertEquals(2_000, received);
        }
        return seen;
    }
}
