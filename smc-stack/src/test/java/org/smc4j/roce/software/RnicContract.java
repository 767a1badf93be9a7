package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.roce.QueuePair.INLINE;
import static org.smc4j.roce.QueuePair.SIGNALED;
import static org.smc4j.roce.QueuePair.SOLICITED;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceDevice.QueuePairAttributes;
import org.smc4j.roce.RoceException;

/** Requests and what becomes of them, between two RNICs of either kind. */
@Timeout(20)
abstract class RnicContract {
    Side a;
    Side b;

    /** Opens a device whose ports reach those of every other. */
    abstract SoftwareDevice rnic(String name, int host) throws RoceException;

    /** The index of a RoCE v2 GID of every device. */
    abstract int gidIndex();

    /** Lets time pass until the condition holds; false if it does not in a time that is long for the device. */
    abstract boolean runUntil(BooleanSupplier condition);

    /** Lets so much time pass that nothing more will happen which has not. */
    abstract void settle();

    @BeforeEach
    void open() throws Exception {
        a = new Side(rnic("rnic-a", 1));
        b = new Side(rnic("rnic-b", 2));
        Side.connect(a, b, gidIndex());
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    void assertSent(Side side, String... expected) {
        assertCompletions(side, side.sent, expected);
    }

    void assertReceived(Side side, String... expected) {
        assertCompletions(side, side.received, expected);
    }

    /** Waits for these completions, in order. */
    private void assertCompletions(Side side, CompletionQueue queue, String... expected) {
        List<String> seen = new ArrayList<>();
        runUntil(() -> {
            seen.addAll(side.poll(queue));
            return seen.size() >= expected.length;
        });
        assertEquals(List.of(expected), seen);
    }

    void assertEvents(Side side, Event... expected) {
        runUntil(() -> side.events.size() >= expected.length);
        assertEquals(List.of(expected), side.events);
    }

    @Test
    void shouldDeliverAMessageAndCompleteBothEnds() {
        a.fill(0, 44, 1);
        assertEquals(0, b.receive(7, 4096, 44));
        assertEquals(0, a.send(8, 0, 44, SIGNALED));
        assertReceived(b, "7:0:44");
        assertSent(a, "8:0");
        b.assertFilled(4096, 44, 1);
    }

    @Test
    void shouldDeliverAnEmptyMessage() {
        b.receive(1, 0, 44);
        a.send(2, 0, 0, SIGNALED);
        assertReceived(b, "1:0:0");
        assertSent(a, "2:0");
    }

    @Test
    void shouldWriteManyPacketsWithoutTellingThePeer() {
        a.fill(0, 300_000, 3);
        b.receive(1, 0, 44);
        a.write(5, 0, 300_000, b, 100_000, SIGNALED);
        assertSent(a, "5:0");
        b.assertFilled(100_000, 300_000, 3);
        settle();
        assertReceived(b);
    }

    @Test
    void shouldWriteTwoPiecesOneBehindTheOther() throws Exception {
        a.fill(0, 5_000, 1);
        a.fill(8_000, 3_000, 2);
        assertEquals(0, a.queuePair.postWrite(5, a.address(0), 5_000, a.region.lkey(), a.address(8_000), 3_000, a.region.lkey(),
                b.address(500), b.region.rkey(), SIGNALED));
        assertSent(a, "5:0");
        b.assertFilled(500, 5_000, 1);
        b.assertFilled(5_500, 3_000, 2);
    }

    @Test
    void shouldTakeInlineBytesWhenPosted() {
        a.fill(0, 100, 5);
        b.receive(1, 0, 100);
        assertEquals(0, a.send(2, 0, 100, SIGNALED | INLINE));
        a.fill(0, 100, 6);
        assertReceived(b, "1:0:100");
        b.assertFilled(0, 100, 5);
        assertEquals(-Errno.EINVAL, a.send(3, 0, a.queuePair.maxInline() + 1, INLINE));
    }

    @Test
    void shouldCompleteOnlyWhatAsksForItAndInOrder() {
        for (int i = 0; i < 10; i++) {
            b.receive(100 + i, 1_000 * i, 44);
            assertEquals(0, a.send(i, 0, 44, i % 4 == 3 ? SIGNALED : 0));
        }
        assertSent(a, "3:0", "7:0");
        assertReceived(b, "100:0:44", "101:0:44", "102:0:44", "103:0:44", "104:0:44", "105:0:44", "106:0:44", "107:0:44",
                "108:0:44", "109:0:44");
    }

    @Test
    void shouldBeFullUntilTheCompletionOfALaterRequestIsPolled() {
        for (int i = 0; i < Side.REQUESTS; i++) {
            assertEquals(0, a.write(i, 0, 8, b, 0, i == Side.REQUESTS / 2 ? SIGNALED : 0));
        }
        assertEquals(-Errno.ENOMEM, a.write(99, 0, 8, b, 0, 0));
        settle();
        // All are done, but the NIC says so of half of them only.
        assertEquals(-Errno.ENOMEM, a.write(99, 0, 8, b, 0, 0));
        assertSent(a, "32:0");
        for (int i = 0; i <= Side.REQUESTS / 2; i++) {
            assertEquals(0, a.write(i, 0, 8, b, 0, 0));
        }
        assertEquals(-Errno.ENOMEM, a.write(99, 0, 8, b, 0, 0));
    }

    @Test
    void shouldRefuseReceivesBeyondTheQueue() {
        for (int i = 0; i < Side.REQUESTS; i++) {
            assertEquals(0, b.receive(i, 0, 44));
        }
        assertEquals(-Errno.ENOMEM, b.receive(99, 0, 44));
        a.send(1, 0, 44, 0);
        settle();
        assertEquals(-Errno.ENOMEM, b.receive(99, 0, 44));
        assertEquals(1, b.poll(b.received).size());
        assertEquals(0, b.receive(99, 0, 44));
    }

    @Test
    void shouldWaitForAReceiveWithoutEnd() {
        a.fill(0, 44, 9);
        a.write(1, 0, 44, b, 2_000, SIGNALED);
        a.send(2, 0, 44, SIGNALED);
        a.write(3, 0, 44, b, 3_000, SIGNALED);
        settle();
        // Order holds: what is behind the message waits with it.
        assertSent(a, "1:0");
        b.assertFilled(2_000, 44, 9);
        b.assertZero(3_000, 44);
        b.receive(4, 0, 44);
        assertSent(a, "2:0", "3:0");
        assertReceived(b, "4:0:44");
        b.assertFilled(0, 44, 9);
        b.assertFilled(3_000, 44, 9);
    }

    @Test
    void shouldFailBothEndsWhenTheMessageIsLongerThanTheReceive() {
        b.receive(1, 0, 44);
        b.receive(2, 100, 44);
        a.send(3, 0, 45, SIGNALED);
        a.send(4, 0, 1, 0);
        assertSent(a, "3:" + Completions.REMOTE_INVALID_REQUEST, "4:" + Completions.FLUSH_ERROR);
        assertReceived(b, "1:" + Completions.LOCAL_LENGTH_ERROR, "2:" + Completions.FLUSH_ERROR);
        assertEquals(QueuePair.State.ERROR, a.queuePair.state());
        assertEquals(QueuePair.State.ERROR, b.queuePair.state());
        b.assertZero(0, 200);
    }

    @Test
    void shouldFailAReceiveIntoMemoryThatIsNotRegistered() {
        b.queuePair.postReceive(1, b.address(0), 44, b.region.lkey() + 1);
        a.send(2, 0, 44, SIGNALED);
        assertReceived(b, "1:" + Completions.LOCAL_PROTECTION_ERROR);
        assertSent(a, "2:" + Completions.REMOTE_OPERATION_ERROR);
    }

    @Test
    void shouldFailAWriteThatReachesOverTheEndAndWriteNothing() {
        a.fill(0, 3_000, 1);
        assertRemoteAccessError(Side.MEMORY - 2_999, 3_000, b.region.rkey());
        b.assertZero(Side.MEMORY - 3_000, 3_000);
    }

    @Test
    void shouldFailAWriteBeforeTheBeginning() {
        assertRemoteAccessError(-1, 2, b.region.rkey());
    }

    @Test
    void shouldFailAWriteWithAWrongKey() {
        assertRemoteAccessError(0, 8, b.region.rkey() + 1);
        b.assertZero(0, 8);
    }

    @Test
    void shouldFailAWriteIntoMemoryThatPeersMayNotWrite() throws Exception {
        try (MemoryRegion local = b.domain.register(b.memory, false)) {
            assertRemoteAccessError(0, 8, local.rkey());
        }
        b.assertZero(0, 8);
    }

    @Test
    void shouldFailAWriteIntoMemoryThatIsNotRegisteredAnyMore() throws Exception {
        MemoryRegion gone = b.domain.register(b.memory, true);
        gone.close();
        // The next one may have the same place, but not the same key.
        b.domain.register(b.memory, true);
        assertRemoteAccessError(0, 8, gone.rkey());
        b.assertZero(0, 8);
    }

    @Test
    void shouldFailAWriteIntoMemoryOfAnotherProtectionDomain() throws Exception {
        MemoryRegion foreign = b.device.allocateProtectionDomain().register(b.memory, true);
        assertRemoteAccessError(0, 8, foreign.rkey());
        b.assertZero(0, 8);
    }

    private void assertRemoteAccessError(int offset, int length, int rkey) {
        b.receive(1, 500_000, 44);
        a.fill(0, length, 1);
        a.queuePair.postWrite(2, a.address(0), length, a.region.lkey(), b.address(0) + offset, rkey, 0);
        a.queuePair.postSend(3, a.address(0), 44, a.region.lkey(), 0);
        assertSent(a, "2:" + Completions.REMOTE_ACCESS_ERROR, "3:" + Completions.FLUSH_ERROR);
        assertReceived(b, "1:" + Completions.FLUSH_ERROR);
        assertEvents(b, new Event(Event.Kind.QUEUE_PAIR_ACCESS_ERROR, 1, b.queuePair.number()));
        assertEvents(a);
    }

    @Test
    void shouldFailARequestOfMemoryThatIsNotOurs() throws Exception {
        MemoryRegion gone = a.domain.register(a.memory, false);
        gone.close();
        b.receive(1, 0, 44);
        a.send(2, 0, 44, SIGNALED);
        a.queuePair.postSend(3, a.address(0), 44, gone.lkey(), 0);
        a.send(4, 0, 44, SIGNALED);
        assertSent(a, "2:0", "3:" + Completions.LOCAL_PROTECTION_ERROR, "4:" + Completions.FLUSH_ERROR);
        assertReceived(b, "1:0:44");
    }

    @Test
    void shouldFailARequestWhoseSecondPieceIsOutOfBounds() {
        a.queuePair.postWrite(1, a.address(0), 10, a.region.lkey(), a.address(Side.MEMORY - 9), 10, a.region.lkey(), b.address(0),
                b.region.rkey(), 0);
        assertSent(a, "1:" + Completions.LOCAL_PROTECTION_ERROR);
        b.assertZero(0, 20);
    }

    @Test
    void shouldFlushAllOfBothQueuesInOrderWhenDrivenToError() {
        b.receive(1, 0, 44);
        b.receive(2, 0, 44);
        // These wait for a receive.
        b.send(3, 0, 8, 0);
        b.send(4, 0, 8, SIGNALED);
        b.queuePair.fail();
        assertEquals(0, b.receive(5, 0, 44));
        assertEquals(0, b.send(6, 0, 8, 0));
        assertReceived(b, "1:5", "2:5", "5:5");
        assertSent(b, "3:5", "4:5", "6:5");
        b.queuePair.fail();
        assertSent(b);
    }

    @Test
    void shouldExceedItsRetriesWhenThePeerIsInError() {
        b.queuePair.fail();
        a.send(1, 0, 44, 0);
        assertSent(a, "1:" + Completions.RETRY_EXCEEDED);
    }

    @Test
    void shouldFailTheNthRequestWhenToldTo() {
        for (int i = 0; i < 4; i++) {
            b.receive(i, 0, 44);
        }
        ((SoftwareDevice) a.device).failRequest(a.queuePair.number(), 3, Completions.GENERAL_ERROR);
        for (int i = 1; i <= 4; i++) {
            a.send(i, 0, 44, 0);
        }
        assertSent(a, "3:" + Completions.GENERAL_ERROR, "4:" + Completions.FLUSH_ERROR);
        assertReceived(b, "0:0:44", "1:0:44");
    }

    @Test
    void shouldDropWhatWasNotPolledWhenAQueuePairIsDestroyed() {
        b.receive(1, 0, 44);
        a.send(2, 0, 44, SIGNALED);
        settle();
        a.queuePair.close();
        settle();
        assertSent(a);
        assertEquals(-Errno.EINVAL, a.send(3, 0, 44, 0));
        assertEquals(-Errno.EINVAL, a.receive(3, 0, 44));
        assertReceived(b, "1:0:44");
    }

    @Test
    void shouldTellOnceForEachTimeTheQueueIsArmed() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        try (Side c = new Side(rnic("rnic-c", 3), Side.REQUESTS, () -> log.add("sent"), () -> log.add("received"));
                Side d = new Side(rnic("rnic-d", 4))) {
            Side.connect(c, d, gidIndex());
            for (int i = 0; i < 8; i++) {
                c.receive(i, 0, 44);
            }
            d.send(1, 0, 44, 0);
            settle();
            assertEquals(List.of(), log);
            c.received.arm(false);
            settle();
            // What came before does not count.
            assertEquals(List.of(), log);
            d.send(2, 0, 44, 0);
            d.send(3, 0, 44, 0);
            settle();
            assertEquals(List.of("received"), log);
            c.received.arm(true);
            d.send(4, 0, 44, 0);
            settle();
            assertEquals(List.of("received"), log);
            d.send(5, 0, 44, SOLICITED);
            settle();
            assertEquals(List.of("received", "received"), log);
            c.received.arm(true);
            c.queuePair.fail();
            settle();
            assertEquals(List.of("received", "received", "received"), log);
        }
    }

    @Test
    void shouldFailTheQueuePairWhoseCompletionFindsNoRoom() throws Exception {
        SoftwareDevice small = rnic("rnic-small", 5);
        try (Side c = new Side(small)) {
            CompletionQueue tiny = small.createCompletionQueue(2, () -> { });
            QueuePair pair = c.domain.createQueuePair(new QueuePairAttributes(tiny, tiny, 8, 8, 1, 1, 0));
            pair.initialize(1);
            for (int i = 0; i < 3; i++) {
                pair.postReceive(i, c.address(0), 44, c.region.lkey());
            }
            pair.fail();
            assertEvents(c, new Event(Event.Kind.QUEUE_PAIR_FATAL, 1, pair.number()));
            Completions completions = new Completions(8);
            assertEquals(2, tiny.poll(completions));
        }
    }

    @Test
    void shouldGiveEveryQueuePairAnotherNumber() throws Exception {
        QueuePair other = a.domain.createQueuePair(new QueuePairAttributes(a.sent, a.received, 1, 1, 1, 1, 0));
        assertNotEquals(a.queuePair.number(), other.number());
        assertTrue(other.number() > 1 && other.number() <= 0xFF_FFFF);
    }
}
