package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.cdc.CdcMessage;
import org.smc4j.cdc.Cursor;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.diag.SmcState;
import org.smc4j.status.StreamCounts;
import org.smc4j.stream.SmcStream;

/** Data, space, window updates, and what is believed of the peer. */
@Timeout(30)
class TransferTest extends ConnectionFixture {
    @ParameterizedTest
    @CsvSource({"16384, 16384", "16384, 65536", "65536, 16384", "32768, 16384"})
    void shouldCarryEveryByteThroughRingsOfAnySize(int sendSize, int receiveSize) throws Exception {
        open(Options.PLAIN.sizes(sendSize, receiveSize));
        SplittableRandom random = new SplittableRandom(sendSize + receiveSize);
        long sent = 0;
        long received = 0;
        while (received < 2_000_000) {
            int most = random.nextInt(3) == 0 ? 70_000 : 300;
            int n = client.send(sent, 1 + random.nextInt(most));
            sent += n;
            assertEquals(sent, client.connection.bytesSent());
            if (random.nextInt(3) == 0 || n == 0) {
                time.advance(random.nextInt(5000));
            }
            received += server.receive(received, 1 + random.nextInt(most));
            assertEquals(received, server.connection.bytesReceived());
        }
        assertFalse(client.connection.isGone() || server.connection.isGone());
    }

    @Test
    void shouldWriteRoundTheEndsOfBothRings() throws Exception {
        open(Options.PLAIN.sizes(16384, 32768));
        for (int i = 0; i < 2; i++) {
            client.send(15_000 * i, 15_000);
            settle();
            server.receive(15_000 * i, 15_000);
            settle();
        }
        hosts.posted.clear();
        client.send(30_000, 10_000);
        // The peer's ring ends at 32768, and our buffer of 16384 there too.
        assertEquals(List.of(List.of(2768), List.of(7232)), pieces());
        settle();
        server.receive(30_000, 10_000);
        settle();
        hosts.posted.clear();
        client.send(40_000, 16_000);
        assertEquals(List.of(List.of(9152, 6848)), pieces());
        settle();
        server.receive(40_000, 16_000);
        settle();
        hosts.posted.clear();
        client.send(56_000, 15_000);
        assertEquals(List.of(List.of(9536), List.of(5464)), pieces());
    }

    private List<List<Integer>> pieces() {
        return hosts.posted.stream().filter(one -> one.byClient() && one.request().message() == null)
                .map(one -> one.request().pieces()).toList();
    }

    @Test
    void shouldTakeAllOrNothingWhenTheWholeIsWanted() {
        ReentrantLock lock = new ReentrantLock();
        assertEquals(16_000, client.connection.sendWhole(TestEnd.bytes(0, 16_000), 0, 16_000, lock));
        assertEquals(0, client.connection.sendWhole(TestEnd.bytes(16_000, 385), 0, 385, lock));
        lock.lock();
        assertEquals(0, client.connection.sendWhole(TestEnd.bytes(16_000, 384), 0, 384, lock));
        lock.unlock();
        assertEquals(384, client.connection.sendWhole(TestEnd.bytes(16_000, 384), 0, 384, lock));
        settle();
        assertEquals(16384, server.receive(0, 20_000));
    }

    @Test
    void shouldCountCallsAndFullBuffers() throws Exception {
        open(Options.PLAIN.sizes(16384, 32768));
        client.send(0, 16384);
        assertEquals(0, client.send(16384, 1), "our buffer is full");
        settle();
        client.send(16384, 16384);
        settle();
        client.send(32768, 16384);
        assertEquals(0, client.send(49152, 1), "both are");
        assertEquals(0, client.connection.sendWhole(TestEnd.bytes(49152, 1), 0, 1, new ReentrantLock()));
        assertEquals(new StreamCounts(49152, 0, 3, 0, 2, 1, 0), client.connection.counts());
        server.receive(0, 1000);
        server.receive(1000, 31768);
        assertEquals(0, server.receive(32768, 1));
        assertEquals(new StreamCounts(0, 32768, 0, 2, 0, 0, 1), server.connection.counts());
    }

    @Test
    void shouldWakeWhoWaits() {
        server.connection.armData(true);
        client.send(0, 10);
        settle();
        assertEquals(1, server.data.wakeUps);
        client.send(10, 16_374);
        settle();
        assertEquals(1, server.data.wakeUps, "nobody has asked again");
        client.send(16_384, 16_384);
        client.connection.armSpace(false);
        assertFalse(client.connection.hasSpace());
        server.receive(0, 16_384);
        settle();
        assertEquals(1, client.space.wakeUps);
        assertTrue(client.connection.isWritable());
    }

