package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.smc4j.connection.WorkQueues.Sizes;
import org.smc4j.linkgroup.LinkTransport;
import org.smc4j.llc.LlcCodec;
import org.smc4j.llc.TestLink;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceException;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.time.VirtualTime;

/** Slots, completions, LLC messages and the end of one queue pair. */
@Timeout(30)
class WorkQueueTest {
    private static final long SECOND = 1_000_000_000L;
    private static final byte[] MESSAGE = LlcCodec.encode(TestLink.request(2));

    private final VirtualTime time = new VirtualTime(1);
    private final RdmaWrites nothing = new RdmaWrites();
    private final List<String> log = new ArrayList<>();
    private LinkedHosts hosts;
    private WorkQueue queue;

    private void open(RnicModel model, Sizes sizes) throws RoceException {
        hosts = new LinkedHosts(time, model, sizes, 1);
        queue = hosts.client.workQueues.getFirst();
        nothing.clear();
    }

    private void open() throws RoceException {
        open(RnicModel.PLAIN, LinkedHosts.SIZES_V2);
    }

    private void settle() {
        assertTrue(time.runUntilIdle(20 * SECOND));
    }

    /** Logs what it is told. */
    private final class Named extends SlotWaiter {
        private final String name;
        private int slot = WorkQueue.NO_SLOT;

        Named(String name) {
            this.name = name;
        }

        @Override
        void slotReserved(WorkQueue workQueue, int reserved) {
            slot = reserved;
            log.add(name);
        }

        @Override
        void slotRefused(WorkQueue workQueue) {
            log.add(name + " refused");
        }
    }

    private boolean post(int slot, String name) {
        queue.message(slot).begin(1, 0x77);
        return queue.post(slot, nothing, 0, 0, (from, status, position, sequence) -> log.add(name + " " + status), 0, 0);
    }

