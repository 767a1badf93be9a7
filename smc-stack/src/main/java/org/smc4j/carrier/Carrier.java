package org.smc4j.carrier;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.sysctl.AddressRules;
import org.smc4j.time.EventLoop;
import org.smc4j.time.ExpiringMap;

/**
 * All connections of this process to other hosts: those it opened, one for each pair of addresses, and those it accepted. A
 * connection is called by a number above 0 that names no other for a long time. Used by the thread of the loop only; nothing
 * blocks.
 */
public final class Carrier {
    private static final int MAX_OUTGOING = 1024;
    private static final int MAX_INCOMING = 1024;
    private static final int MAX_INCOMING_OF_HOST = 16;
    private static final int MAX_UNPROVEN = 128;
    private static final int BACKLOG = 128;
    private static final int ACCEPTS_PER_TURN = 64;
    private static final long ACCEPT_PAUSE_NANOS = 100_000_000L;
    private static final int MAX_COMPLAINTS = 1024;
    private static final int KEEPALIVE_SECONDS = 30;
    private static final int KEEPALIVE_PROBES = 3;

    /**
     * What concerns connections between hosts.
     *
     * @param bind       the address to listen on, of 16 zero bytes for all, and the sideband port of all hosts
     * @param peers      which hosts to talk to
     * @param retryNanos how long a host that did not answer as it must is left alone
     * @param secret     null to do without
     */
    public record Settings(Address bind, AddressRules peers, long retryNanos, SharedSecret secret) {
    }

    /** Called on the thread of the loop, and but for {@link Carrier#close} never from within a call of the carrier. */
    public interface Events {
        /**
         * A message came over a connection.
         *
         * @param host the address that the connection comes from or goes to
         */
        void received(int peer, InetAddress host, HandshakeMessage message);

        /** The end of a connection; its number means nothing any more. */
        void gone(int peer, DeclineReason reason);
    }

    private record Route(InetAddress local, InetAddress remote) {
    }

    private final EventLoop loop;
    private final Settings settings;
    private final Events events;
    private final PeerConnection.Deadlines deadlines;
    private final NegativeAnswers negativeAnswers;
    private final ExpiringMap<InetAddress, DeclineReason> complaints;
    private final Map<Integer, PeerConnection> connections = new HashMap<>();
    private final Map<Route, PeerConnection> outgoing = new HashMap<>();
    /** Numbers of connections that could not even begin, until their end is told. */
    private final Set<Integer> failing = new HashSet<>();
    private int lastHandle;
    private int listener = -1;

    public Carrier(EventLoop loop, Settings settings, Events events) {
        this(loop, settings, events, PeerConnection.Deadlines.USUAL);
    }

    Carrier(EventLoop loop, Settings settings, Events events, PeerConnection.Deadlines deadlines) {
        this.deadlines = deadlines;
        this.loop = loop;
        this.settings = settings;
        this.events = events;
        this.negativeAnswers = new NegativeAnswers(loop, settings.retryNanos());
        this.complaints = new ExpiringMap<>(loop, settings.retryNanos(), MAX_COMPLAINTS, (host, reason) -> { });
    }

    // -- Out --

    /** Why no handshake about the connection can be proposed now; null if it can. */
    public DeclineReason refusal(FourTuple tuple) {
        if (!settings.peers().allows(tuple.server(), settings.bind().port())) {
            return DeclineReason.DENIED;
        }
        DeclineReason negative = negativeAnswers.get(tuple.serverAddress());
        if (negative != null) {
            return negative;
        }
        return outgoing.size() < MAX_OUTGOING || outgoing.containsKey(route(tuple)) ? null : DeclineReason.NO_RESOURCES;
    }

    /**
     * The connection for proposals about the TCP connection: from its client address to its server address. It may be under way
     * or about to fail.
     */
    public int peerFor(FourTuple tuple) {
        PeerConnection known = outgoing.get(route(tuple));
        return known != null ? known.handle : connect(tuple);
    }

    private static Route route(FourTuple tuple) {
        return new Route(tuple.clientAddress(), tuple.serverAddress());
    }

    private int connect(FourTuple tuple) {
        int handle = nextHandle();
        Address local = new Address(tuple.client(), 0);
        Address remote = new Address(tuple.server(), settings.bind().port());
        int fd = TcpSocket.open(remote.bytes().length);
        if (fd < 0) {
            return failed(tuple, handle, fd, DeclineReason.NO_RESOURCES);
        }
        configure(fd);
        // The server believes only what comes from the client's own address.
        int result = TcpSocket.bind(fd, local);
        if (result == 0) {
            result = TcpSocket.connect(fd, remote);
        }
        if (result < 0 && result != -Errno.EINPROGRESS) {
            Linux.close(fd);
            return failed(tuple, handle, result, DeclineReason.UNREACHABLE);
        }
        Session session = Session.client(settings.secret(), nonce(), local, remote);
        PeerConnection connection =
                new PeerConnection(this, loop, handle, fd, session, tuple.serverAddress(), true, deadlines);
        connections.put(handle, connection);
        outgoing.put(route(tuple), connection);
        return handle;
    }

    private int failed(FourTuple tuple, int handle, int result, DeclineReason reason) {
        Log.debug("sideband to " + tuple.serverAddress().getHostAddress() + ": " + Errno.describe(result));
        failing.add(handle);
        loop.execute(() -> {
            failing.remove(handle);
            events.gone(handle, reason);
        });
        return handle;
    }

    /**
     * Sends a message. Whether it arrives is not known; what answers it does, or the end of the connection.
     *
     * @return false if the peer takes no more now, or is none
     */
    public boolean send(int peer, HandshakeMessage message) {
        PeerConnection connection = connections.get(peer);
        return connection == null ? failing.contains(peer) : connection.send(message);
    }

