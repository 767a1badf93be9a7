package org.smc4j.proxy;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.smc4j.carrier.Carrier;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.carrier.SharedSecret;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;
import org.smc4j.time.EventLoop;

/**
 * Handshakes of this process with processes on other hosts. Its methods may be called on the thread of the loop only, and call
 * nobody back before they return; nothing blocks.
 */
public final class HostSideband {
    private static final int MAX_EXCHANGES = 4096;
    /** Proposals that wait for the proxy to be found. */
    private static final int MAX_WAITING = 256;
    private static final byte[] NOTHING = new byte[0];

    /** Takes what other hosts propose. */
    public interface Proposals {
        /**
         * Another host has opened an exchange about a connection to a listener of this process. That it comes from the address
         * of the connection's client is checked, everything else is the peer's word. Called on the thread of the loop.
         *
         * @return who takes the exchange from here on; it must end it some time
         */
        Exchange.Handler proposed(Exchange exchange);
    }

    private record Listener(InetAddress address, int port) {
    }

    private record ReceivedKey(int peer, int remoteId) {
    }

    private final EventLoop loop;
    private final Proposals proposals;
    private final Membership membership;  // null if unusable
    private final String problem;         // null if usable
    private final Map<Integer, Exchange> exchanges = new HashMap<>();
    private final Map<ReceivedKey, Exchange> received = new HashMap<>();
    private final Set<Exchange> waiting = new LinkedHashSet<>();
    /** With how often each was published. */
    private final Map<Listener, Integer> listeners = new LinkedHashMap<>();
    private int lastId;

    /** Whether the settings ask for it at all. */
    public static boolean isConfigured(Sysctl sysctl) {
        return sysctl.number(Tunable.SIDEBAND_PORT) != 0;
    }

    /**
     * Reads the settings and the secret, which waits for the disk, and begins to seek the proxy of the host. What is not usable
     * is logged, and every exchange then ends at once.
     */
    public HostSideband(Sysctl sysctl, EventLoop loop, Proposals proposals) {
        this.loop = loop;
        this.proposals = proposals;
        SharedSecret secret = null;
        String found = problem(sysctl);
        String secretFile = sysctl.text(Tunable.SIDEBAND_SECRET_FILE);
        if (found == null && !secretFile.isEmpty()) {
            try {
                secret = SharedSecret.load(secretFile);
            } catch (SharedSecret.UnusableException e) {
                found = Tunable.SIDEBAND_SECRET_FILE.key() + ": " + e.getMessage();
            }
        }
        problem = found;
        if (problem != null) {
            if (isConfigured(sysctl)) {
                Log.error(problem + ": connections to other hosts stay TCP");
            }
            membership = null;
        } else {
            membership = membership(sysctl, secret);
            loop.execute(membership::seek);
        }
    }

    /** Settings whose default would let in more than the user meant. */
    private static String problem(Sysctl sysctl) {
        if (!isConfigured(sysctl)) {
            return Tunable.SIDEBAND_PORT.key() + " is 0";
        }
        for (Tunable tunable : new Tunable[] {Tunable.SIDEBAND_BIND, Tunable.SIDEBAND_PEERS}) {
            if (sysctl.isRejected(tunable)) {
                return tunable.key() + " has no valid value";
            }
        }
        return null;
    }

    private Membership membership(Sysctl sysctl, SharedSecret secret) {
        int port = (int) sysctl.number(Tunable.SIDEBAND_PORT);
        byte[] bind = sysctl.address(Tunable.SIDEBAND_BIND);
        Address address = new Address(bind == null ? new byte[16] : bind, port);
        long retryNanos = sysctl.number(Tunable.SIDEBAND_RETRY_MS) * 1_000_000L;
        Carrier.Settings settings =
                new Carrier.Settings(address, sysctl.rules(Tunable.SIDEBAND_PEERS), retryNanos, secret);
        return new Membership(loop, ProxyName.of(Linux.uid(), address), settings,
                digest(sysctl.text(Tunable.SIDEBAND_PEERS), secret), new Member());
    }

