package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.roce.RoceException;

/** A reader that takes nothing does not stop the writer before TCP's buffers would have. */
@Timeout(30)
class ReceiveOverflowTest extends ConnectionFixture {
    private static final int MOST = ReceiveOverflow.LIMIT + 2 * RING;

    @BeforeEach
    void openOverflowing() throws RoceException {
        open(Options.PLAIN.onTcp().overflowing());
        client.connection.publishSwitch(0);
        server.connection.publishSwitch(0);
    }

    /** Sends from the position on as long as something is taken within half a second. */
    private long fill(TestEnd from, long position, int most) {
        long sent = position;
        for (int idle = 0; idle < 50 && sent < most;) {
            int n = from.send(sent, (int) Math.min(10_000, most - sent));
            sent += n;
            idle = n == 0 ? idle + 1 : 0;
            settle();
        }
        return sent;
    }

    private void readAll(TestEnd by, long from, long to) {
        for (long position = from; position < to;) {
            int n = by.receive(position, (int) Math.min(70_000, to - position));
            assertTrue(n > 0, "nothing at " + position);
            position += n;
            assertEquals(position, by.connection.bytesReceived());
            settle();
        }
    }

    @Test
    void shouldLetBothEndsWriteMegabytesBeforeTheyRead() {
        int length = 4_000_000;
        assertEquals(length, fill(client, 0, length));
        assertEquals(length, fill(server, 0, length));
        assertTrue(server.connection.available() > length - RING, "the rest is still in the client's send buffer");
        assertEquals(0, server.connection.bytesReceived());
        readAll(server, 0, length);
        readAll(client, 0, length);
        assertEquals(0, server.connection.unread());
        assertEquals(0, server.receive(length, 1));
    }

    @Test
    void shouldTakeNoMoreThanItsLimitUntilTheReaderGoesOn() {
        long sent = fill(client, 0, 2 * MOST);
        assertTrue(sent > ReceiveOverflow.LIMIT && sent <= MOST, sent + " bytes taken");
        assertFalse(client.connection.hasSpace());
        readAll(server, 0, 2_000_000);
        long more = fill(client, sent, 2 * MOST);
        assertTrue(more - sent > 2_000_000 - 2 * RING, (more - sent) + " more bytes taken when 2,000,000 were read");
        readAll(server, 2_000_000, more);
    }

    @Test
    void shouldTakeNothingOutWhileTheReaderReadsOrIsNotToBeRelieved() throws RoceException {
        for (int i = 0; i < 100; i++) {
            client.send(i * 1000L, 1000);
            settle();
            server.receive(i * 1000L, 1000);
            assertEquals(0, server.connection.available());
        }
        open(Options.PLAIN);
        assertEquals(2 * RING, fill(client, 0, MOST));
    }

    @Test
    void shouldLeaveAnUrgentByteToTheReader() {
        client.send(0, 100);
        client.connection.sendUrgent(TestEnd.bytes(100, 1), 0, 1);
        time.advance(SECOND);
        assertEquals(0, client.send(101, 1), "until the urgent byte is read");
        assertEquals(100, server.receive(0, 1000));
        assertEquals(0, server.receive(100, 1000));
        settle();
        long sent = fill(client, 101, 100_000);
        assertEquals(100_000, sent);
        client.connection.sendUrgent(TestEnd.bytes(sent, 1), 0, 1);
        settle();
        time.advance(SECOND);
        assertEquals(sent - 101, server.connection.available());
        assertEquals(TestEnd.pattern(sent) & 0xFF, server.connection.receiveUrgent());
        assertFalse(server.connection.isAtMark());
        readAll(server, 101, sent - 1);
        assertEquals(1, server.receive(sent - 1, 1000));
        assertEquals(sent + 1, server.connection.bytesReceived(), "the urgent byte was passed");
        assertEquals(0, server.connection.available());
    }

    @Test
    void shouldTellThePeerThatBytesWereNotReadWhenClosed() {
        fill(client, 0, 500_000);
        server.connection.close(false, 5 * SECOND);
        settle();
        assertEquals(CdcFlags.CONN_ABORT, client.connection.peerFlags() & CdcFlags.CONN_ABORT);
        assertTrue(server.connection.unread() > 0);
    }
}
