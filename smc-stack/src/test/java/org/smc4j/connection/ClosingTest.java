package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.cdc.CdcFlags.CONN_ABORT;
import static org.smc4j.cdc.CdcFlags.CONN_CLOSED;
import static org.smc4j.cdc.CdcFlags.DONE_WRITING;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.diag.SmcState;
import org.smc4j.stream.SmcStream;

/** Shutdown, close, abort and the end of the link group, beside what the captured conversations show. */
@Timeout(30)
class ClosingTest extends ConnectionFixture {
    private void assertStates(SmcState atClient, SmcState atServer) {
        settle();
        assertEquals(List.of(atClient, atServer), List.of(client.connection.state(), server.connection.state()));
    }

    /** The peer does not read, and 3000 bytes wait for space in its ring when the client closes. */
    private void closeWithMoreThanFits(long drainNanos) {
        client.send(0, RING);
        settle();
        client.send(RING, 3000);
        client.connection.close(false, drainNanos);
    }

    private void assertFinished(int atClient, int atServer) {
        settle();
        assertEquals(List.of(atClient, atServer), List.of(client.finished, server.finished));
    }

    @Test
    void shouldSayThatNothingFollowsWhenAllIsSent() throws Exception {
        client.send(0, RING);
        settle();
        client.send(RING, 5000);
        posted();
        client.connection.shutdownOutput();
        assertEquals(SmcStream.LOOK, client.send(0, 1));
        assertStates(SmcState.ACTIVE, SmcState.ACTIVE);
        time.advance(10 * SECOND);
        assertEquals(List.of(), posted(), "however long the peer takes to read");
        server.receive(0, RING);
        assertStates(SmcState.PEERCLOSEWAIT1, SmcState.APPCLOSEWAIT1);
        List<String> sent = posted();
        assertEquals(byClient(3, RING + 5000, 0, 0, DONE_WRITING), sent.getLast());
        assertEquals(5000, server.receive(RING, RING));
        server.send(0, 100);
        settle();
        assertEquals(100, client.receive(0, 100), "the other direction goes on");
    }

    @Test
    void shouldSendTheRestBeforeItCloses() throws Exception {
        closeWithMoreThanFits(5 * SECOND);
        assertTrue(client.connection.isClosed());
        assertStates(SmcState.ACTIVE, SmcState.ACTIVE);
        server.receive(0, RING);
        settle();
        assertEquals(3000, server.receive(RING, RING));
        assertEquals(CONN_CLOSED, server.connection.peerFlags());
        assertFinished(0, 0);
        server.connection.close(false, 0);
        assertFinished(1, 1);
        time.advance(10 * SECOND);
        assertFinished(1, 1);
    }

    /** The kernel would say that all is well; the peer could take what it has for all there was. */
    @Test
    void shouldAbortWhenTheTimeForTheRestIsOver() throws Exception {
        closeWithMoreThanFits(2 * SECOND);
        time.advance(2 * SECOND - 10 * MILLI);
        assertEquals(0, server.connection.peerFlags());
        time.advance(20 * MILLI);
        assertEquals(CONN_ABORT, server.connection.peerFlags());
        assertStates(SmcState.PEERCLOSEWAIT1, SmcState.PROCESSABORT);
        server.connection.close(false, 0);
        assertFinished(1, 1);
    }

    @Test
    void shouldAbortAtOnceWhenAskedTo() {
        client.send(0, RING);
        settle();
        client.send(RING, 3000);
        client.connection.close(true, 5 * SECOND);
        settle();
        assertEquals(CONN_ABORT, server.connection.peerFlags());
        assertEquals(RING, server.connection.available());
        server.connection.close(false, 0);
        assertFinished(1, 1);
    }

    @Test
    void shouldEndTheDrainWhenThePeerAborts() {
        closeWithMoreThanFits(Long.MAX_VALUE);
        settle();
        server.connection.close(false, 0);
        settle();
        assertEquals(CONN_ABORT, client.connection.peerFlags());
        assertFinished(1, 1);
    }

