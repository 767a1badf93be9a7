package org.smc4j.carrier;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.sysctl.AddressRules;
import org.smc4j.time.EventLoop;

/** A host on the loopback interface, which has a carrier with a loop of its own and notes down what that tells. */
final class CarrierHost implements Carrier.Events, AutoCloseable {
    static final PeerConnection.Deadlines SHORT = new PeerConnection.Deadlines(700_000_000L, 90_000_000_000L);
    private static final long WAIT_SECONDS = 10;

    /** A message, or the reason of the end. */
    record Event(int peer, InetAddress host, HandshakeMessage message, DeclineReason end) {
    }

    final byte[] address;
    final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final EventLoop loop = new EventLoop("test-carrier");
    private final Carrier carrier;

    CarrierHost(int lastByte, int port, String rules, SharedSecret secret, PeerConnection.Deadlines deadlines) {
        address = address(lastByte);
        loop.start();
        carrier = new Carrier(loop, new Carrier.Settings(new Address(address, port), AddressRules.parse(rules), 60_000_000_000L,
                secret), this, deadlines);
    }

    static byte[] address(int lastByte) {
        return new byte[] {127, 0, 0, (byte) lastByte};
    }

    /** A port that no address of the host has in use. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress("0.0.0.0", 0));
            return socket.getLocalPort();
        }
    }

    /** For its own thread only, see {@link #call}. */
    Carrier carrier() {
        return carrier;
    }

    CarrierHost listening() throws Exception {
        int result = call(carrier::listen);
        if (result < 0) {
            throw new IllegalStateException("errno " + -result);
        }
        return this;
    }

    FourTuple tupleTo(int lastByte) {
        return new FourTuple(address, 40000, address(lastByte), 9092);
    }

    DeclineReason refusal(int lastByte) throws Exception {
        return call(() -> carrier.refusal(tupleTo(lastByte)));
    }

    int propose(int lastByte, int id) throws Exception {
        return call(() -> {
            int peer = carrier.peerFor(tupleTo(lastByte));
            carrier.send(peer, proposal(lastByte, id));
            return peer;
        });
    }

    HandshakeMessage proposal(int lastByte, int id) {
        return new HandshakeMessage(HandshakeMessage.Type.PROPOSAL, null, id, 0, tupleTo(lastByte), new byte[] {(byte) id});
    }

    boolean send(int peer, HandshakeMessage message) throws Exception {
        return call(() -> carrier.send(peer, message));
    }

    Event next() throws InterruptedException {
        Event event = events.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        if (event == null) {
            throw new IllegalStateException("nothing happened");
        }
        return event;
    }

    /** Runs on the thread of the loop, after everything that happened before. */
    <T> T call(Supplier<T> supplier) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> result.complete(supplier.get()));
        return result.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void received(int peer, InetAddress host, HandshakeMessage message) {
        events.add(new Event(peer, host, message, null));
    }

    @Override
    public void gone(int peer, DeclineReason reason) {
        events.add(new Event(peer, null, null, reason));
    }

    @Override
    public void close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        loop.execute(() -> {
            carrier.close();
            closed.complete(null);
        });
        closed.join();
        loop.close();
    }
}