    private int[] takeAll(int count) {
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = queue.reserve(new Named("unexpected"));
            assertTrue(slots[i] >= 0);
        }
        return slots;
    }

    @Test
    void shouldGiveSlotsToWaitersInOrderWhenMessagesComplete() throws Exception {
        open();
        int[] slots = takeAll(16);
        Named first = new Named("first");
        Named cancelled = new Named("cancelled");
        Named third = new Named("third");
        assertEquals(WorkQueue.NO_SLOT, queue.reserve(first));
        assertEquals(WorkQueue.NO_SLOT, queue.reserve(first), "waits once");
        assertEquals(WorkQueue.NO_SLOT, queue.reserve(cancelled));
        assertEquals(WorkQueue.NO_SLOT, queue.reserve(third));
        queue.cancel(cancelled);
        assertTrue(post(slots[0], "a"));
        assertTrue(post(slots[1], "b"));
        assertTrue(post(slots[2], "c"));
        settleBriefly();
        // The handler is called first, then its slot goes to who waits.
        assertEquals(List.of("a 0", "first", "b 0", "third", "c 0"), log);
        assertEquals(slots[0], first.slot);
        assertEquals(slots[2], queue.reserve(new Named("unexpected")));
        for (int slot : slots) {
            queue.release(slot);
        }
        hosts.close();
    }

    private void settleBriefly() {
        time.advance(SECOND);
    }

    @Test
    void shouldGoDownWhenNoSlotBecomesFreeForTenSeconds() throws Exception {
        open();
        int[] slots = takeAll(16);
        queue.reserve(new Named("first"));
        time.advance(3 * SECOND);
        queue.reserve(new Named("second"));
        queue.release(slots[0]);
        time.advance(9 * SECOND);
        assertEquals(List.of("first"), log);
        assertTrue(hosts.client.failed.isEmpty(), "the one that waits now has waited for 9 s");
        time.advance(2 * SECOND);
        assertEquals(List.of(0), hosts.client.failed);
        assertEquals(List.of("first", "second refused"), log);
        assertEquals(WorkQueue.DOWN, queue.reserve(new Named("third")));
        for (int slot : slots) {
            queue.release(slot);
        }
        hosts.close();
    }

    @Test
    void shouldBringLlcMessagesToThePeerWhenSlotsAreThere() throws Exception {
        open();
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] message = MESSAGE.clone();
            message[4] = (byte) i;
            sent.add(message);
            queue.send(message.clone(), completed -> log.add(completed ? "sent" : "failed"));
        }
        settle();
        assertEquals(200, hosts.server.messages.size());
        for (int i = 0; i < 200; i++) {
            assertArrayEquals(sent.get(i), hosts.server.messages.get(i));
        }
        assertEquals(200, log.stream().filter("sent"::equals).count());
        assertTrue(hosts.server.workQueues.getFirst().lastReceiveNanos() > 0);
        hosts.close();
    }

    @Test
    void shouldHaveOneBufferForLongMessages() throws Exception {
        open();
        byte[] message = new byte[LlcCodec.MAX_SIZE];
        message[0] = 0x22;
        message[8191] = 7;
        queue.send(message, completed -> log.add("long " + completed));
        byte[] other = new byte[45];
        other[0] = 0x22;
        queue.send(other, completed -> log.add("second " + completed));
        queue.send(MESSAGE.clone(), completed -> log.add("short " + completed));
        settle();
        assertEquals(List.of("long true", "short true", "second true"), log);
        assertArrayEquals(message, hosts.server.messages.getFirst());
        assertArrayEquals(other, hosts.server.messages.getLast());
        queue.send(new byte[45], completed -> log.add("third " + completed));
        settle();
        assertEquals("third true", log.getLast());
        hosts.close();
    }

    @Test
    void shouldFailLongMessagesThatWaitForTheirBufferWhenTheLinkGoesDown() throws Exception {
        open();
        hosts.client.rnic(0).failRequest(queue.queuePair(), 1, Completions.REMOTE_ACCESS_ERROR);
        for (int i = 0; i < 3; i++) {
            int number = i;
            queue.send(new byte[45], completed -> log.add(number + " " + completed));
        }
        settle();
        assertEquals(List.of("0 false", "1 false", "2 false"), log);
        hosts.close();
    }

    @Test
    void shouldRefuseMoreLlcMessagesThanMayWait() throws Exception {
        open();
        for (int i = 0; i <= LinkTransport.MAX_WAITING_MESSAGES; i++) {
            queue.send(MESSAGE.clone(), completed -> log.add(completed ? "sent" : "failed"));
        }
        settle();
        assertEquals(LinkTransport.MAX_WAITING_MESSAGES, hosts.server.messages.size());
        assertEquals("failed", log.getFirst());
        hosts.close();
    }

    /** Spec/40-buffers-linkgroups.md §10: "send error: link down; handler is still called with the status". */
    @Test
    void shouldGoDownOnceAndCallEveryHandlerWhenARequestFails() throws Exception {
        open();
        hosts.client.rnic(0).failRequest(queue.queuePair(), 2, Completions.REMOTE_ACCESS_ERROR);
        int[] slots = takeAll(4);
        for (int i = 0; i < 4; i++) {
            assertTrue(post(slots[i], "m" + i));
        }
        takeAll(12);
        queue.reserve(new Named("waiter"));
        queue.send(MESSAGE.clone(), completed -> log.add("llc " + completed));
        settle();
        assertEquals(List.of("m0 0", "waiter", "m1 10", "m2 5", "m3 5", "llc false"), log);
        assertEquals(List.of(0), hosts.client.failed);
        assertFalse(post(5, "late"));
        assertEquals(WorkQueue.DOWN, queue.reserve(new Named("late")));
    }

    /** "receive error: retry exceeded, RNR exceeded, flush: link down; others: repost". */
    @ParameterizedTest
    @CsvSource({"1, false", "4, false", "21, false", "5, true", "12, true", "13, true"})
    void shouldGoDownForSomeErrorsOfReceives(int status, boolean down) throws Exception {
        open();
        queue.receiveCompleted(0, status, 0);
        settle();
        assertEquals(down ? List.of(0) : List.of(), hosts.client.failed);
        assertEquals(down, queue.reserve(new Named("any")) == WorkQueue.DOWN);
    }

    @Test
    void shouldDropCdcMessagesThatAreNone() throws Exception {
        open();
        byte[] unknownToken = new byte[44];
        unknownToken[0] = (byte) 0xFE;
        unknownToken[1] = 44;
        byte[] tooShort = {(byte) 0xFE, 44, 0};
        byte[] wrongLength = new byte[44];
        wrongLength[0] = (byte) 0xFE;
        for (byte[] message : List.of(unknownToken, tooShort, wrongLength, new byte[0], new byte[] {1})) {
            queue.send(message, completed -> log.add("sent " + completed));
        }
        settle();
        assertEquals(5, log.size());
        assertEquals(1, hosts.server.messages.size(), "only the last is for the link group");
        assertTrue(hosts.server.failed.isEmpty());
        hosts.close();
    }

    @Test
    void shouldRunDrainsWhenWhatWasPostedBeforeHasCompleted() throws Exception {
        open();
        queue.drain(() -> log.add("nothing to wait for"));
        int[] slots = takeAll(2);
        post(slots[0], "a");
        queue.drain(() -> log.add("drained"));
        post(slots[1], "b");
        queue.drain(() -> log.add("drained again"));
        settle();
        assertEquals(List.of("nothing to wait for", "a 0", "b 0", "drained", "drained again"), log);
        hosts.close();
    }

    /** Requests whose packets get lost complete as flushed, and only then is the queue pair destroyed. */
    @Test
    void shouldWaitForAllCompletionsWhenItEnds() throws Exception {
        open();
        hosts.client.rnic(0).setLinkLost(1, true);
        int[] slots = takeAll(3);
        post(slots[0], "a");
        post(slots[1], "b");
        queue.drain(() -> log.add("drained"));
        queue.fail(() -> log.add("flushed"));
        settle();
        assertEquals(List.of("a 5", "b 5", "drained"), log, "a slot is still out");
        queue.release(slots[2]);
        settle();
        assertEquals(List.of("a 5", "b 5", "drained", "flushed"), log);
        assertTrue(hosts.client.failed.isEmpty(), "nothing is reported after that");
        queue.close();
    }

    @Test
    void shouldEndAtOnceWhenItWasNeverConnected() throws Exception {
        open();
        DeviceCompletions completions = hosts.client.completions.getFirst();
        WorkQueue unused = WorkQueue.open(hosts.client.devices.getFirst(), completions, LinkedHosts.rnicPort(hosts.client.devices.getFirst()), hosts.client.connections, time,
                LinkedHosts.SIZES_V2, null);
        assertNotEquals(queue.queuePair(), unused.queuePair());
        unused.fail(() -> log.add("flushed"));
        settle();
        assertEquals(List.of("flushed"), log);
        unused.close();
        hosts.close();
    }

    @Test
    void shouldTakeHalfAsManyWhenTheDeviceHasNoRoom() throws Exception {
        open(new RnicModel(1_000, 0, 0, 0, 0, 0, 220, 100, SECOND, 7, 60_000, 7), new Sizes(64, 192, false));
        assertEquals(32, takeAll(32).length);
        assertEquals(WorkQueue.NO_SLOT, queue.reserve(new Named("waiter")));
        assertThrows(RoceException.class, () -> open(new RnicModel(1_000, 0, 0, 0, 0, 0, 220, 47, SECOND, 7, 60_000, 7),
                new Sizes(64, 192, false)));
    }

    /** A WRITE was taken, the message behind it was not: its slot is free only when the WRITE has completed. */
    @Test
    void shouldKeepTheSlotWhileAWriteOfItIsOutstanding() throws Exception {
        open();
        TestEnd[] ends = TestEnd.pair(hosts, 0, TestEnd.Options.PLAIN);
        hosts.refused = posted -> posted.byClient() && posted.request().message() != null;
        ends[0].send(0, 100);
        assertEquals(WorkQueue.DOWN, queue.reserve(new Named("late")));
        List<String> posted = hosts.describePosted(ends[0], ends[1]);
        assertEquals(2, posted.size());
        settle();
        assertEquals(List.of(0), hosts.client.failed);
        // Flushed only if the slot came back.
        hosts.close();
        assertEquals(0, ends[0].finished);
        ends[0].connection.kill();
        ends[0].connection.close(true, 0);
        settle();
        assertEquals(1, ends[0].finished);
    }

    @Test
    void shouldSendSignaledSolicitedAndInlineWhatIsSmall() throws Exception {
        open();
        TestEnd[] ends = TestEnd.pair(hosts, 0, TestEnd.Options.PLAIN.autocorking(0));
        ends[0].send(0, 219);
        ends[0].send(219, 220);
        List<Integer> flags = hosts.posted.stream().map(posted -> posted.request().flags()).toList();
        int message = QueuePair.SIGNALED | QueuePair.SOLICITED | QueuePair.INLINE;
        assertEquals(List.of(QueuePair.INLINE, message, 0, message), flags);
        settle();
        hosts.close();
    }
}