    /** Spec/50-sockets.md §2: "state changed while draining: the rule of the new state is applied". */
    @Test
    void shouldFollowTheNewStateWhenThePeerShutsDownDuringTheDrain() throws Exception {
        closeWithMoreThanFits(Long.MAX_VALUE);
        server.connection.shutdownOutput();
        assertStates(SmcState.APPCLOSEWAIT1, SmcState.PEERCLOSEWAIT1);
        posted();
        server.receive(0, RING);
        settle();
        assertEquals(3000, server.receive(RING, RING));
        assertTrue(posted().contains(byClient(3, RING + 3000, 0, 0, CONN_CLOSED)));
        // Not PEERCLOSEWAIT1, in which it would be closed only with the peer's next word.
        assertStates(SmcState.PEERFINCLOSEWAIT, SmcState.APPFINCLOSEWAIT);
        server.connection.close(false, 0);
        assertFinished(1, 1);
    }

    @Test
    void shouldEndTheDrainWhenTheLinkGroupEnds() {
        closeWithMoreThanFits(Long.MAX_VALUE);
        assertStates(SmcState.ACTIVE, SmcState.ACTIVE);
        client.connection.kill();
        assertFinished(1, 0);
        assertEquals(CONN_ABORT, server.connection.peerFlags());
    }

    /** The close comes while the handshake is under way, which succeeds all the same: nothing comes back to life. */
    @Test
    void shouldStayClosedWhenTheHandshakeSucceedsAfterwards() throws Exception {
        open(Options.PLAIN.inactive());
        client.connection.close(true, 0);
        client.connection.activate();
        server.connection.activate();
        assertFinished(1, 0);
        assertEquals(SmcState.CLOSED, client.connection.state());
        assertEquals(List.of(), posted());
        server.connection.hangUp();
        server.connection.close(false, 0);
        assertFinished(1, 1);
    }

    /** What the second end does, at every moment after the first has closed with data on its way in both directions. */
    enum Second {
        CLOSES, ABORTS, SHUTS_DOWN, IS_KILLED, HANGS_UP
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndOnceWheneverTheOtherEndDoesSomething(Second second) throws Exception {
        for (int moment = 0; moment < 40; moment++) {
            open(Options.PLAIN);
            client.send(0, 5000);
            server.send(0, 5000);
            client.connection.close(false, MILLI);
            time.advance(moment * 250L);
            switch (second) {
                case CLOSES -> server.connection.close(false, MILLI);
                case ABORTS -> server.connection.close(true, 0);
                case SHUTS_DOWN -> server.connection.shutdownOutput();
                case IS_KILLED -> server.connection.kill();
                case HANGS_UP -> server.connection.hangUp();
            }
            settle();
            if (second == Second.CLOSES || second == Second.ABORTS) {
                assertFinished(1, 1);
            }
            server.connection.close(false, 0);
            client.connection.hangUp();
            server.connection.hangUp();
            assertFinished(1, 1);
        }
    }

    @Test
    void shouldCloseTwiceWithoutEffect() throws Exception {
        assertTrue(client.connection.close(false, 0));
        settle();
        posted();
        assertFalse(client.connection.close(true, 0));
        client.connection.shutdownOutput();
        client.connection.kill();
        settle();
        assertEquals(List.of(), posted().stream().filter(text -> text.startsWith("client Cdc")).skip(1).toList());
    }

    @Test
    void shouldRefuseTransfersOnceClosed() {
        server.send(0, 100);
        settle();
        client.connection.close(false, 0);
        assertEquals(100, client.connection.unread());
        assertEquals(SmcStream.LOOK, client.send(0, 1));
        assertEquals(SmcStream.LOOK, client.receive(0, 1));
        assertEquals(0, client.connection.available());
        settle();
        assertEquals(CONN_ABORT, server.connection.peerFlags(), "with unread data");
        assertEquals(SmcStream.LOOK, server.send(100, 1));
    }

    @Test
    void shouldWakeWhoWaitsWhenThePeerSaysSomething() {
        server.connection.armData(true);
        server.connection.armSpace(true);
        client.connection.shutdownOutput();
        settle();
        assertEquals(1, server.data.wakeUps);
        assertEquals(1, server.space.wakeUps);
        assertEquals(DONE_WRITING, server.connection.peerFlags());
    }