    /** Of what decides who is let in. */
    private static byte[] digest(String rules, SharedSecret secret) {
        byte[] bytes = rules.getBytes(StandardCharsets.UTF_8);
        if (secret != null) {
            return secret.mac(bytes);
        }
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            // Every Java platform has it.
            throw new AssertionError(e);
        }
    }

    /** Why it is not usable, for people; null if it is. */
    public String unavailabilityCause() {
        return problem;
    }

    /** What this process is to the sideband port, for people. */
    public String describe() {
        return problem != null ? "off, " + problem : membership.describe();
    }

    // -- Down --

    /** Other hosts may propose for connections that this listener accepts. An address may be published more than once. */
    public void publish(InetAddress address, int port) {
        if (listeners.merge(new Listener(address, port), 1, Integer::sum) == 1) {
            tell(true, address, port);
        }
    }

    /** Takes back one {@link #publish}. */
    public void unpublish(InetAddress address, int port) {
        Listener listener = new Listener(address, port);
        if (listeners.containsKey(listener) && listeners.compute(listener, (key, n) -> n == 1 ? null : n - 1) == null) {
            tell(false, address, port);
        }
    }

    private void tell(boolean on, InetAddress address, int port) {
        if (membership != null && membership.isJoined()) {
            membership.sendAnyway(new LocalFrame.Listener(on, address, port));
        }
    }

    /** Opens an exchange about a connection of this process, with the server's process. */
    public Exchange propose(FourTuple tuple, byte[] proposal, Exchange.Handler handler) {
        return open(Type.PROPOSAL, tuple, proposal, handler);
    }

    /** Asks what a proposal would be answered, for a connection that need not exist; READY or an end with a reason. */
    public Exchange check(FourTuple tuple, byte[] proposal, Exchange.Handler handler) {
        return open(Type.CHECK, tuple, proposal, handler);
    }

    private Exchange open(Type type, FourTuple tuple, byte[] proposal, Exchange.Handler handler) {
        if (proposal.length > HandshakeMessage.MAX_PAYLOAD) {
            throw new IllegalArgumentException("proposal of " + proposal.length + " bytes");
        }
        int id = nextId();
        Exchange exchange = new Exchange(this, new HandshakeMessage(type, null, id, 0, tuple, proposal), id, false);
        exchange.handler = handler;
        if (membership == null) {
            end(exchange, DeclineReason.UNUSABLE);
        } else if (exchanges.size() >= MAX_EXCHANGES) {
            end(exchange, DeclineReason.NO_RESOURCES);
        } else {
            exchanges.put(id, exchange);
            begin(exchange);
        }
        return exchange;
    }

    private void begin(Exchange exchange) {
        boolean taken = membership.isJoined() ? membership.send(new LocalFrame.Message(0, exchange.opening))
                : waiting.size() < MAX_WAITING && waiting.add(exchange);
        if (!taken) {
            end(exchange, DeclineReason.NO_RESOURCES);
        }
    }

    private int nextId() {
        do {
            lastId++;
        } while (lastId == 0 || exchanges.containsKey(lastId));
        return lastId;
    }

    void send(Exchange exchange, Type type, DeclineReason reason, byte[] payload) {
        if (exchange.over) {
            return;
        }
        if (type.ends()) {
            forget(exchange);
        }
        if (waiting.remove(exchange)) {
            // Nobody has heard of it yet.
            return;
        }
        HandshakeMessage message =
                new HandshakeMessage(type, reason, exchange.localId, exchange.remoteId, exchange.tuple(), payload);
        if (!membership.send(new LocalFrame.Message(exchange.peer, message)) && !exchange.over) {
            end(exchange, DeclineReason.NO_RESOURCES);
        }
    }

    private void forget(Exchange exchange) {
        exchange.over = true;
        exchanges.remove(exchange.localId, exchange);
        if (exchange.incoming) {
            received.remove(new ReceivedKey(exchange.peer, exchange.remoteId), exchange);
        }
    }

    /** Tells the handler later: whoever calls is in the middle of something. */
    private void end(Exchange exchange, DeclineReason reason) {
        forget(exchange);
        loop.execute(() -> exchange.handler.ended(exchange, reason, NOTHING));
    }

    // -- Up --

    private final class Member implements Membership.Events {
        @Override
        public void joined() {
            for (Listener listener : listeners.keySet()) {
                tell(true, listener.address, listener.port);
            }
            List<Exchange> begun = new ArrayList<>(waiting);
            waiting.clear();
            for (Exchange exchange : begun) {
                begin(exchange);
            }
        }

        @Override
        public void left(DeclineReason reason) {
            if (reason != DeclineReason.PROXY_GONE) {
                waiting.clear();
            }
            for (Exchange exchange : List.copyOf(exchanges.values())) {
                if (!waiting.contains(exchange)) {
                    end(exchange, reason);
                }
            }
        }

        @Override
        public void received(int peer, HandshakeMessage message) {
            if (message.type().opens()) {
                proposed(peer, message);
                return;
            }
            Exchange exchange = find(peer, message);
            if (exchange == null) {
                Log.debug("sideband between hosts: " + message + " belongs to nothing");
            } else if (message.type() == Type.DECLINE) {
                forget(exchange);
                exchange.handler.ended(exchange, message.reason(), message.payload());
            } else {
                if (!exchange.incoming) {
                    exchange.peer = peer;
                    exchange.remoteId = message.localId();
                }
                if (message.type().ends()) {
                    forget(exchange);
                }
                exchange.handler.received(exchange, message.type(), message.payload());
            }
        }
    }

    private void proposed(int peer, HandshakeMessage message) {
        ReceivedKey key = new ReceivedKey(peer, message.localId());
        Exchange known = received.get(key);
        if (known != null && known.tuple().equals(message.tuple())) {
            // Said again: the answer is on its way.
            return;
        }
        if (known != null) {
            end(known, DeclineReason.PEER_GONE);
        }
        if (exchanges.size() >= MAX_EXCHANGES) {
            membership.send(new LocalFrame.Message(peer,
                    HandshakeMessage.decline(DeclineReason.NO_RESOURCES, 0, message.localId(), message.tuple())));
            return;
        }
        Exchange exchange = new Exchange(this, message, nextId(), true);
        exchange.peer = peer;
        exchange.remoteId = message.localId();
        exchanges.put(exchange.localId, exchange);
        received.put(key, exchange);
        exchange.handler = proposals.proposed(exchange);
    }

    /** The exchange that a message belongs to: by our id, or if it does not say that, by the peer's. */
    private Exchange find(int peer, HandshakeMessage message) {
        Exchange exchange = message.remoteId() != 0 ? exchanges.get(message.remoteId())
                : received.get(new ReceivedKey(peer, message.localId()));
        boolean fits = exchange != null && exchange.tuple().equals(message.tuple())
                && isUnknownOrEqual(exchange.peer, peer) && isUnknownOrEqual(exchange.remoteId, message.localId());
        return fits ? exchange : null;
    }

    private static boolean isUnknownOrEqual(int known, int said) {
        return known == 0 || said == 0 || known == said;
    }
}
