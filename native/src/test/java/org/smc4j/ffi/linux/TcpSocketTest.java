package org.smc4j.ffi.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.ffi.linux.SocketAddresses.Address;

@Timeout(30)
class TcpSocketTest {
    private static final int WAIT_MILLIS = 5_000;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] LOOPBACK_6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private final List<Integer> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Linux::close);
    }

    private int opened(int fd) {
        assertTrue(fd >= 0, () -> Errno.describe(fd));
        open.add(fd);
        return fd;
    }

    private int listener(byte[] address) {
        int fd = opened(TcpSocket.open(address.length));
        assumeTrue(TcpSocket.bind(fd, new Address(address, 0)) == 0, "no such address here");
        assertEquals(0, TcpSocket.listen(fd, 4));
        return fd;
    }

    private static int await(int fd, int interest) {
        try (Epoll epoll = Epoll.open(1)) {
            epoll.add(fd, interest);
            return epoll.await(WAIT_MILLIS) == 1 ? epoll.readyEvents(0) : 0;
        }
    }

    private int connected(Address server) {
        int fd = opened(TcpSocket.open(server.bytes().length));
        int result = TcpSocket.connect(fd, server);
        assertTrue(result == 0 || result == -Errno.EINPROGRESS, () -> Errno.describe(result));
        assertTrue((await(fd, Epoll.OUT) & Epoll.OUT) != 0);
        return fd;
    }

    private void exchange(byte[] address) {
        int listener = listener(address);
        Address server = SocketAddresses.local(listener);
        int client = connected(server);
        assertEquals(0, TcpSocket.error(client));
        await(listener, Epoll.IN);
        int accepted = opened(TcpSocket.accept(listener));
        assertArrayEquals(address, SocketAddresses.remote(accepted).bytes());
        assertEquals(SocketAddresses.local(client).port(), SocketAddresses.remote(accepted).port());

        byte[] received = new byte[16];
        assertEquals(-Errno.EAGAIN, TcpSocket.receive(accepted, received, 0));
        assertEquals(4, TcpSocket.send(client, "..data".getBytes(StandardCharsets.US_ASCII), 2));
        await(accepted, Epoll.IN);
        assertEquals(4, TcpSocket.receive(accepted, received, 3));
        assertEquals("data", new String(received, 3, 4, StandardCharsets.US_ASCII));
        Linux.close(client);
        open.remove((Integer) client);
        await(accepted, Epoll.IN);
        assertEquals(0, TcpSocket.receive(accepted, received, 0));
    }

    @Test
    void shouldCarryBytesWhenTheAddressIsIpv4() {
        exchange(LOOPBACK);
    }

    @Test
    void shouldCarryBytesWhenTheAddressIsIpv6() {
        exchange(LOOPBACK_6);
    }

    @Test
    void shouldTellThatTheConnectionWasRefused() {
        int listener = listener(LOOPBACK);
        Address server = SocketAddresses.local(listener);
        Linux.close(listener);
        open.remove((Integer) listener);
        int client = opened(TcpSocket.open(LOOPBACK.length));
        int result = TcpSocket.connect(client, server);
        if (result == -Errno.EINPROGRESS) {
            await(client, Epoll.OUT);
            result = TcpSocket.error(client);
        }
        assertEquals(-Errno.ECONNREFUSED, result);
    }

    @Test
    void shouldAcceptIpv4OnTheWildcardOfIpv6() {
        int listener = opened(TcpSocket.open(LOOPBACK_6.length));
        assertEquals(0, TcpSocket.setOption(listener, TcpSocket.IPPROTO_IPV6, TcpSocket.IPV6_V6ONLY, 0));
        assumeTrue(TcpSocket.bind(listener, new Address(new byte[16], 0)) == 0, "no IPv6 here");
        assertEquals(0, TcpSocket.listen(listener, 4));
        connected(new Address(LOOPBACK, SocketAddresses.local(listener).port()));
        await(listener, Epoll.IN);
        assertArrayEquals(LOOPBACK, SocketAddresses.remote(opened(TcpSocket.accept(listener))).bytes());
    }

    @Test
    void shouldKeepTheOptionsThatWereSet() {
        int fd = opened(TcpSocket.open(LOOPBACK.length));
        assertEquals(0, TcpSocket.setOption(fd, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPIDLE, 77));
        assertEquals(77, Linux.getSocketOption(fd, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPIDLE));
        assertEquals(-Errno.EBADF, TcpSocket.setOption(-1, TcpSocket.SOL_SOCKET, TcpSocket.SO_KEEPALIVE, 1));
    }

    private int[] connectedPair() {
        int listener = listener(LOOPBACK);
        int client = connected(SocketAddresses.local(listener));
        await(listener, Epoll.IN);
        return new int[] {client, opened(TcpSocket.accept(listener))};
    }

    @Test
    void shouldSendManyPiecesAndGoOnWhereTheSocketHadNoMoreRoom() {
        int[] pair = connectedPair();
        try (Arena arena = Arena.ofConfined()) {
            int length = 3_000_001;
            MemorySegment memory = arena.allocate(length);
            for (int i = 0; i < length; i++) {
                memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 >> 4));
            }
            IoVector vector = new IoVector(arena, 8);
            int[] lengths = {1, 0, 1_000_000, 1_000_000, 1_000_000, 0};
            int offset = 0;
            for (int piece : lengths) {
                vector.add(memory.address() + offset, piece);
                offset += piece;
            }
            assertEquals(6, vector.end());
            byte[] buffer = new byte[100_000];
            int received = 0;
            int turns = 0;
            while (received < length) {
                long sent = vector.isEmpty() ? 0 : vector.sendNow(pair[0], turns % 2 == 0);
                assertTrue(sent >= 0 || sent == -Errno.EAGAIN);
                turns++;
                assertTrue((await(pair[1], Epoll.IN) & Epoll.IN) != 0);
                int n = TcpSocket.receive(pair[1], buffer, 0);
                for (int i = 0; i < n; i++) {
                    if (buffer[i] != (byte) ((received + i) * 7 >> 4)) {
                        assertEquals((byte) ((received + i) * 7 >> 4), buffer[i], "byte " + (received + i));
                    }
                }
                received += n;
            }
            assertTrue(vector.isEmpty());
            assertTrue(turns > 1);
        }
    }

    @Test
    void shouldKeepASegmentForWhatFollows() {
        int[] pair = connectedPair();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(20);
            IoVector vector = new IoVector(arena, 2);
            vector.add(memory.address(), 10);
            assertEquals(10, vector.sendNow(pair[0], true));
            assertEquals(-Errno.EAGAIN, TcpSocket.receive(pair[1], new byte[20], 0));
            vector.add(memory.address(), 10);
            assertEquals(10, vector.sendNow(pair[0], false));
            await(pair[1], Epoll.IN);
            assertEquals(20, TcpSocket.receive(pair[1], new byte[30], 0));
        }
    }

    @Test
    void shouldDeliverNothingWhileIncomingIsDroppedAndAllAfterwards() {
        int[] pair = connectedPair();
        assertEquals(0, TcpSocket.dropIncoming(pair[1], true));
        TcpSocket.send(pair[0], new byte[] {1, 2, 3}, 0);
        try (Epoll epoll = Epoll.open(1)) {
            epoll.add(pair[1], Epoll.IN);
            assertEquals(0, epoll.await(50));
        }
        TcpSocket.Info info = TcpSocket.info(pair[0]);
        assertEquals(1, info.unacknowledged());
        assertTrue(info.lastAckMillis() >= 40, info.toString());
        assertEquals(0, TcpSocket.dropIncoming(pair[1], false));
        await(pair[1], Epoll.IN);
        assertEquals(3, TcpSocket.receive(pair[1], new byte[8], 0));
    }

    @Test
    void shouldReachLinkLocalAddressesWithTheirScope() throws IOException {
        byte[] address = null;
        int scope = 0;
        for (NetworkInterface networkInterface : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InterfaceAddress candidate : networkInterface.getInterfaceAddresses()) {
                if (candidate.getAddress() instanceof Inet6Address ipv6 && ipv6.isLinkLocalAddress()) {
                    address = ipv6.getAddress();
                    scope = networkInterface.getIndex();
                }
            }
        }
        assumeTrue(address != null, "no link-local address here");
        int listener = opened(TcpSocket.open(address.length));
        assertTrue(TcpSocket.bind(listener, new Address(address, 0)) < 0, "bound without a scope");
        assumeTrue(TcpSocket.bind(listener, new Address(address, 0), scope) == 0, "the address is not ours yet");
        assertEquals(0, TcpSocket.listen(listener, 1));
        int client = opened(TcpSocket.open(address.length));
        TcpSocket.connect(client, new Address(address, SocketAddresses.local(listener).port()), scope);
        assertTrue((await(client, Epoll.OUT) & Epoll.OUT) != 0);
        assertEquals(0, TcpSocket.error(client));
    }

    @Test
    void shouldReadAMonitorUntilItIsEmpty() {
        int monitor = opened(RouteMonitor.open());
        RouteMonitor.drain(monitor);
        assertEquals(-Errno.EAGAIN, TcpSocket.receive(monitor, new byte[1], 0));
        assertFalse(RouteMonitor.drain(-1));
    }
}