    @Test
    void shouldTellThePeerOnceWhenTheLinkGroupEnds() throws Exception {
        client.send(0, 100);
        settle();
        posted();
        client.connection.armData(true);
        client.connection.kill();
        assertEquals(List.of(byClient(2, 100, 0, 0, CONN_ABORT)), posted(), "within the call");
        assertEquals(SmcState.CLOSED, client.connection.state());
        assertEquals(1, client.data.wakeUps);
        assertTrue(client.connection.isGone());
        assertEquals(SmcStream.LOOK, client.send(100, 1));
        settle();
        assertEquals(SmcState.PROCESSABORT, server.connection.state());
        assertEquals(100, server.receive(0, 100), "what had arrived");
        assertFinished(0, 0);
        client.connection.close(false, 0);
        server.connection.close(false, 0);
        assertFinished(1, 1);
    }

    @Test
    void shouldBeAbortedEvenIfNothingCanBeSent() {
        hosts.client.workQueues.getFirst().takeDown("cut");
        client.connection.kill();
        assertEquals(SmcState.CLOSED, client.connection.state());
        client.connection.close(false, Long.MAX_VALUE);
        assertFinished(1, 0);
    }

    @Test
    void shouldEndWithoutThePeerWhenThatHungUp() {
        server.send(0, 100);
        settle();
        client.connection.hangUp();
        assertTrue(client.connection.isHungUp());
        assertFalse(client.connection.isBroken());
        assertEquals(100, client.receive(0, 1000), "what it had sent");
        assertEquals(SmcStream.LOOK, client.send(0, 1));
        client.connection.close(false, Long.MAX_VALUE);
        assertFinished(1, 0);
        server.connection.close(false, Long.MAX_VALUE);
        assertStates(SmcState.CLOSED, SmcState.PEERCLOSEWAIT1);
        server.connection.hangUp();
        assertFinished(1, 1);
    }

    @Test
    void shouldEndWhenItNeverBecameActive() throws Exception {
        open(Options.PLAIN.inactive());
        client.connection.close(false, 0);
        assertFinished(1, 0);
        server.connection.kill();
        assertEquals(SmcState.INIT, server.connection.state());
        server.connection.close(true, 0);
        assertFinished(1, 1);
        assertEquals(List.of(), posted());
    }

    /** A close that the peer does not know of is not the end: the link is lost right after the message was posted. */
    @Test
    void shouldSayItAgainOnTheOtherLinkWhenACloseWasLost() throws Exception {
        server.connection.close(false, 0);
        settle();
        hosts.server.rnic(0).setLinkLost(1, true);
        client.connection.close(false, 0);
        settle();
        assertEquals(SmcState.CLOSED, client.connection.state());
        assertFinished(0, 0);
        hosts.client.workQueues.getFirst().takeDown("cut");
        client.connection.moveTo(client.path(1));
        assertFinished(1, 1);
        assertTrue(posted().getLast().endsWith("stateFlags=64]"));
    }

    /** Buffers stay as long as a work request names them. */
    @Test
    void shouldNotEndBeforeItsMessagesHaveCompleted() {
        client.connection.shutdownOutput();
        server.connection.shutdownOutput();
        settle();
        server.connection.close(false, 0);
        settle();
        client.connection.close(false, 0);
        assertEquals(SmcState.CLOSED, client.connection.state());
        assertEquals(0, client.finished);
        time.advance(1_000);
        assertEquals(0, client.finished);
        time.advance(1_001);
        assertEquals(1, client.finished);
    }

    @Test
    void shouldBeSettledWhenThePeersDeviceHasTheEnd() throws Exception {
        client.send(0, 100);
        assertFalse(client.connection.isSettled());
        settle();
        assertTrue(client.connection.isSettled());
        client.connection.close(false, Long.MAX_VALUE);
        assertFalse(client.connection.isSettled(), "the message that says so is on its way");
        settle();
        assertTrue(client.connection.isSettled());
    }
}
