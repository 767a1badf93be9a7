package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.stream.SmcStream;

/** What happens on a TCP connection when both ends of a connection, or one and somebody else, go back to it. */
@Timeout(30)
class TcpContinuationTest extends ConnectionFixture {
    private static final long MAGIC = 0x534D_4334_4A54_4350L;
    private static final long LIMIT_NANOS = 5 * SECOND;

    private final Arena arena = Arena.ofAuto();
    private final List<Integer> open = new ArrayList<>();
    private int clientFd;
    private int serverFd;
    private int changes;

    @BeforeEach
    void connectTcp() throws Exception {
        open(Options.PLAIN.onTcp());
        int listener = opened(TcpSocket.open(4));
        assertEquals(0, TcpSocket.bind(listener, new Address(new byte[] {127, 0, 0, 1}, 0)));
        assertEquals(0, TcpSocket.listen(listener, 1));
        clientFd = opened(TcpSocket.open(4));
        int result = TcpSocket.connect(clientFd, SocketAddresses.local(listener));
        assertTrue(result == 0 || result == -Errno.EINPROGRESS, () -> Errno.describe(result));
        await(() -> (serverFd = TcpSocket.accept(listener)) >= 0);
        opened(serverFd);
        for (TestEnd end : List.of(client, server)) {
            assertTrue(end.connection.publishSwitch(0));
        }
        settle();
        assertTrue(client.connection.isSwitchKnown() && server.connection.isSwitchKnown());
    }

    @AfterEach
    void closeTcp() {
        open.forEach(Linux::close);
    }

