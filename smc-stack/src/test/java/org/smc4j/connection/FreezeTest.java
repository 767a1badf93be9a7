package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.stream.SmcStream;

/** What a connection leaves to TCP when its last link is lost; {@link FailoverTest} cuts the link everywhere. */
@Timeout(30)
class FreezeTest extends ConnectionFixture {
    private int frozen;

    /** Both ends know that their links are lost. */
    private void freezeBoth() throws Exception {
        for (TestEnd end : List.of(client, server)) {
            end.host.workQueues.forEach(queue -> queue.takeDown("cut"));
            end.connection.freeze(() -> frozen++);
        }
        settle();
        assertEquals(2, frozen);
        posted();
    }

    private void assertGoesByTcp(TestEnd from, TestEnd to, long position, int length) {
        assertEquals(position, to.connection.bytesArrived());
        assertEquals(length, from.connection.unconfirmed(position));
        MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
        from.connection.copyUnconfirmed(position, bytes, 0, length);
        assertEquals(-1, bytes.mismatch(TestEnd.bytes(position, length)));
    }

    @Test
    void shouldGiveBackWhatDidNotArriveAndLetTheRestBeRead() throws Exception {
        client.send(0, 100);
        settle();
        hosts.client.rnic(0).setLinkLost(1, true);
        client.send(100, 50);
        client.send(150, 30);
        server.connection.armData(false);
        freezeBoth();
        assertEquals(1, server.data.wakeUps);
        assertTrue(client.connection.isFrozen() && client.connection.isFreezing());
        assertFalse(client.connection.isGone(), "it goes on");
        assertFalse(client.connection.isBroken());
        assertEquals(SmcStream.LOOK, client.send(180, 1));
        assertGoesByTcp(client, server, 100, 80);
        assertGoesByTcp(server, client, 0, 0);
        assertEquals(100, server.receive(0, 1000));
        assertEquals(100, server.connection.bytesReceived());
        assertEquals(0, server.receive(100, 1000));
        assertEquals(List.of(), posted(), "nothing is sent any more");
    }

    @Test
    void shouldNotAgreeWhenThePeerHasReceivedWhatWasNotSentOrNotWhatItHasConfirmed() throws Exception {
        client.send(0, 1000);
        settle();
        client.send(1000, RING - 1000);
        settle();
        client.send(RING, 500);
        freezeBoth();
        assertEquals(RING, server.connection.bytesArrived());
        assertEquals(500, client.connection.unconfirmed(RING));
        assertEquals(-1, client.connection.unconfirmed(RING - 1), "our device was told that it took that");
        assertEquals(-1, client.connection.unconfirmed(RING + 1), "this was never sent");
        assertEquals(-1, client.connection.unconfirmed(-1));
        assertEquals(-1, client.connection.unconfirmed(Long.MAX_VALUE));
    }

    @Test
    void shouldNotCountWhereTheTcpStreamEnds() throws Exception {
        open(Options.PLAIN.onTcp());
        client.connection.publishSwitch(77);
        client.send(0, 100);
        settle();
        server.connection.publishSwitch(78);
        hosts.client.rnic(0).setLinkLost(1, true);
        server.send(0, 40);
        client.send(100, 11);
        freezeBoth();
        assertGoesByTcp(client, server, 100, 11);
        assertGoesByTcp(server, client, 0, 40);
        assertTrue(server.connection.hasSwitched());
        assertFalse(server.connection.isSwitchKnown());
        assertTrue(client.connection.isSwitchKnown());
        assertEquals(-1, client.connection.switchOffset(), "the client goes on with TCP as if nothing had been");
        assertEquals(77, server.connection.switchOffset());
        assertEquals(100, server.receive(0, 1000));
    }

    @Test
    void shouldTellOnceWhenThePeerHasSwitched() throws Exception {
        open(Options.PLAIN.onTcp());
        int[] told = new int[1];
        client.connection.whenPeerSwitched(() -> told[0]++);
        settle();
        assertEquals(0, told[0]);
        server.connection.publishSwitch(78);
        server.send(0, 5);
        settle();
        assertEquals(1, told[0]);
        client.connection.whenPeerSwitched(() -> told[0]++);
        settle();
        assertEquals(2, told[0], "at once if it has");
    }

    @Test
    void shouldGiveBackNothingWhenItNeverSwitched() throws Exception {
        open(Options.PLAIN.onTcp());
        freezeBoth();
        assertFalse(client.connection.publishSwitch(5), "too late");
        assertFalse(client.connection.hasSwitched());
        assertGoesByTcp(client, server, 0, 0);
        assertGoesByTcp(server, client, 0, 0);
    }

    @Test
    void shouldKeepWhatACloseStillHadToSendUntilItIsGone() throws Exception {
        client.send(0, RING);
        settle();
        client.send(RING, 900);
        client.connection.close(false, Long.MAX_VALUE);
        freezeBoth();
        assertGoesByTcp(client, server, RING, 900);
        assertEquals(0, client.finished);
        client.connection.letGo();
        settle();
        assertEquals(1, client.finished);
        server.connection.letGo();
        settle();
        assertEquals(0, server.finished);
        server.connection.close(false, 0);
        settle();
        assertEquals(1, server.finished);
        assertEquals(0, server.connection.peerFlags());
    }

    @Test
    void shouldStillEndWhenItIsClosedBeforeItIsLetGo() throws Exception {
        client.send(0, 10);
        freezeBoth();
        client.connection.close(false, 0);
        settle();
        assertEquals(0, client.finished);
        client.connection.letGo();
        client.connection.letGo();
        settle();
        assertEquals(1, client.finished);
    }

    @Test
    void shouldSayWhichByteIsUrgent() throws Exception {
        client.send(0, 10);
        settle();
        assertEquals(-1, client.connection.unconfirmedUrgent(0));
        hosts.client.rnic(0).setLinkLost(1, true);
        client.connection.sendUrgent(TestEnd.bytes(10, 5), 0, 5);
        freezeBoth();
        assertGoesByTcp(client, server, 10, 5);
        assertEquals(14, client.connection.unconfirmedUrgent(10));
        assertEquals(14, client.connection.unconfirmedUrgent(14));
        assertEquals(-1, client.connection.unconfirmedUrgent(15));
    }

    @Test
    void shouldTakeInNothingMoreOnceTheNumberWasTold() throws Exception {
        client.connection.freeze(() -> frozen++);
        settle();
        forge(cdc(1, 100, 0, 0, CdcFlags.DONE_WRITING));
        assertEquals(0, client.connection.bytesArrived());
        assertEquals(0, client.connection.peerFlags());
        assertEquals((byte) 0, client.receiveBuffer.get(ValueLayout.JAVA_BYTE, 0));
    }
}
