package org.smc4j.sideband;

import java.io.IOException;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.UnixSocket;

/** A sideband connection that is used by one thread, which waits for each answer; for the command line. */
final class SidebandClient implements AutoCloseable {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final int fd;
    private final Epoll epoll;
    private final UnixSocket.Credentials peer;

    private SidebandClient(int fd, Epoll epoll, UnixSocket.Credentials peer) {
        this.fd = fd;
        this.epoll = epoll;
        this.peer = peer;
    }

    /**
     * Connects to a name; null if nobody has it.
     *
     * @throws IOException with a message for users
     */
    static SidebandClient connect(String name) throws IOException {
        int fd = UnixSocket.open();
        if (fd < 0) {
            throw new IOException("no socket: " + Errno.describe(fd));
        }
        int result = UnixSocket.connect(fd, name);
        UnixSocket.Credentials peer = result < 0 ? null : UnixSocket.peerCredentials(fd);
        if (peer == null) {
            Linux.close(fd);
            if (result == -Errno.EAGAIN) {
                throw new IOException("too busy to be asked (stopped?)");
            }
            return null;
        }
        Epoll epoll;
        try {
            epoll = Epoll.open(1);
        } catch (IllegalStateException e) {
            Linux.close(fd);
            throw new IOException(e.getMessage(), e);
        }
        epoll.add(fd, Epoll.IN);
        return new SidebandClient(fd, epoll, peer);
    }

    UnixSocket.Credentials peer() {
        return peer;
    }

    void send(Envelope envelope) throws IOException {
        int result = UnixSocket.send(fd, envelope.encode());
        if (result < 0) {
            throw new IOException(result == -Errno.EPIPE || result == -Errno.ECONNRESET ? "refused to answer this user"
                    : "cannot be asked: " + Errno.describe(result));
        }
    }

    /**
     * Waits for the next message.
     *
     * @param deadline in terms of System.nanoTime
     * @throws IOException if there is none in time, or none that can be understood; with a message for users
     */
    Envelope receive(long deadline) throws IOException {
        while (true) {
            try {
                UnixSocket.Message message = UnixSocket.receive(fd);
                if (message == null) {
                    throw new IOException("refused to answer this user");
                }
                message.closeDescriptors();
                return Envelope.decode(message.bytes());
            } catch (UnixSocket.Unavailable e) {
                if (e.result() != -Errno.EAGAIN && e.result() != -Errno.EINTR) {
                    throw new IOException("ended while it was asked");
                }
            } catch (Envelope.MalformedException e) {
                throw new IOException("has an agent of another version: " + e.getMessage());
            }
            long millis = (deadline - System.nanoTime()) / NANOS_PER_MILLI;
            if (millis <= 0) {
                throw new IOException("does not answer (stopped?)");
            }
            epoll.await((int) Math.min(millis, Integer.MAX_VALUE));
        }
    }

    @Override
    public void close() {
        epoll.close();
        Linux.close(fd);
    }
}
