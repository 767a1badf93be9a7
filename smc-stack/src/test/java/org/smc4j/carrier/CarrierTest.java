package org.smc4j.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.carrier.CarrierHost.Event;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.ffi.linux.Errno;

/** Connections between "hosts" that are addresses of the loopback interface. */
@Timeout(30)
class CarrierTest {
    private static final SharedSecret SECRET = new SharedSecret("0123456789abcdef".getBytes());
    private static final int CLIENT = 21;
    private static final int SERVER = 22;
    private static final String ALL = "";

    private final List<AutoCloseable> open = new ArrayList<>();
    private int port;

    @BeforeEach
    void choosePort() throws IOException {
        port = CarrierHost.freePort();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private CarrierHost host(int lastByte, String rules, SharedSecret secret) {
        CarrierHost host = new CarrierHost(lastByte, port, rules, secret, CarrierHost.SHORT);
        open.add(host);
        return host;
    }

    private ServerSocket listener(int backlog) throws IOException {
        ServerSocket listener = new ServerSocket();
        open.add(listener);
        listener.bind(new InetSocketAddress(InetAddress.getByAddress(CarrierHost.address(SERVER)), port), backlog);
        return listener;
    }

    private Socket connected(int fromLastByte) throws IOException {
        Socket socket = new Socket();
        open.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(CarrierHost.address(fromLastByte)), 0));
        socket.connect(new InetSocketAddress(InetAddress.getByAddress(CarrierHost.address(SERVER)), port));
        return socket;
    }

    private static void assertEnd(DeclineReason reason, CarrierHost host) throws InterruptedException {
        Event event = host.next();
        assertEquals(reason, event.end(), event.toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCarryMessagesBothWaysOverOneConnection(boolean withSecret) throws Exception {
        CarrierHost server = host(SERVER, ALL, withSecret ? SECRET : null).listening();
        CarrierHost client = host(CLIENT, ALL, withSecret ? SECRET : null);
        int peer = client.propose(SERVER, 1);
        Event first = server.next();
        assertEquals(client.proposal(SERVER, 1), first.message());
        assertEquals(InetAddress.getByAddress(client.address), first.host());
        assertEquals(peer, client.propose(SERVER, 2));
        assertEquals(first.peer(), server.next().peer());
        HandshakeMessage answer = new HandshakeMessage(Type.ACCEPT, null, 9, 1, client.tupleTo(SERVER), new byte[1000]);
        assertTrue(server.send(first.peer(), answer));
        Event event = client.next();
        assertEquals(answer, event.message());
        assertEquals(peer, event.peer());
        assertNull(client.refusal(SERVER));
    }

    @Test
    void shouldConnectFromTheClientAddressOfEachTcpConnection() throws Exception {
        CarrierHost server = host(SERVER, ALL, null).listening();
        CarrierHost client = host(CLIENT, ALL, null);
        int peer = client.propose(SERVER, 1);
        FourTuple other = new FourTuple(CarrierHost.address(23), 1, CarrierHost.address(SERVER), 9092);
        HandshakeMessage proposal = new HandshakeMessage(Type.PROPOSAL, null, 2, 0, other, new byte[0]);
        int otherPeer = client.call(() -> client.carrier().peerFor(other));
        assertNotEquals(peer, otherPeer);
        assertTrue(client.send(otherPeer, proposal));
        assertEquals(InetAddress.getByAddress(client.address), server.next().host());
        assertEquals(other.clientAddress(), server.next().host());
    }

    @Test
    void shouldRememberARefusal() throws Exception {
        CarrierHost client = host(CLIENT, ALL, null);
        assertNull(client.refusal(SERVER));
        client.propose(SERVER, 1);
        assertEnd(DeclineReason.REFUSED, client);
        host(SERVER, ALL, null).listening();
        assertEquals(DeclineReason.REFUSED, client.refusal(SERVER));
        assertNull(client.refusal(SERVER + 1), "another host");
    }

    @Test
    void shouldTellWhenItCannotEvenBegin() throws Exception {
        CarrierHost client = host(CLIENT, ALL, null);
        // From an address that is not of this host.
        FourTuple tuple = new FourTuple(new byte[] {(byte) 192, 0, 2, 1}, 1, CarrierHost.address(SERVER), 9092);
        boolean taken = client.call(() -> client.carrier().send(client.carrier().peerFor(tuple),
                new HandshakeMessage(Type.PROPOSAL, null, 1, 0, tuple, new byte[0])));
        assertTrue(taken, "what becomes of it is told later");
        assertEnd(DeclineReason.UNREACHABLE, client);
        assertNull(client.refusal(SERVER), "says nothing about the host");
    }

    @Test
    void shouldLeaveNoDescriptorWhenConnectionsEnd() throws Exception {
        CarrierHost server = host(SERVER, ALL, SECRET).listening();
        CarrierHost client = host(CLIENT, ALL, SECRET);
        client.call(() -> null);
        long before = sockets();
        for (int i = 1; i <= 50; i++) {
            client.propose(SERVER, i);
            server.next();
            client.call(() -> {
                client.carrier().close();
                return null;
            });
            assertEnd(DeclineReason.PEER_GONE, client);
            assertEnd(DeclineReason.PEER_GONE, server);
        }
        assertEquals(before, sockets());
    }

    private static long sockets() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(CarrierTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            // Closed meanwhile, like that of the listing itself.
            return false;
        }
    }

    @Test
    void shouldGiveUpAndRememberWhenThePortIsFiltered() throws Exception {
        // A listener whose backlog is full drops what it is asked, as a filter does.
        ServerSocket listener = listener(1);
        connected(CLIENT);
        connected(CLIENT);
        CarrierHost client = host(CLIENT, ALL, null);
        client.propose(SERVER, 1);
        assertEnd(DeclineReason.NO_ANSWER, client);
        listener.close();
        assertEquals(DeclineReason.NO_ANSWER, client.refusal(SERVER));
    }

    @Test
    void shouldGiveUpWhenNothingIsAnswered() throws Exception {
        listener(5);
        CarrierHost client = host(CLIENT, ALL, null);
        client.propose(SERVER, 1);
        assertEnd(DeclineReason.NO_ANSWER, client);
        assertEquals(DeclineReason.NO_ANSWER, client.refusal(SERVER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"})
    void shouldGiveUpWhenSomethingElseAnswers(String banner) throws Exception {
        ServerSocket listener = listener(5);
        CarrierHost client = host(CLIENT, ALL, null);
        client.propose(SERVER, 1);
        try (Socket socket = listener.accept()) {
            socket.getOutputStream().write(banner.getBytes());
        }
        assertEnd(DeclineReason.NOT_A_PEER, client);
        assertEquals(DeclineReason.NOT_A_PEER, client.refusal(SERVER));
    }

    @Test
    void shouldNeitherAskNorAnswerHostsThatTheRulesDeny() throws Exception {
        CarrierHost server = host(SERVER, "deny 127.0.0.21, allow *", null).listening();
        CarrierHost denying = host(CLIENT, "allow 127.0.0.0/28, deny *", null);
        assertEquals(DeclineReason.DENIED, denying.refusal(SERVER));
        CarrierHost client = host(CLIENT, ALL, null);
        client.propose(SERVER, 1);
        assertEnd(DeclineReason.NOT_A_PEER, client);
        CarrierHost other = host(CLIENT + 100, ALL, null);
        other.propose(SERVER, 3);
        assertEquals(3, server.next().message().localId());
    }

    @Test
    void shouldAcceptNothingWithoutTheRightSecret() throws Exception {
        CarrierHost server = host(SERVER, ALL, SECRET).listening();
        SharedSecret[] wrong = {null, new SharedSecret("another secret..".getBytes())};
        for (SharedSecret secret : wrong) {
            CarrierHost client = host(CLIENT, ALL, secret);
            client.propose(SERVER, 1);
            assertEnd(DeclineReason.SECRET, client);
            assertEquals(DeclineReason.SECRET, client.refusal(SERVER));
            assertNotEquals(null, server.next().end(), "nothing but the end of the connection");
        }
        CarrierHost client = host(CLIENT, ALL, SECRET);
        client.propose(SERVER, 7);
        assertEquals(7, server.next().message().localId());
    }

    @Test
    void shouldTellTheEndOfTheConnectionAndConnectAnew() throws Exception {
        CarrierHost server = host(SERVER, ALL, null).listening();
        CarrierHost client = host(CLIENT, ALL, null);
        int peer = client.propose(SERVER, 1);
        server.next();
        server.call(() -> {
            server.carrier().close();
            return null;
        });
        assertEnd(DeclineReason.PEER_GONE, server);
        assertEnd(DeclineReason.PEER_GONE, client);
        assertNull(client.refusal(SERVER), "the end of a good connection is no negative answer");
        server.listening();
        assertNotEquals(peer, client.propose(SERVER, 2));
        assertEquals(2, server.next().message().localId());
    }

    @Test
    void shouldDropAPeerThatSaysNothingOrNonsense() throws Exception {
        CarrierHost server = host(SERVER, ALL, null).listening();
        try (Socket silent = connected(CLIENT)) {
            assertEnd(DeclineReason.NO_ANSWER, server);
            assertEquals(-1, silent.getInputStream().read());
        }
        try (Socket http = connected(CLIENT)) {
            http.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes());
            assertEnd(DeclineReason.NOT_A_PEER, server);
        }
    }

    @Test
    void shouldTakeMessagesByteByByteAndDropThePeerAtTheFirstThatIsNone() throws Exception {
        CarrierHost server = host(SERVER, ALL, null).listening();
        try (Socket peer = connected(CLIENT)) {
            peer.setTcpNoDelay(true);
            write(peer, Hello.of(false, new byte[Hello.NONCE_SIZE]).encode());
            byte[] hello = peer.getInputStream().readNBytes(Hello.SIZE);
            assertEquals(Hello.VERSION, Hello.decode(ByteBuffer.wrap(hello)).version());
            HandshakeMessage proposal = server.proposal(SERVER, 5);
            write(peer, proposal.encode());
            assertEquals(proposal, server.next().message());
            byte[] broken = proposal.encode();
            broken[2] = 99;
            write(peer, broken);
            assertEnd(DeclineReason.PEER_GONE, server);
            assertEquals(-1, peer.getInputStream().read());
        }
    }

    private static void write(Socket socket, byte[] bytes) throws IOException {
        for (byte b : bytes) {
            socket.getOutputStream().write(b);
        }
    }

    @Test
    void shouldQueueNoMoreThanItMayForAPeerThatDoesNotRead() throws Exception {
        CarrierHost server = host(SERVER, ALL, SECRET).listening();
        CarrierHost client = host(CLIENT, ALL, SECRET);
        client.propose(SERVER, 1);
        int peer = server.next().peer();
        HandshakeMessage large = new HandshakeMessage(Type.ACCEPT, null, 9, 1, client.tupleTo(SERVER),
                new byte[HandshakeMessage.MAX_PAYLOAD]);
        // The client's thread waits here: its buffers, the kernel's and the server's fill up.
        CountDownLatch reads = new CountDownLatch(1);
        Thread stuck = new Thread(() -> callQuietly(client, reads));
        stuck.start();
        int sent = 0;
        while (server.send(peer, large)) {
            sent++;
            assertTrue(sent < 50_000, "without limit");
        }
        assertTrue(sent > 60, "only " + sent);
        reads.countDown();
        stuck.join();
        for (int i = 0; i < sent; i++) {
            assertEquals(large, client.next().message(), "message " + i);
        }
        assertTrue(server.send(peer, large));
    }

    private static void callQuietly(CarrierHost host, CountDownLatch until) {
        try {
            host.call(() -> {
                try {
                    until.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return null;
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldQueueNoMoreThanItMayWhileItConnects() throws Exception {
        listener(1);
        connected(CLIENT);
        connected(CLIENT);
        CarrierHost client = host(CLIENT, ALL, null);
        int peer = client.propose(SERVER, 1);
        int sent = 1;
        while (client.send(peer, client.proposal(SERVER, 2))) {
            sent++;
        }
        assertEquals(256, sent);
    }

    @Test
    void shouldTakeSoManyConnectionsOfOneHostAndNoMore() throws Exception {
        host(SERVER, ALL, null).listening();
        int refused = 0;
        for (int i = 0; i < 20; i++) {
            Socket socket = connected(CLIENT);
            socket.getOutputStream().write(Hello.of(false, new byte[Hello.NONCE_SIZE]).encode());
            refused += answers(socket) ? 0 : 1;
        }
        assertEquals(4, refused);
        Socket other = connected(23);
        other.getOutputStream().write(Hello.of(false, new byte[Hello.NONCE_SIZE]).encode());
        assertTrue(answers(other), "another host");
    }

    private static boolean answers(Socket socket) {
        try {
            InputStream in = socket.getInputStream();
            new DataInputStream(in).readFully(new byte[Hello.SIZE]);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldCloseAConnectionThatIsNotUsed() throws Exception {
        CarrierHost server = host(SERVER, ALL, SECRET).listening();
        CarrierHost client = new CarrierHost(CLIENT, port, ALL, SECRET,
                new PeerConnection.Deadlines(200_000_000L, 300_000_000L));
        open.add(client);
        client.propose(SERVER, 1);
        server.next();
        assertEnd(DeclineReason.PEER_GONE, client);
        assertEnd(DeclineReason.PEER_GONE, server);
        assertNull(client.refusal(SERVER));
        client.propose(SERVER, 2);
        assertEquals(2, server.next().message().localId());
    }

    @Test
    void shouldTellThatAnotherProgramHasThePort() throws Exception {
        listener(5);
        CarrierHost server = host(SERVER, ALL, null);
        assertEquals(-Errno.EADDRINUSE, server.call(() -> server.carrier().listen()));
    }
}
