package org.smc4j.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.time.EventLoop;

/** One process of a host, with the test for the proxy. */
@Timeout(60)
class HostSidebandTest implements HostSideband.Proposals, Exchange.Handler {
    private static final int WAIT_MILLIS = 10_000;
    private static final byte[] HERE = {127, 0, 0, 41};
    private static final byte[] THERE = {127, 0, 0, 42};
    private static final FourTuple OUTGOING = new FourTuple(HERE, 40000, THERE, 9092);
    private static final FourTuple INCOMING = new FourTuple(THERE, 40000, HERE, 9092);
    private static final byte[] PAYLOAD = {1, 2, 3};

    /** What the handler of an exchange was told; no type at its end, neither type nor reason for a proposal. */
    private record Told(Exchange exchange, Type type, DeclineReason reason, byte[] payload) {
    }

    private final EventLoop loop = new EventLoop("test-sideband");
    private final LinkedBlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private HostSideband sideband;
    private int port;
    private int listener = -1;
    private int member = -1;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress("0.0.0.0", 0));
            port = socket.getLocalPort();
        }
        loop.start();
    }

    @AfterEach
    void close() {
        loop.close();
        closeProxy();
    }

    @Override
    public Exchange.Handler proposed(Exchange exchange) {
        told.add(new Told(exchange, null, null, exchange.proposal()));
        return this;
    }

    @Override
    public void received(Exchange exchange, Type type, byte[] payload) {
        told.add(new Told(exchange, type, null, payload));
    }

    @Override
    public void ended(Exchange exchange, DeclineReason reason, byte[] payload) {
        told.add(new Told(exchange, null, reason, payload));
    }

    private Told next() throws InterruptedException {
        Told next = told.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        assertTrue(next != null, "nothing happened");
        return next;
    }

    private void assertEnded(DeclineReason reason, Exchange exchange) throws InterruptedException {
        Told end = next();
        assertEquals(reason, end.reason, end.toString());
        assertEquals(exchange, end.exchange);
    }

    private <T> T call(Supplier<T> supplier) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> result.complete(supplier.get()));
        return result.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void run(Runnable action) throws Exception {
        call(() -> {
            action.run();
            return null;
        });
    }

    private void open(String... settings) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("smc.sideband.port", Integer.toString(port));
        properties.setProperty("smc.sideband.bind", "127.0.0.41");
        for (int i = 0; i < settings.length; i += 2) {
            properties.setProperty(settings[i], settings[i + 1]);
        }
        Sysctl sysctl = Sysctl.of(null, properties, Map.of(), null);
        sideband = call(() -> new HostSideband(sysctl, loop, this));
    }

    private Exchange propose() throws Exception {
        return call(() -> sideband.propose(OUTGOING, PAYLOAD, this));
    }

    // -- The test as the proxy --

    private String name() {
        return ProxyName.of(Linux.uid(), new Address(HERE, port));
    }

    private void beProxy() {
        listener = UnixSocket.open();
        assertEquals(0, UnixSocket.bind(listener, name()));
        assertEquals(0, UnixSocket.listen(listener, 5));
    }

    private void closeProxy() {
        for (int fd : new int[] {listener, member}) {
            if (fd >= 0) {
                Linux.close(fd);
            }
        }
        listener = -1;
        member = -1;
    }

    private void accept(LocalFrame answer) throws Exception {
        await(listener);
        member = UnixSocket.accept(listener);
        assertInstanceOf(LocalFrame.Join.class, heard());
        say(answer);
    }

    private static void await(int fd) {
        try (Epoll epoll = Epoll.open(1)) {
            epoll.add(fd, Epoll.IN);
            assertEquals(1, epoll.await(WAIT_MILLIS), "nothing came");
        }
    }

    private LocalFrame heard() throws Exception {
        await(member);
        return LocalFrame.decode(UnixSocket.receive(member).bytes());
    }

    private HandshakeMessage heardMessage() throws Exception {
        return assertInstanceOf(LocalFrame.Message.class, heard()).message();
    }

    private void say(LocalFrame frame) {
        byte[] bytes = frame.encode();
        assertEquals(bytes.length, UnixSocket.send(member, bytes));
    }

    private void say(int peer, HandshakeMessage message) {
        say(new LocalFrame.Message(peer, message));
    }

    private static HandshakeMessage message(Type type, int localId, int remoteId, FourTuple tuple) {
        return new HandshakeMessage(type, null, localId, remoteId, tuple, PAYLOAD);
    }

    /** A process that has joined the test. */
    private void joined() throws Exception {
        beProxy();
        open();
        accept(new LocalFrame.Joined());
    }

    // -- Settings --

    @ParameterizedTest
    @CsvSource({"smc.sideband.port, 0, smc.sideband.port is 0", "smc.sideband.bind, eth0, smc.sideband.bind has no valid value",
        "smc.sideband.peers, allow hosts, smc.sideband.peers has no valid value"})
    void shouldEndEveryExchangeWhenTheSettingsAreNotUsable(String key, String value, String cause) throws Exception {
        open(key, value);
        assertEquals(cause, sideband.unavailabilityCause());
        assertEquals("off, " + cause, call(sideband::describe));
        assertEnded(DeclineReason.UNUSABLE, propose());
        run(() -> sideband.publish(InetAddress.getLoopbackAddress(), 1));
    }

    @Test
    void shouldEndEveryExchangeWhenTheSecretIsNotUsable(@TempDir Path directory) throws Exception {
        open("smc.sideband.secret_file", directory.resolve("missing").toString());
        assertTrue(sideband.unavailabilityCause().startsWith("smc.sideband.secret_file: "), sideband.unavailabilityCause());
        assertEnded(DeclineReason.UNUSABLE, propose());
    }

    @Test
    void shouldEndEveryExchangeWhenTheProxyHasOtherSettings() throws Exception {
        beProxy();
        open();
        Exchange exchange = propose();
        accept(new LocalFrame.OtherSettings());
        assertEnded(DeclineReason.SETTINGS, exchange);
        assertEquals("seeks the proxy", call(sideband::describe));
    }

    // -- Membership --

    @Test
    void shouldTellTheProxyItsListenersAndWhatWaitedForIt() throws Exception {
        beProxy();
        open();
        InetAddress address = InetAddress.getByAddress(HERE);
        run(() -> {
            sideband.publish(address, 1);
            sideband.publish(address, 2);
            sideband.publish(address, 2);
            sideband.publish(address, 3);
            sideband.unpublish(address, 1);
            sideband.unpublish(address, 2);
            sideband.unpublish(address, 9);
        });
        Exchange exchange = propose();
        Exchange given = propose();
        run(given::abandon);
        accept(new LocalFrame.Joined());
        assertEquals(new LocalFrame.Listener(true, address, 2), heard());
        assertEquals(new LocalFrame.Listener(true, address, 3), heard());
        assertEquals(message(Type.PROPOSAL, exchange.localId, 0, OUTGOING), heardMessage());
        run(() -> {
            sideband.unpublish(address, 2);
            sideband.publish(address, 4);
        });
        assertEquals(new LocalFrame.Listener(false, address, 2), heard(), "nobody heard of what was given up");
        assertEquals(new LocalFrame.Listener(true, address, 4), heard());
    }

    @Test
    void shouldEndWhatIsUnderWayAndTakeTheRoleWhenTheProxyIsGone() throws Exception {
        joined();
        Exchange outgoing = propose();
        heardMessage();
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        Exchange incoming = next().exchange;
        closeProxy();
        Told first = next();
        Told second = next();
        assertEquals(DeclineReason.PROXY_GONE, first.reason);
        assertEquals(DeclineReason.PROXY_GONE, second.reason);
        assertNotEquals(first.exchange, second.exchange);
        assertTrue(outgoing.over && incoming.over);
        // Nobody listens at the other address, and it is this process that finds out.
        assertEnded(DeclineReason.REFUSED, propose());
        assertEquals("proxy", call(sideband::describe));
    }

    @Test
    void shouldSeekAgainWhenTheProxyTalksNonsense() throws Exception {
        joined();
        Exchange exchange = propose();
        heardMessage();
        assertEquals(1, UnixSocket.send(member, new byte[1]));
        assertEnded(DeclineReason.PROXY_GONE, exchange);
        Linux.close(member);
        accept(new LocalFrame.Joined());
        Exchange next = propose();
        assertEquals(message(Type.PROPOSAL, next.localId, 0, OUTGOING), heardMessage());
    }

    // -- Exchanges --

    @Test
    void shouldCarryAHandshakeThatItOpened() throws Exception {
        joined();
        Exchange exchange = propose();
        assertFalse(exchange.isIncoming());
        heardMessage();
        say(7, message(Type.ACCEPT, 70, exchange.localId, OUTGOING));
        Told accept = next();
        assertEquals(Type.ACCEPT, accept.type);
        assertArrayEquals(PAYLOAD, accept.payload);
        run(() -> exchange.send(Type.CONFIRM, PAYLOAD));
        assertEquals(new LocalFrame.Message(7, message(Type.CONFIRM, exchange.localId, 70, OUTGOING)), heard());
        say(7, message(Type.READY, 70, exchange.localId, OUTGOING));
        assertEquals(Type.READY, next().type);
        // It is over: nothing is sent, nothing is told.
        run(exchange::abandon);
        say(7, message(Type.READY, 70, exchange.localId, OUTGOING));
        Exchange another = propose();
        assertEquals(another.localId, heardMessage().localId());
        assertNull(told.peek());
    }

    @Test
    void shouldCarryAHandshakeThatAnotherHostOpened() throws Exception {
        joined();
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        Exchange exchange = next().exchange;
        assertTrue(exchange.isIncoming());
        assertEquals(Type.PROPOSAL, exchange.type());
        assertEquals(INCOMING, exchange.tuple());
        run(() -> exchange.send(Type.ACCEPT, PAYLOAD));
        assertEquals(new LocalFrame.Message(7, message(Type.ACCEPT, exchange.localId, 5, INCOMING)), heard());
        say(7, message(Type.CONFIRM, 5, exchange.localId, INCOMING));
        assertEquals(Type.CONFIRM, next().type, "the proposal that was said twice is told once");
        run(() -> exchange.send(Type.READY, PAYLOAD));
        assertEquals(message(Type.READY, exchange.localId, 5, INCOMING), heardMessage());
        run(() -> exchange.decline(PAYLOAD));
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        assertNotEquals(exchange, next().exchange, "another one under the same id");
    }

    @Test
    void shouldEndForTimeoutWhenThePeerHasNotAnswered() throws Exception {
        joined();
        Exchange declined = propose();
        heardMessage();
        run(() -> declined.decline(PAYLOAD));
        assertEquals(new HandshakeMessage(Type.DECLINE, DeclineReason.TIMEOUT, declined.localId, 0, OUTGOING, PAYLOAD),
                heardMessage());
        Exchange answered = propose();
        heardMessage();
        say(7, message(Type.ACCEPT, 70, answered.localId, OUTGOING));
        next();
        run(() -> answered.decline(PAYLOAD));
        assertEquals(new HandshakeMessage(Type.DECLINE, DeclineReason.PEER, answered.localId, 70, OUTGOING, PAYLOAD),
                heardMessage());
    }

    @Test
    void shouldFindTheExchangeOfADeclineThatKnowsThePeersIdOnly() throws Exception {
        joined();
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        Exchange exchange = next().exchange;
        say(8, HandshakeMessage.decline(DeclineReason.TIMEOUT, 5, 0, INCOMING));
        say(7, HandshakeMessage.decline(DeclineReason.TIMEOUT, 6, 0, INCOMING));
        say(7, HandshakeMessage.decline(DeclineReason.TIMEOUT, 5, 0, INCOMING));
        assertEnded(DeclineReason.TIMEOUT, exchange);
        assertNull(told.poll());
    }

    @Test
    void shouldIgnoreWhatFitsNoExchange() throws Exception {
        joined();
        Exchange exchange = propose();
        heardMessage();
        say(7, message(Type.ACCEPT, 70, exchange.localId, INCOMING));
        say(7, message(Type.ACCEPT, 70, exchange.localId + 1, OUTGOING));
        say(7, message(Type.ACCEPT, 70, exchange.localId, OUTGOING));
        assertEquals(Type.ACCEPT, next().type);
        say(8, message(Type.READY, 70, exchange.localId, OUTGOING));
        say(7, message(Type.READY, 71, exchange.localId, OUTGOING));
        say(7, new HandshakeMessage(Type.DECLINE, DeclineReason.PEER, 70, exchange.localId, OUTGOING, PAYLOAD));
        Told end = next();
        assertEquals(DeclineReason.PEER, end.reason);
        assertArrayEquals(PAYLOAD, end.payload);
    }

    @Test
    void shouldEndAnExchangeWhoseIdThePeerUsesForAnother() throws Exception {
        joined();
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        Exchange old = next().exchange;
        FourTuple other = new FourTuple(THERE, 40001, HERE, 9092);
        say(7, message(Type.PROPOSAL, 5, 0, other));
        assertEquals(other, next().exchange.tuple());
        assertEnded(DeclineReason.PEER_GONE, old);
    }

    @Test
    void shouldForgetAnExchangeThatThePeerEndsWithoutItsId() throws Exception {
        joined();
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        Exchange exchange = next().exchange;
        say(7, message(Type.READY, 0, exchange.localId, INCOMING));
        assertEquals(Type.READY, next().type);
        say(7, message(Type.PROPOSAL, 5, 0, INCOMING));
        assertNotEquals(exchange, next().exchange, "would be taken for a duplicate");
    }

    @Test
    void shouldRefuseToSendWhatIsNoAnswerOrTooLong() throws Exception {
        joined();
        Exchange exchange = propose();
        byte[] tooLong = new byte[HandshakeMessage.MAX_PAYLOAD + 1];
        assertThrows(IllegalArgumentException.class, () -> exchange.send(Type.PROPOSAL, PAYLOAD));
        assertThrows(IllegalArgumentException.class, () -> exchange.send(Type.DECLINE, PAYLOAD));
        assertThrows(IllegalArgumentException.class, () -> exchange.send(Type.CONFIRM, tooLong));
        assertThrows(IllegalArgumentException.class, () -> exchange.decline(tooLong));
        assertThrows(IllegalArgumentException.class, () -> sideband.propose(OUTGOING, tooLong, this));
    }
}