    private int opened(int fd) {
        assertTrue(fd >= 0, () -> Errno.describe(fd));
        open.add(fd);
        return fd;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "not in time");
            Thread.onSpinWait();
        }
    }

    private void cut() {
        hosts.client.rnic(0).setLinkLost(1, true);
    }

    private void freeze(TestEnd end) {
        end.host.workQueues.forEach(queue -> queue.takeDown("cut"));
        end.connection.freeze(() -> { });
        settle();
        assertTrue(end.connection.isFrozen());
    }

    private TcpContinuation continuation(TestEnd end) {
        freeze(end);
        return new TcpContinuation(end.connection, Linux.duplicate(end == client ? clientFd : serverFd), (fd, offset) -> 0, () -> changes++);
    }

    private MemorySegment nativeBytes(long position, int length) {
        return arena.allocate(Math.max(1, length)).copyFrom(TestEnd.bytes(position, length));
    }

    private static void assertReceives(TcpContinuation from, long position, int length) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment target = scratch.allocate(length);
            int[] received = new int[1];
            await(() -> {
                received[0] += from.receive(target, received[0], length - received[0]);
                return received[0] == length;
            });
            assertEquals(-1, target.mismatch(TestEnd.bytes(position, length)));
        }
    }

    // -- A peer of which only the TCP connection is there: the server's end --

    private static byte[] record(long magic, long arrived) {
        return ByteBuffer.allocate(TcpContinuation.RECORD).putLong(magic).putLong(arrived).array();
    }

    private void say(byte[] bytes, int from, int to) {
        assertEquals(to - from, TcpSocket.send(serverFd, Arrays.copyOfRange(bytes, from, to), 0));
    }

    private byte[] hear(int length) {
        byte[] bytes = new byte[length];
        int[] heard = new int[1];
        await(() -> {
            int n = TcpSocket.receive(serverFd, bytes, heard[0]);
            heard[0] += Math.max(0, n);
            return heard[0] == length || n == 0;
        });
        assertEquals(length, heard[0]);
        return bytes;
    }

    private int hearEnd() {
        int[] result = new int[1];
        await(() -> (result[0] = TcpSocket.receive(serverFd, new byte[1], 0)) != -Errno.EAGAIN);
        return result[0];
    }

    // -- Both ends --

    @Test
    void shouldSendWhatDidNotArriveAndThenWhatIsWritten() throws Exception {
        client.send(0, 100);
        server.send(0, 7);
        settle();
        cut();
        client.send(100, 50);
        TcpContinuation atClient = continuation(client);
        assertEquals(0, atClient.send(nativeBytes(150, 30), 0, 30), "not before the peer has what was written before");
        assertFalse(atClient.isWritable());
        assertFalse(atClient.step());
        TcpContinuation atServer = continuation(server);
        await(() -> atServer.step() & atClient.step());
        assertEquals(2, changes);
        assertEquals(100, server.receive(0, 1000), "the ring comes first");
        assertReceives(atServer, 100, 50);
        assertTrue(atClient.isWritable());
        assertEquals(30, atClient.send(nativeBytes(150, 30), 0, 30));
        assertEquals(40, atServer.send(nativeBytes(7, 40), 0, 40));
        assertReceives(atServer, 150, 30);
        assertEquals(7, client.receive(0, 1000));
        assertReceives(atClient, 7, 40);
        assertEquals(0, atClient.available());
        assertEquals(0, atClient.peerFlags());
        atServer.close(false);
        Linux.close(open.remove(open.indexOf(serverFd)));
        await(() -> atClient.available() == 0 && atClient.peerFlags() == SmcStream.PEER_DONE_WRITING);
        atClient.close(false);
    }

    @Test
    void shouldEndTheStreamBehindWhatDidNotArrive() throws Exception {
        cut();
        client.send(0, 300);
        TcpContinuation atClient = continuation(client);
        atClient.endOutput();
        assertEquals(SmcStream.LOOK, atClient.send(nativeBytes(300, 1), 0, 1));
        TcpContinuation atServer = continuation(server);
        await(() -> atServer.step() & atClient.step());
        assertReceives(atServer, 0, 300);
        await(() -> atServer.available() == 0 && atServer.peerFlags() == SmcStream.PEER_DONE_WRITING);
        assertEquals(5, atServer.send(nativeBytes(0, 5), 0, 5), "half closed");
        assertReceives(atClient, 0, 5);
        atServer.close(false);
        atClient.close(false);
    }

    @Test
    void shouldStillSendWhatAClosedConnectionHadWritten() throws Exception {
        cut();
        client.send(0, 300);
        client.connection.close(false, Long.MAX_VALUE);
        TcpContinuation atClient = continuation(client);
        atClient.close(false);
        assertEquals(300, atClient.unsent());
        assertEquals(0, client.finished);
        TcpContinuation atServer = continuation(server);
        await(() -> atServer.step() & atClient.step());
        settle();
        assertEquals(1, client.finished);
        assertEquals(0, atClient.unsent());
        Linux.close(open.remove(open.indexOf(clientFd)));
        assertReceives(atServer, 0, 300);
        await(() -> atServer.available() == 0 && atServer.peerFlags() == SmcStream.PEER_DONE_WRITING);
        atServer.close(false);
    }

    @Test
    void shouldSendTheUrgentByteAsSuch() throws Exception {
        assertEquals(0, TcpSocket.setOption(serverFd, Linux.SOL_SOCKET, Linux.SO_OOBINLINE, 1));
        cut();
        client.send(0, 20);
        client.connection.sendUrgent(TestEnd.bytes(20, 5), 0, 5);
        TcpContinuation atClient = continuation(client);
        atClient.step();
        hear(TcpContinuation.RECORD);
        say(record(MAGIC, 0), 0, TcpContinuation.RECORD);
        await(atClient::step);
        byte[] before = new byte[100];
        await(() -> Linux.available(serverFd) >= 24);
        assertEquals(24, TcpSocket.receive(serverFd, before, 0), "a read ends before the urgent byte");
        assertArrayEquals(TestEnd.bytes(24, 1).toArray(ValueLayout.JAVA_BYTE), hear(1));
        assertEquals(1, atClient.sendUrgent((byte) 9));
        assertEquals(9, hear(1)[0]);
        atClient.close(false);
    }

    // -- What the peer must not do, or cannot --

    @Test
    void shouldTakeTheRecordInPiecesAndBehindBytesThatWereNotRead() throws Exception {
        freeze(client);
        long[] left = {2};
        TcpContinuation atClient = new TcpContinuation(client.connection, Linux.duplicate(clientFd), (fd, offset) -> left[0]--, () -> changes++);
        byte[] record = record(MAGIC, 0);
        assertFalse(atClient.step(), "two bytes before are to come");
        assertFalse(atClient.step());
        left[0] = 0;
        for (int i = 0; i < record.length - 1; i++) {
            say(record, i, i + 1);
            left[0] = 0;
            assertFalse(atClient.step());
        }
        assertEquals(0, atClient.available(), "nothing of this is the application's");
        say(record, record.length - 1, record.length);
        await(() -> {
            left[0] = 0;
            return atClient.step();
        });
        assertArrayEquals(record(MAGIC, 0), hear(TcpContinuation.RECORD));
        atClient.close(false);
    }

    /** The client here is the end that left TCP last, as the server does. */
    @Test
    void shouldWaitForTheWordOfAPeerThatMayNotKnowWhereToExpectOurs() throws Exception {
        open(Options.PLAIN.onTcp());
        assertTrue(server.connection.publishSwitch(0));
        settle();
        cut();
        assertTrue(client.connection.publishSwitch(0));
        client.send(0, 4);
        TcpContinuation atClient = continuation(client);
        assertFalse(atClient.step());
        assertEquals(0, Linux.available(serverFd), "the application of the peer would read it");
        say(record(MAGIC, 0), 0, TcpContinuation.RECORD);
        await(atClient::step);
        assertArrayEquals(record(MAGIC, 0), hear(TcpContinuation.RECORD));
        assertArrayEquals(TestEnd.bytes(0, 4).toArray(ValueLayout.JAVA_BYTE), hear(4));
        atClient.close(false);
    }

    private void assertReset(TcpContinuation atClient) {
        assertTrue(client.connection.isGone());
        assertEquals(1, changes);
        assertEquals(SmcStream.LOOK, atClient.send(nativeBytes(0, 1), 0, 1));
        assertEquals(0, atClient.available());
    }

    @Test
    void shouldResetWhenThePeerSaysSomethingElse() throws Exception {
        TcpContinuation atClient = continuation(client);
        say(record(MAGIC + 1, 0), 0, TcpContinuation.RECORD);
        await(atClient::step);
        assertReset(atClient);
        Linux.close(open.remove(open.indexOf(clientFd)));
        hear(TcpContinuation.RECORD);
        assertEquals(-Errno.ECONNRESET, hearEnd());
    }

    @Test
    void shouldResetWhenThePeerHasReceivedWhatWasNeverSent() throws Exception {
        client.send(0, 10);
        settle();
        TcpContinuation atClient = continuation(client);
        say(record(MAGIC, 11), 0, TcpContinuation.RECORD);
        await(atClient::step);
        assertReset(atClient);
        assertEquals(SmcStream.PEER_CONN_ABORT, atClient.peerFlags());
    }

    @Test
    void shouldEndWhenThePeerClosesWithoutAWord() throws Exception {
        TcpContinuation atClient = continuation(client);
        assertFalse(atClient.step());
        hear(TcpContinuation.RECORD);
        Linux.close(open.remove(open.indexOf(serverFd)));
        await(atClient::step);
        assertReset(atClient);
        assertEquals(SmcStream.PEER_DONE_WRITING, atClient.peerFlags(), "an end, not a reset");
    }

    @Test
    void shouldEndWithAResetWhenThePeerResets() throws Exception {
        TcpContinuation atClient = continuation(client);
        assertFalse(atClient.step());
        Linux.resetAtClose(serverFd);
        Linux.close(open.remove(open.indexOf(serverFd)));
        await(atClient::step);
        assertReset(atClient);
        assertEquals(SmcStream.PEER_CONN_ABORT, atClient.peerFlags() & SmcStream.PEER_CONN_ABORT);
    }

    @Test
    void shouldFillTcpAndGoOnWhenThePeerReads() throws Exception {
        TcpContinuation atClient = continuation(client);
        say(record(MAGIC, 0), 0, TcpContinuation.RECORD);
        await(atClient::step);
        int sent = 0;
        MemorySegment chunk = arena.allocate(1 << 16);
        for (int n = 1; n > 0; sent += Math.max(0, n)) {
            n = atClient.send(chunk, 0, 1 << 16);
        }
        assertEquals(sent, atClient.bytesSent());
        assertFalse(atClient.isWritable());
        hear(TcpContinuation.RECORD + sent);
        await(atClient::isWritable);
        atClient.close(true);
        Linux.close(open.remove(open.indexOf(clientFd)));
        assertEquals(-Errno.ECONNRESET, hearEnd());
    }
}
