package org.smc4j.carrier;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.time.EventLoop;
import org.smc4j.time.Scheduler;

/**
 * One TCP connection to another host: its socket, its buffers and its deadlines. Used by the thread of the loop only.
 *
 * <pre>
 *  CONNECTING   outgoing only: until the kernel says how it went
 *  GREETING     until the HELLO of the peer
 *  OPEN         messages pass
 *  CLOSED
 * </pre>
 */
final class PeerConnection {
    /**
     * How long things may take.
     *
     * @param greetingNanos until a peer was reached, has greeted and proven what it has to
     * @param idleNanos     until a connection without a message is given up
     */
    record Deadlines(long greetingNanos, long idleNanos) {
        /** No handshake is under way on a connection that was idle for so long, whatever smc.handshake_timeout_ms is. */
        static final Deadlines USUAL = new Deadlines(5_000_000_000L, 90_000_000_000L);
    }

    private static final int MAX_WAITING = 256;
    private static final int MAX_UNSENT_BYTES = 256 << 10;
    private static final int READS_PER_TURN = 16;

    private enum State { CONNECTING, GREETING, OPEN, CLOSED }

    final int handle;
    final InetAddress host;
    final boolean outgoing;
    private final Carrier carrier;
    private final EventLoop loop;
    private final int fd;
    private final Session session;
    private final Deadlines deadlines;
    private State state;
    private final ByteBuffer received;
    private final ArrayDeque<HandshakeMessage> waiting = new ArrayDeque<>();  // until it is open
    private final ArrayDeque<byte[]> unsent = new ArrayDeque<>();
    private int unsentBytes;
    private int sentOfFirst;
    private long lastUsed;
    private Scheduler.Timer timer;

    /** @param fd a socket that is connecting or connected; the connection closes it */
    PeerConnection(Carrier carrier, EventLoop loop, int handle, int fd, Session session, InetAddress host, boolean outgoing,
            Deadlines deadlines) {
        this.carrier = carrier;
        this.loop = loop;
        this.handle = handle;
        this.fd = fd;
        this.session = session;
        this.host = host;
        this.outgoing = outgoing;
        this.deadlines = deadlines;
        this.state = outgoing ? State.CONNECTING : State.GREETING;
        this.received = ByteBuffer.allocate(session.maxFrameSize());
        this.lastUsed = loop.nanoTime();
        loop.register(fd, outgoing ? Epoll.OUT : Epoll.IN, this::ready);
        timer = loop.schedule(deadlines.greetingNanos, this::checkTime);
    }

    /** Whether the peer has done all that is asked of a stranger. */
    boolean isProven() {
        return state == State.OPEN && session.isProven();
    }

    /**
     * Sends as soon as that is possible. Never closes the connection before it returns.
     *
     * @return false if too much waits to be sent already
     */
    boolean send(HandshakeMessage message) {
        lastUsed = loop.nanoTime();
        if (state != State.OPEN) {
            return waiting.size() < MAX_WAITING && waiting.add(message);
        }
        // Not sealed if it cannot be sent: the peer counts the frames.
        if (unsentBytes > MAX_UNSENT_BYTES) {
            return false;
        }
        sendSoon(session.seal(message));
        return true;
    }

    void close(DeclineReason reason) {
        if (state == State.CLOSED) {
            return;
        }
        boolean wasOpen = state == State.OPEN;
        state = State.CLOSED;
        timer.cancel();
        loop.deregister(fd);
        Linux.close(fd);
        carrier.closed(this, reason, wasOpen);
    }

    private void ready(int events) {
        if (state == State.CONNECTING) {
            int error = TcpSocket.error(fd);
            if (error < 0) {
                fail(reasonOf(error), "errno " + -error);
                return;
            }
            state = State.GREETING;
            append(session.hello());
        }
        int result = flush();
        if (result < 0) {
            fail(endReason(), Errno.describe(result));
            return;
        }
        if ((events & ~Epoll.OUT) != 0) {
            receive();
        }
    }

