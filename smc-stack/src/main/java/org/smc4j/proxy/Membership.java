package org.smc4j.proxy;

import org.smc4j.carrier.Carrier;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.PeerException;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.time.EventLoop;

/**
 * This process's connection to the proxy of its host, which it becomes itself if there is none. Used on the thread of the loop
 * only.
 *
 * <pre>
 *  SEEKING   connects to the proxy's name; refused: claims the name, and connects to itself; else tries again
 *  JOINING   has told the proxy its settings
 *  JOINED    until the proxy is gone: then SEEKING
 * </pre>
 */
final class Membership implements LocalLink.Owner {
    private static final long FIRST_RETRY_NANOS = 1_000_000L;
    private static final long LAST_RETRY_NANOS = 1_000_000_000L;
    /** After the proxy has said what will be so until it ends. */
    private static final long SETTINGS_RETRY_NANOS = 5_000_000_000L;

    private enum State { SEEKING, JOINING, JOINED }

    /** Called on the thread of the loop. */
    interface Events {
        /** Messages can be sent from now on. */
        void joined();

        void received(int peer, HandshakeMessage message);

        /**
         * Nothing that was under way goes on.
         *
         * @param reason PROXY_GONE if another proxy is sought at once
         */
        void left(DeclineReason reason);
    }

    private final EventLoop loop;
    private final String name;
    private final Carrier.Settings carrierSettings;
    private final byte[] settings;
    private final Events events;
    private State state = State.SEEKING;
    private LocalLink link;           // null while SEEKING
    private UnixSocket.Credentials proxyCredentials;
    private Proxy proxy;              // null if another process is it
    private long retryNanos = FIRST_RETRY_NANOS;
    private String warned = "";

    /**
     * @param name     the abstract name of the proxy
     * @param settings the digest of what proxy and members must agree on
     */
    Membership(EventLoop loop, String name, Carrier.Settings carrierSettings, byte[] settings, Events events) {
        this.loop = loop;
        this.name = name;
        this.carrierSettings = carrierSettings;
        this.settings = settings;
        this.events = events;
    }

    boolean isJoined() {
        return state == State.JOINED;
    }

    /** False if it cannot be sent, now or at all. */
    boolean send(LocalFrame frame) {
        return state == State.JOINED && link.send(frame);
    }

    /** For the little that must not get lost while this process is a member. */
    void sendAnyway(LocalFrame frame) {
        link.sendAnyway(frame);
    }

    /** Begins to seek the proxy. */
    void seek() {
        int result = connect();
        if (result == -Errno.ECONNREFUSED && proxy == null) {
            proxy = Proxy.claim(loop, name, carrierSettings, settings);
            if (proxy != null) {
                Log.info("this process is the proxy at " + name);
                result = connect();
            }
        }
        if (result < 0) {
            loop.schedule(retryNanos, this::seek);
            retryNanos = Math.min(2 * retryNanos, LAST_RETRY_NANOS);
        }
    }

    /** A negated errno if there is no proxy, or none that answers now, or a stranger. */
    private int connect() {
        int fd = UnixSocket.open();
        if (fd < 0) {
            return fd;
        }
        int result = UnixSocket.connect(fd, name);
        if (result == 0) {
            proxyCredentials = UnixSocket.peerCredentials(fd);
            if (proxyCredentials != null && proxyCredentials.uid() == Linux.uid()) {
                state = State.JOINING;
                link = new LocalLink(loop, fd, this);
                link.send(new LocalFrame.Join(settings));
                return 0;
            }
            warnOnce("the name " + name + " belongs to " + proxyCredentials + ", not used");
            result = -Errno.EPERM;
        }
        Linux.close(fd);
        return result;
    }

    @Override
    public void received(LocalFrame frame) throws PeerException {
        switch (frame) {
            case LocalFrame.Joined _ when state == State.JOINING -> {
                state = State.JOINED;
                retryNanos = FIRST_RETRY_NANOS;
                Log.debug("joined the proxy at " + name + ", process " + proxyCredentials.pid());
                events.joined();
            }
            case LocalFrame.OtherSettings _ when state == State.JOINING -> {
                warnOnce("process " + proxyCredentials.pid() + " has the sideband port with another secret or other rules:"
                        + " connections to other hosts stay TCP");
                link.close();
                leave(DeclineReason.SETTINGS);
                loop.schedule(SETTINGS_RETRY_NANOS, this::seek);
            }
            case LocalFrame.Message message when state == State.JOINED -> events.received(message.peer(), message.message());
            default -> throw PeerException.malformed("the proxy: a packet out of place");
        }
    }

    @Override
    public void ended() {
        Log.debug("the proxy, process " + proxyCredentials.pid() + ", is gone");
        boolean wasJoined = state == State.JOINED;
        leave(DeclineReason.PROXY_GONE);
        if (wasJoined) {
            seek();
        } else {
            // One that hangs up before it has answered would do so again at once.
            loop.schedule(retryNanos, this::seek);
            retryNanos = Math.min(2 * retryNanos, LAST_RETRY_NANOS);
        }
    }

    private void leave(DeclineReason reason) {
        state = State.SEEKING;
        link = null;
        events.left(reason);
    }

    private void warnOnce(String line) {
        if (!line.equals(warned)) {
            warned = line;
            Log.warn(line);
        }
    }

    /** For people: who is the proxy, as far as this process knows. */
    String describe() {
        if (state != State.JOINED) {
            return "seeks the proxy";
        }
        if (proxy == null) {
            return "member, the proxy is process " + proxyCredentials.pid();
        }
        return proxy.listenResult() == 0 ? "proxy" : "proxy without the port, " + Errno.describe(proxy.listenResult());
    }
}
