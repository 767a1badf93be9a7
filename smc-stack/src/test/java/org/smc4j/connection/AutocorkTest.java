package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.connection.TestEnd.Options;

/** What is held back, and when it goes (spec/30-cdc.md §6). */
@Timeout(30)
class AutocorkTest extends ConnectionFixture {
    @Test
    void shouldHoldBackWhileAMessageIsOutstandingAndSendAllWithItsCompletion() throws Exception {
        client.send(0, 10);
        assertEquals(List.of("client WRITE 10 at 0", byClient(1, 10, 0, 0, 0)), posted(), "the first is never held back");
        client.send(10, 20);
        client.send(30, 30);
        assertEquals(List.of(), posted());
        // There and back.
        time.advance(2_000);
        assertEquals(List.of("client WRITE 50 at 10", byClient(2, 60, 0, 0, 0)), posted());
        settle();
        client.send(60, 1);
        assertEquals(List.of("client WRITE 1 at 60", byClient(3, 61, 0, 0, 0)), posted(), "nothing is outstanding any more");
    }

    @Test
    void shouldWaitForTheLastOfSeveralMessages() throws Exception {
        client.send(0, 100);
        time.advance(1_000);
        server.receive(0, 100);
        client.connection.push();
        client.send(100, 50);
        client.connection.push();
        posted();
        client.send(150, 7);
        time.advance(1_000);
        assertEquals(List.of(), posted(), "the first has completed");
        time.advance(1_000);
        assertEquals(List.of("client WRITE 7 at 150", byClient(3, 157, 0, 0, 0)), posted());
    }

    @Test
    void shouldSendWhenMoreThanHalfOfTheSendBufferIsPrepared() throws Exception {
        client.send(0, 1);
        client.send(1, 8191);
        client.send(8192, 1);
        assertEquals(List.of("client WRITE 1 at 0", byClient(1, 1, 0, 0, 0)), posted(), "8192 is half of it");
        client.send(8193, 1);
        assertEquals(List.of("client WRITE 8193 at 1", byClient(2, 8194, 0, 0, 0)), posted());
    }

    @Test
    void shouldSendWhenMoreIsPreparedThanTheSettingSays() throws Exception {
        open(Options.PLAIN.autocorking(100));
        client.send(0, 1);
        client.send(1, 100);
        assertEquals(List.of("client WRITE 1 at 0", byClient(1, 1, 0, 0, 0)), posted());
        client.send(101, 1);
        assertEquals(List.of("client WRITE 101 at 1", byClient(2, 102, 0, 0, 0)), posted());
    }

    @Test
    void shouldHoldBackNothingWhenTheSettingIsZero() throws Exception {
        open(Options.PLAIN.autocorking(0));
        client.send(0, 1);
        client.send(1, 1);
        assertEquals(List.of("client WRITE 1 at 0", byClient(1, 1, 0, 0, 0), "client WRITE 1 at 1", byClient(2, 2, 0, 0, 0)), posted());
    }

    @Test
    void shouldSendWhatIsHeldBackWhenItIsPushedOrThePeerReads() throws Exception {
        client.send(0, 3000);
        settle();
        posted();
        client.send(3000, 1);
        client.send(3001, 2);
        client.connection.push();
        assertEquals(List.of("client WRITE 1 at 3000", byClient(2, 3001, 0, 0, 0), "client WRITE 2 at 3001",
                byClient(3, 3003, 0, 0, 0)), posted());
        client.send(3003, 4);
        forgeToServersPeer();
        assertEquals("client WRITE 4 at 3003", posted().getFirst());
    }

    /** The server's consumer cursor reaches the client before its own messages have completed. */
    private void forgeToServersPeer() {
        hosts.posted.clear();
        hosts.server.workQueues.getFirst().send(CdcCodec.encode(cdc(1, 0, 3000, 0, 0)), completed -> { });
        time.advance(1_000);
        hosts.posted.removeIf(posted -> !posted.byClient());
    }

    @Test
    void shouldHoldBackWhenCorkedUntilUncorkedOrFull() throws Exception {
        client.connection.cork(true);
        client.send(0, 10);
        settle();
        assertEquals(List.of(), posted(), "even the first");
        client.connection.cork(false);
        assertEquals(List.of("client WRITE 10 at 0", byClient(1, 10, 0, 0, 0)), posted());
        settle();
        client.connection.cork(true);
        client.send(10, 20_000);
        assertEquals("client WRITE 16374 at 10", posted().getFirst(), "no space is left to hold more back");
        settle();
        server.receive(0, RING);
        settle();
        assertEquals(List.of(byServer(1, 0, RING, 0, 0), "client WRITE 10 at 0", byClient(3, RING + 10, 0, 0, 0)), posted());
        client.send(RING + 10, 5);
        settle();
        assertEquals(List.of(), posted());
        client.connection.shutdownOutput();
        assertEquals(List.of("client WRITE 5 at 10", byClient(4, RING + 15, 0, 0, 0), byClient(5, RING + 15, 0, 0, 0x80)), posted());
    }

    @Test
    void shouldSendAllInOneMessageWhenASlotBecomesFree() throws Exception {
        open(Options.PLAIN.autocorking(0));
        for (int i = 0; i < 20; i++) {
            client.send(i, 1);
        }
        assertEquals(32, posted().size(), "there are 16 slots");
        time.advance(2_000);
        assertEquals(List.of("client WRITE 4 at 16", byClient(17, 20, 0, 0, 0)), posted());
        settle();
        assertEquals(20, server.receive(0, 100));
    }
}