    private static DeclineReason reasonOf(int error) {
        return switch (-error) {
            case Errno.ECONNREFUSED -> DeclineReason.REFUSED;
            case Errno.ETIMEDOUT -> DeclineReason.NO_ANSWER;
            default -> DeclineReason.UNREACHABLE;
        };
    }

    private DeclineReason endReason() {
        return state == State.OPEN ? DeclineReason.PEER_GONE : DeclineReason.NOT_A_PEER;
    }

    private void receive() {
        for (int i = 0; i < READS_PER_TURN && state != State.CLOSED; i++) {
            int result = TcpSocket.receive(fd, received.array(), received.position());
            if (result == -Errno.EAGAIN || result == -Errno.EINTR) {
                return;
            }
            if (result <= 0) {
                fail(endReason(), result == 0 ? "the peer closed the connection" : Errno.describe(result));
                return;
            }
            received.position(received.position() + result).flip();
            try {
                takeFrames();
            } catch (PeerException e) {
                refuse(e);
                return;
            } finally {
                received.compact();
            }
        }
    }

    private void takeFrames() throws PeerException {
        int size;
        while (state != State.CLOSED && (size = session.frameSize(received)) > 0 && size <= received.remaining()) {
            ByteBuffer frame = received.slice(received.position(), size);
            received.position(received.position() + size);
            HandshakeMessage message = session.receive(frame);
            if (message == null) {
                opened();
            } else {
                lastUsed = loop.nanoTime();
                carrier.received(this, message);
            }
        }
    }

    private void opened() {
        state = State.OPEN;
        if (!outgoing) {
            sendSoon(session.hello());
        }
        HandshakeMessage message;
        while ((message = waiting.poll()) != null) {
            sendSoon(session.seal(message));
        }
        if (outgoing) {
            carrier.opened(this);
        }
    }

    private void refuse(PeerException cause) {
        if (!outgoing && state == State.GREETING) {
            // So that the peer learns why: it sees from ours what does not fit.
            TcpSocket.send(fd, session.hello(), 0);
        }
        fail(state == State.OPEN && cause.reason() == DeclineReason.NOT_A_PEER ? DeclineReason.PEER_GONE : cause.reason(),
                cause.getMessage());
    }

    private void fail(DeclineReason reason, String detail) {
        carrier.report(this, reason, detail);
        close(reason);
    }

    private void append(byte[] bytes) {
        unsent.add(bytes);
        unsentBytes += bytes.length;
    }

    private void sendSoon(byte[] bytes) {
        append(bytes);
        if (flush() < 0) {
            // Not now: whoever sends is in the middle of something.
            DeclineReason reason = endReason();
            loop.execute(() -> close(reason));
        }
    }

    /** A negated errno if the connection is broken. */
    private int flush() {
        byte[] first;
        while ((first = unsent.peek()) != null) {
            int result = TcpSocket.send(fd, first, sentOfFirst);
            if (result == -Errno.EAGAIN || result == -Errno.EINTR) {
                break;
            }
            if (result < 0) {
                return result;
            }
            unsentBytes -= result;
            sentOfFirst += result;
            if (sentOfFirst == first.length) {
                unsent.remove();
                sentOfFirst = 0;
            }
        }
        loop.interest(fd, Epoll.IN | (unsent.isEmpty() ? 0 : Epoll.OUT));
        return 0;
    }

    private void checkTime() {
        if (!isProven()) {
            fail(DeclineReason.NO_ANSWER, "no answer in time");
            return;
        }
        // The peer that connected closes first, so that it never sends into a connection that ends.
        long idleNanos = outgoing ? deadlines.idleNanos : 2 * deadlines.idleNanos;
        long unused = loop.nanoTime() - lastUsed;
        if (unused >= idleNanos) {
            close(DeclineReason.PEER_GONE);
        } else {
            timer = loop.schedule(idleNanos - unused, this::checkTime);
        }
    }

    @Override
    public String toString() {
        return (outgoing ? "sideband to " : "sideband from ") + host.getHostAddress();
    }
}