    /** Spec/30-cdc.md §6: more than max(RMBE/10, 2304) to tell, and at most half of the ring free for the sender, or it is blocked. */
    @Test
    void shouldTellTheCursorWhenTheRuleSaysSo() throws Exception {
        client.send(0, 8191);
        settle();
        server.receive(0, 2304);
        server.receive(2304, 5887);
        settle();
        assertEquals(List.of("client WRITE 8191 at 0", byClient(1, 8191, 0, 0, 0)), posted(), "8193 bytes are free for the sender");
        client.send(8191, 1);
        settle();
        server.receive(8191, 1);
        settle();
        assertEquals(List.of("client WRITE 1 at 8191", byClient(2, 8192, 0, 0, 0), byServer(1, 0, 8192, 0, 0)), posted());

        client.send(8192, 16384);
        settle();
        posted();
        server.receive(8192, 2304);
        settle();
        assertEquals(List.of(), posted(), "2304 is not more than 2304");
        server.receive(8192 + 2304, 1);
        settle();
        assertEquals(List.of(byServer(2, 0, 8192 + 2305, 0, 0)), posted());
        // Now 13888 bytes are free for the sender, who is still blocked as far as the reader knows.
        server.receive(8192 + 2305, 2305);
        settle();
        assertEquals(List.of(byServer(3, 0, 8192 + 4610, 0, 0)), posted());
    }

    @Test
    void shouldTellTheCursorWithDataAndThenNotAgain() throws Exception {
        client.send(0, 10_000);
        settle();
        posted();
        server.send(0, 5);
        settle();
        server.receive(0, 10_000);
        settle();
        assertEquals(List.of("server WRITE 5 at 0", byServer(1, 5, 0, 0, 0), byServer(2, 5, 10_000, 0, 0)), posted());
        server.send(5, 5);
        settle();
        assertEquals(List.of("server WRITE 5 at 5", byServer(3, 10, 10_000, 0, 0)), posted());
    }

