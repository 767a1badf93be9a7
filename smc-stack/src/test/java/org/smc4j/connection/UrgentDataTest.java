package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.cdc.CdcFlags.URGENT_PENDING;
import static org.smc4j.cdc.CdcFlags.URGENT_PRESENT;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.stream.SmcStream;

/** Urgent data (spec/30-cdc.md §9), beside what the captured conversations show. */
@Timeout(30)
class UrgentDataTest extends ConnectionFixture {
    private int sendUrgent(long position, int length) {
        return client.connection.sendUrgent(TestEnd.bytes(position, length), 0, length);
    }

    @Test
    void shouldTakeNothingUntilThePeerHasConsumedTheUrgentByte() {
        client.send(0, 10);
        assertEquals(1, sendUrgent(10, 1));
        client.connection.armSpace(true);
        assertFalse(client.connection.hasSpace());
        assertFalse(client.connection.isWritable());
        assertEquals(0, client.send(11, 5));
        assertEquals(0, sendUrgent(11, 5));
        settle();
        assertEquals(0, client.send(11, 5));
        server.receive(0, 4);
        settle();
        assertEquals(0, client.send(11, 5));
        assertEquals(0, client.space.wakeUps);
        server.receive(4, 100);
        settle();
        assertEquals(1, client.space.wakeUps);
        assertEquals(5, client.send(11, 5));
    }

    @Test
    void shouldReadTheByteApartBeforeTheDataInFrontOfIt() {
        client.send(0, 10);
        sendUrgent(10, 1);
        settle();
        assertTrue(server.connection.hasUrgent());
        assertEquals(10, server.connection.available());
        assertEquals(TestEnd.pattern(10) & 0xFF, server.connection.receiveUrgent());
        assertFalse(server.connection.hasUrgent());
        assertEquals(-1, server.connection.receiveUrgent(), "read");
        assertEquals(10, server.receive(0, 100));
        assertEquals(11, server.connection.bytesReceived());
        settle();
        client.send(11, 5);
        settle();
        assertEquals(5, server.receive(11, 100));
    }

    @Test
    void shouldReadTheByteWhenNothingIsInFrontOfIt() throws Exception {
        sendUrgent(0, 1);
        settle();
        posted();
        assertEquals(TestEnd.pattern(0) & 0xFF, server.connection.receiveUrgent());
        settle();
        assertEquals(List.of(byServer(1, 0, 1, 0, 0)), posted(), "it was passed, and the peer told");
        client.send(1, 5);
        settle();
        assertEquals(5, server.receive(1, 100));
    }

    @Test
    void shouldNotHaveTheByteAnyMoreWhenDataBehindItWasRead() {
        sendUrgent(0, 1);
        settle();
        assertEquals(0, server.receive(0, 100));
        settle();
        client.send(1, 5);
        settle();
        assertTrue(server.connection.hasUrgent());
        assertEquals(5, server.receive(1, 100));
        assertFalse(server.connection.hasUrgent());
        assertEquals(-1, server.connection.receiveUrgent());
    }

    @Test
    void shouldReadUpToTheByteThenItThenOnWhenInline() {
        server.inline = true;
        client.send(0, 10);
        sendUrgent(10, 3);
        settle();
        assertEquals(13, server.connection.available());
        assertEquals(-1, server.connection.receiveUrgent());
        assertEquals(12, server.receive(0, 100));
        assertTrue(server.connection.isAtMark());
        assertEquals(1, server.receive(12, 100));
        assertFalse(server.connection.isAtMark());
        settle();
        client.send(13, 4);
        settle();
        assertEquals(4, server.receive(13, 100));
    }

    @Test
    void shouldAnnounceTheByteBeforeThereIsSpaceForIt() throws Exception {
        client.send(0, RING);
        settle();
        posted();
        // The send buffer takes it, the peer's ring does not.
        assertEquals(5, sendUrgent(RING, 5));
        settle();
        assertEquals(List.of(), posted());
        assertFalse(server.connection.hasUrgent());
        server.receive(0, 10_000);
        settle();
        assertEquals(List.of(byServer(1, 0, 10_000, 0, 0), "client WRITE 5 at 0",
                byClient(2, RING + 5, 0, URGENT_PENDING | URGENT_PRESENT, 0)), posted());
        assertTrue(server.connection.hasUrgent());
    }

    /** A part of an urgent send is data; the byte is the last one of the rest. */
    @Test
    void shouldMarkTheLastByteWhenTheSendBufferTakesThemInParts() throws Exception {
        client.send(0, RING - 2);
        settle();
        client.send(RING - 2, RING - 10);
        posted();
        assertEquals(8 + 2, sendUrgent(2L * RING - 12, 50));
        settle();
        assertFalse(server.connection.hasUrgent());
        server.receive(0, RING);
        settle();
        assertEquals(40, sendUrgent(2L * RING - 2, 40));
        settle();
        server.receive(RING, RING);
        settle();
        assertTrue(server.connection.hasUrgent());
        assertEquals(TestEnd.pattern(2L * RING + 37) & 0xFF, server.connection.receiveUrgent());
    }

    @Test
    void shouldSendTheMarkAgainWhenItWasLostWithTheLink() throws Exception {
        hosts.server.rnic(0).setLinkLost(1, true);
        sendUrgent(0, 3);
        posted();
        hosts.client.workQueues.getFirst().takeDown("cut");
        client.connection.moveTo(client.path(1));
        settle();
        assertEquals("client WRITE 3 at 0", posted().get(1));
        assertTrue(server.connection.hasUrgent());
        assertEquals(2, server.receive(0, 100));
        server.connection.moveTo(server.path(1));
        settle();
        assertEquals(4, client.send(3, 4));
    }

    @Test
    void shouldHaveNoUrgentByteWhenClosed() {
        sendUrgent(0, 1);
        settle();
        server.connection.close(false, 0);
        assertEquals(-1, server.connection.receiveUrgent());
        assertFalse(server.connection.hasUrgent());
        assertEquals(SmcStream.LOOK, server.connection.sendUrgent(TestEnd.bytes(0, 1), 0, 1));
    }
}