    // -- In --

    /** Begins to listen on the sideband port, if it does not yet; a negated errno if that is not possible now. */
    public int listen() {
        if (listener >= 0) {
            return 0;
        }
        int fd = bind(settings.bind());
        if (fd == -Errno.EAFNOSUPPORT && isWildcard(settings.bind())) {
            fd = bind(new Address(new byte[4], settings.bind().port()));
        }
        if (fd < 0) {
            return fd;
        }
        listener = fd;
        loop.register(fd, Epoll.IN, event -> accept());
        return 0;
    }

    private static boolean isWildcard(Address address) {
        for (byte b : address.bytes()) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static int bind(Address address) {
        int fd = TcpSocket.open(address.bytes().length);
        if (fd < 0) {
            return fd;
        }
        // Connections of the proxy before us may linger on the port.
        TcpSocket.setOption(fd, TcpSocket.SOL_SOCKET, TcpSocket.SO_REUSEADDR, 1);
        if (address.bytes().length > 4) {
            TcpSocket.setOption(fd, TcpSocket.IPPROTO_IPV6, TcpSocket.IPV6_V6ONLY, 0);
        }
        int result = TcpSocket.bind(fd, address);
        if (result == 0) {
            result = TcpSocket.listen(fd, BACKLOG);
        }
        if (result < 0) {
            Linux.close(fd);
            return result;
        }
        return fd;
    }

    private void accept() {
        for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
            int fd = TcpSocket.accept(listener);
            if (fd >= 0) {
                accepted(fd);
            } else {
                if (fd == -Errno.EMFILE || fd == -Errno.ENFILE) {
                    // The pending connection would be reported again and again.
                    loop.interest(listener, 0);
                    loop.schedule(ACCEPT_PAUSE_NANOS, this::resumeAccepting);
                }
                return;
            }
        }
    }

    private void resumeAccepting() {
        if (listener >= 0) {
            loop.interest(listener, Epoll.IN);
        }
    }

    private void accepted(int fd) {
        Address remote = SocketAddresses.remote(fd);
        Address local = SocketAddresses.local(fd);
        if (remote == null || local == null) {
            Linux.close(fd);
            return;
        }
        InetAddress host = inetAddress(remote);
        if (!settings.peers().allows(remote.bytes(), settings.bind().port()) || !hasRoom(host)) {
            Log.debug("sideband from " + host.getHostAddress() + ": not accepted");
            Linux.close(fd);
            return;
        }
        configure(fd);
        int handle = nextHandle();
        Session session = Session.server(settings.secret(), nonce(), local, remote);
        connections.put(handle, new PeerConnection(this, loop, handle, fd, session, host, false, deadlines));
    }

    private boolean hasRoom(InetAddress host) {
        int incoming = 0;
        int ofHost = 0;
        int unproven = 0;
        for (PeerConnection connection : connections.values()) {
            if (!connection.outgoing) {
                incoming++;
                ofHost += connection.host.equals(host) ? 1 : 0;
                unproven += connection.isProven() ? 0 : 1;
            }
        }
        return incoming < MAX_INCOMING && ofHost < MAX_INCOMING_OF_HOST && unproven < MAX_UNPROVEN;
    }

    // -- Both --

    /** Ends all connections and listens no more. */
    void close() {
        if (listener >= 0) {
            loop.deregister(listener);
            Linux.close(listener);
            listener = -1;
        }
        for (PeerConnection connection : List.copyOf(connections.values())) {
            connection.close(DeclineReason.PEER_GONE);
        }
    }

    private static void configure(int fd) {
        TcpSocket.setOption(fd, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_NODELAY, 1);
        // A host that lost its power says nothing.
        TcpSocket.setOption(fd, TcpSocket.SOL_SOCKET, TcpSocket.SO_KEEPALIVE, 1);
        TcpSocket.setOption(fd, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPIDLE, KEEPALIVE_SECONDS);
        TcpSocket.setOption(fd, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPINTVL, KEEPALIVE_SECONDS / KEEPALIVE_PROBES);
        TcpSocket.setOption(fd, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPCNT, KEEPALIVE_PROBES);
        TcpSocket.setOption(fd, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_USER_TIMEOUT, 2 * KEEPALIVE_SECONDS * 1000);
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[Hello.NONCE_SIZE];
        Linux.random(nonce);
        return nonce;
    }

    private int nextHandle() {
        do {
            lastHandle = lastHandle == Integer.MAX_VALUE ? 1 : lastHandle + 1;
        } while (connections.containsKey(lastHandle) || failing.contains(lastHandle));
        return lastHandle;
    }

    private static InetAddress inetAddress(Address address) {
        try {
            return InetAddress.getByAddress(address.bytes());
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    // -- Called by connections --

    void received(PeerConnection connection, HandshakeMessage message) {
        events.received(connection.handle, connection.host, message);
    }

    void opened(PeerConnection connection) {
        negativeAnswers.remove(connection.host);
        Log.debug(connection + ": open");
    }

    /** What went wrong with a connection: once in a while for people where only they can put it right. */
    void report(PeerConnection connection, DeclineReason reason, String detail) {
        String line = connection + ": " + reason + ", " + detail;
        if (reason == DeclineReason.SECRET && complaints.get(connection.host) == null) {
            complaints.put(connection.host, reason);
            Log.warn(line);
        } else {
            Log.debug(line);
        }
    }

    void closed(PeerConnection connection, DeclineReason reason, boolean wasOpen) {
        connections.remove(connection.handle);
        outgoing.values().remove(connection);
        if (connection.outgoing && !wasOpen) {
            negativeAnswers.add(connection.host, reason);
        }
        events.gone(connection.handle, reason);
    }
}
