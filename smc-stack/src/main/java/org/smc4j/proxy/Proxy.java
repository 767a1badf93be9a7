package org.smc4j.proxy;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import org.smc4j.carrier.Carrier;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.PeerException;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.time.EventLoop;

/**
 * The one process of a user on a host that has the sideband port, and serves the others. Used on the thread of the loop only; it
 * is the proxy until the process ends.
 */
final class Proxy implements Router.Output, Carrier.Events {
    private static final int BACKLOG = 128;
    private static final int MAX_MEMBERS = 512;
    private static final int ACCEPTS_PER_TURN = 64;
    private static final long ACCEPT_PAUSE_NANOS = 100_000_000L;
    private static final long FIRST_LISTEN_RETRY_NANOS = 5_000_000L;
    private static final long PATIENCE_NANOS = 1_000_000_000L;
    private static final long LAST_LISTEN_RETRY_NANOS = 5_000_000_000L;

    /** A process that is connected. */
    private final class Member implements LocalLink.Owner {
        final int number;
        final UnixSocket.Credentials peer;
        final LocalLink link;
        boolean joined;

        Member(int number, int fd, UnixSocket.Credentials peer) {
            this.number = number;
            this.peer = peer;
            this.link = new LocalLink(loop, fd, this);
        }

        @Override
        public void received(LocalFrame frame) throws PeerException {
            switch (frame) {
                case LocalFrame.Join join when !joined -> join(this, join);
                case LocalFrame.Listener listener when joined && listener.on() ->
                    router.listens(number, listener.address(), listener.port());
                case LocalFrame.Listener listener when joined ->
                    router.listensNoMore(number, listener.address(), listener.port());
                case LocalFrame.Message message when joined -> router.fromMember(number, message.peer(), message.message());
                default -> throw PeerException.malformed("process " + peer.pid() + ": a packet out of place");
            }
        }

        @Override
        public void ended() {
            members.remove(number);
            router.memberGone(number);
        }
    }

    private final EventLoop loop;
    private final int socket;
    private final byte[] settings;
    private final Carrier carrier;
    private final Router router;
    private final Map<Integer, Member> members = new HashMap<>();
    private int lastMember;
    private long listenRetryNanos = FIRST_LISTEN_RETRY_NANOS;
    private int listenResult;
    private boolean warned;

    private Proxy(EventLoop loop, int socket, Carrier.Settings carrierSettings, byte[] settings) {
        this.loop = loop;
        this.socket = socket;
        this.settings = settings;
        this.carrier = new Carrier(loop, carrierSettings, this);
        byte[] random = new byte[Integer.BYTES];
        Linux.random(random);
        this.router = new Router(loop, this, ByteBuffer.wrap(random).getInt());
        loop.register(socket, Epoll.IN, events -> accept());
        listen();
    }

    /**
     * Becomes the proxy if nobody is.
     *
     * @param name     the abstract name by which members find it
     * @param settings the digest of what members must agree on
     * @return null if somebody has the name, or this process has no descriptor left
     */
    static Proxy claim(EventLoop loop, String name, Carrier.Settings carrierSettings, byte[] settings) {
        int socket = UnixSocket.open();
        if (socket < 0) {
            return null;
        }
        if (UnixSocket.bind(socket, name) < 0 || UnixSocket.listen(socket, BACKLOG) < 0) {
            Linux.close(socket);
            return null;
        }
        return new Proxy(loop, socket, carrierSettings, settings);
    }

    /** 0 if the sideband port is open, else the negated errno of the last try. */
    int listenResult() {
        return listenResult;
    }

    private void listen() {
        listenResult = carrier.listen();
        if (listenResult == 0) {
            return;
        }
        loop.schedule(listenRetryNanos, this::listen);
        listenRetryNanos = Math.min(2 * listenRetryNanos, LAST_LISTEN_RETRY_NANOS);
        // The predecessor's socket is gone soon; a stranger's may stay, which is worth a line.
        if (listenRetryNanos > PATIENCE_NANOS && !warned) {
            warned = true;
            Log.warn("cannot listen on the sideband port, " + Errno.describe(listenResult)
                    + ": other hosts do not find the processes of this one");
        }
    }

    // -- Members --

    private void accept() {
        for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
            int fd = UnixSocket.accept(socket);
            if (fd >= 0) {
                accepted(fd);
            } else {
                if (fd == -Errno.EMFILE || fd == -Errno.ENFILE) {
                    // The pending connection would be reported again and again.
                    loop.interest(socket, 0);
                    loop.schedule(ACCEPT_PAUSE_NANOS, () -> loop.interest(socket, Epoll.IN));
                }
                return;
            }
        }
    }

    private void accepted(int fd) {
        UnixSocket.Credentials peer = UnixSocket.peerCredentials(fd);
        if (peer == null || peer.uid() != Linux.uid() || members.size() >= MAX_MEMBERS) {
            Log.debug("sideband proxy: refused " + peer);
            Linux.close(fd);
            return;
        }
        do {
            lastMember = lastMember == Integer.MAX_VALUE ? 1 : lastMember + 1;
        } while (members.containsKey(lastMember));
        members.put(lastMember, new Member(lastMember, fd, peer));
    }

    private void join(Member member, LocalFrame.Join join) throws PeerException {
        if (!MessageDigest.isEqual(settings, join.settings())) {
            member.link.send(new LocalFrame.OtherSettings());
            throw PeerException.malformed("process " + member.peer.pid() + " has other settings");
        }
        member.joined = true;
        member.link.send(new LocalFrame.Joined());
    }

    // -- Between router and sockets --

    @Override
    public void toMember(int number, int peer, HandshakeMessage message) {
        Member member = members.get(number);
        if (member != null && !member.link.send(new LocalFrame.Message(peer, message))) {
            // Whoever waits for an answer gives up in time.
            Log.debug("sideband proxy: process " + member.peer.pid() + " does not read, dropped " + message);
        }
    }

    @Override
    public boolean toPeer(int peer, HandshakeMessage message) {
        return carrier.send(peer, message);
    }

    @Override
    public DeclineReason refusal(FourTuple tuple) {
        return carrier.refusal(tuple);
    }

    @Override
    public int peerFor(FourTuple tuple) {
        return carrier.peerFor(tuple);
    }

    @Override
    public void received(int peer, InetAddress host, HandshakeMessage message) {
        router.fromPeer(peer, host, message);
    }

    @Override
    public void gone(int peer, DeclineReason reason) {
        router.peerGone(peer, reason);
    }
}