    /** Spec/30-cdc.md §6: "failed window update: retried from the tx worker". */
    @Test
    void shouldTellTheCursorLaterWhenThereIsNoSlotForIt() throws Exception {
        client.send(0, RING);
        settle();
        posted();
        WorkQueue queue = hosts.server.workQueues.getFirst();
        int[] slots = new int[16];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = queue.reserve(NOBODY);
        }
        server.receive(0, RING);
        settle();
        assertEquals(List.of(), posted());
        for (int slot : slots) {
            queue.release(slot);
        }
        settle();
        assertEquals(List.of(byServer(1, 0, RING, 0, 0)), posted());
    }

    private static final SlotWaiter NOBODY = new SlotWaiter() {
        @Override
        void slotReserved(WorkQueue from, int slot) {
            throw new AssertionError("all were free");
        }

        @Override
        void slotRefused(WorkQueue from) {
        }
    };

    /** "Rolled back if the post fails" (§7): else the peer would miss a message that never was, and call the connection out of sync. */
    @Test
    void shouldCountNoMessageThatWasNotPosted() throws Exception {
        client.send(0, 10);
        settle();
        hosts.refused = posted -> posted.byClient() && posted.link() == 0;
        client.send(10, 10);
        hosts.refused = posted -> false;
        posted();
        settle();
        client.connection.moveTo(client.path(1));
        settle();
        assertEquals(List.of(byClient(0, 0, 0, CdcFlags.FAILOVER_VALIDATION, 0), "client WRITE 10 at 10", byClient(2, 20, 0, 0, 0)),
                posted());
        assertEquals(20, server.receive(0, 100));
        assertFalse(server.connection.isBroken());
    }

    @Test
    void shouldAnswerWhenThePeerAsksForTheCursor() throws Exception {
        forge(cdc(1, 0, 0, CdcFlags.UPDATE_REQUESTED, 0));
        assertEquals(List.of(byClient(1, 0, 0, 0, 0)), posted());
        forge(cdc(2, 0, 0, 0, 0));
        assertEquals(List.of(), posted());
    }

    @Test
    void shouldSendNothingBeforeItIsActive() throws Exception {
        open(Options.PLAIN.inactive());
        assertEquals(SmcState.INIT, client.connection.state());
        client.send(0, 10);
        settle();
        assertEquals(List.of(), posted());
        client.connection.activate();
        settle();
        assertEquals(List.of("client WRITE 10 at 0", byClient(1, 10, 0, 0, 0)), posted());
        assertEquals(10, server.receive(0, 10), "the server is not active yet, but takes in what comes");
    }

    /** What a client sends by RDMA may overtake its Confirm. */
    @Test
    void shouldTakeInWhatCameBeforeTheHandshakeWasOver() {
        hosts.client.connections.remove(5);
        hosts.client.connections.expect(5);
        forge(cdc(1, 100, 0, 0, 0));
        forge(cdc(2, 100, 0, 0, CdcFlags.DONE_WRITING));
        assertEquals(0, client.connection.available());
        hosts.client.connections.add(5, client.connection);
        assertEquals(100, client.connection.available());
        assertEquals(CdcFlags.DONE_WRITING, client.connection.peerFlags());
        forge(cdc(3, 150, 0, 0, CdcFlags.DONE_WRITING));
        assertEquals(150, client.connection.available());
    }

    @Test
    void shouldSayWhereTheTcpStreamEndsWhenItBeganThere() throws Exception {
        open(Options.PLAIN.onTcp());
        assertEquals(-1, server.connection.switchOffset());
        assertEquals(0, client.connection.bytesSent());
        assertFalse(client.connection.hasSwitched());
        assertTrue(client.connection.publishSwitch(0x1_0000_0002L));
        assertTrue(client.connection.hasSwitched());
        assertFalse(client.connection.isSwitchKnown());
        settle();
        assertEquals(List.of("client WRITE 8 at 0", byClient(1, 8, 0, 0, 0), byServer(1, 0, 8, 0, 0)), posted(),
                "and the server says at once that it knows");
        assertEquals(0x1_0000_0002L, server.connection.switchOffset());
        assertTrue(client.connection.isSwitchKnown());
        assertEquals(0, server.connection.available());
        assertEquals(100, client.send(0, 100));
        assertEquals(100, client.connection.bytesSent());
        settle();
        assertEquals(List.of("client WRITE 100 at 8", byClient(2, 108, 0, 0, 0)), posted());
        assertEquals(100, server.connection.available());
        assertEquals(100, server.connection.bytesArrived());
        assertEquals(100, server.receive(0, 1000));
        assertEquals(100, server.connection.bytesReceived());
    }

    // -- What the peer must not do --

    private void assertAborted() throws Exception {
        assertTrue(client.connection.isBroken());
        assertTrue(client.connection.isGone());
        assertEquals(SmcStream.LOOK, client.receive(0, 100));
        assertEquals(SmcStream.LOOK, client.send(0, 1));
        assertEquals(SmcState.CLOSED, client.connection.state());
        List<String> last = posted();
        assertTrue(last.getLast().endsWith("stateFlags=32]"), last.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 16384, 0, 0, producer beyond the ring",
        "1, 1, 0, 0, more than the ring holds",
        "0, -1, 0, 0, producer of 4 GiB",
        "0, 0, 0, 11, consumed what was not sent",
        "0, 0, 0, 16384, consumer beyond the ring",
        "0, 0, 1, 0, consumed a whole lap",
        "30000, 5, 0, 0, many laps ahead",
    })
    void shouldAbortThatConnectionOnlyWhenACursorIsImpossible(int producerWrap, long producerCount, int consumerWrap,
                                                              long consumerCount, String why) throws Exception {
        TestEnd[] others = TestEnd.pair(hosts, 0, Options.PLAIN.tokens(15, 16));
        client.send(0, 10);
        settle();
        forge(new CdcMessage(1, 5, new Cursor(producerWrap, producerCount & 0xFFFF_FFFFL),
                new Cursor(consumerWrap, consumerCount), 0, 0));
        settle();
        assertAborted();
        assertEquals(CdcFlags.CONN_ABORT, server.connection.peerFlags());
        others[1].send(0, 20);
        settle();
        assertEquals(20, others[0].receive(0, 20), why);
        assertTrue(hosts.client.failed.isEmpty(), "the link is as good as before");
    }

    @Test
    void shouldBelieveAPeerThatFillsTheRingAndNoMore() throws Exception {
        forge(cdc(1, RING, 0, CdcFlags.WRITE_BLOCKED, 0));
        assertEquals(RING, client.connection.available());
        client.connection.receive(TestEnd.bytes(0, 1000), 0, 1000);
        // It was not told of those 1000, so it cannot have written there.
        forge(cdc(2, RING + 1000, 0, 0, 0));
        assertAborted();
    }

    @Test
    void shouldIgnoreCursorsFromBeforeAndOldMessages() throws Exception {
        client.send(0, 100);
        settle();
        forge(cdc(5, 50, 60, 0, 0));
        forge(cdc(6, 40, 50, 0, 0));
        assertEquals(50, client.connection.available());
        assertEquals(40, client.connection.unconsumed());
        forge(cdc(4, 70, 70, 0, CdcFlags.DONE_WRITING));
        assertEquals(50, client.connection.available(), "the sequence number is old");
        assertEquals(0, client.connection.peerFlags());
        forge(cdc(6, 70, 70, 0, 0));
        assertEquals(70, client.connection.available(), "an equal one is not");
        assertFalse(client.connection.isBroken());
    }
}
