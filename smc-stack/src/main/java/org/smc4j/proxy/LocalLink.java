package org.smc4j.proxy;

import java.util.ArrayDeque;
import org.smc4j.carrier.PeerException;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.time.EventLoop;

/** One end of the connection between a process and the proxy of its host. Used on the thread of the loop only. */
final class LocalLink {
    /** A process that does not read, as one that is stopped, gets no more than that. */
    private static final int MAX_QUEUED = 1024;
    private static final int PACKETS_PER_TURN = 64;

    /** Told on the thread of the loop, never from within a call of the link. */
    interface Owner {
        /** @throws PeerException if it is out of place, which ends the link */
        void received(LocalFrame frame) throws PeerException;

        /** The other end is gone, or does not speak the protocol. The link is closed. */
        void ended();
    }

    private final EventLoop loop;
    private final int fd;
    private final Owner owner;
    private final ArrayDeque<byte[]> unsent = new ArrayDeque<>();
    private boolean closed;

    /** @param fd a connected socket; the link closes it */
    LocalLink(EventLoop loop, int fd, Owner owner) {
        this.loop = loop;
        this.fd = fd;
        this.owner = owner;
        loop.register(fd, Epoll.IN, this::ready);
    }

    /** False if too much waits to be sent already. */
    boolean send(LocalFrame frame) {
        if (unsent.size() >= MAX_QUEUED) {
            return false;
        }
        sendAnyway(frame);
        return true;
    }

    /** Sends, however much has to be queued. */
    void sendAnyway(LocalFrame frame) {
        if (closed) {
            return;
        }
        unsent.add(frame.encode());
        if (!flush()) {
            // Not now: whoever sends is in the middle of something.
            loop.execute(this::end);
        }
    }

    /** Tells the owner nothing. */
    void close() {
        if (!closed) {
            closed = true;
            loop.deregister(fd);
            Linux.close(fd);
        }
    }

    private void end() {
        if (!closed) {
            close();
            owner.ended();
        }
    }

    private void ready(int events) {
        if ((events & Epoll.OUT) != 0 && !flush() || (events & ~Epoll.OUT) != 0 && !receive()) {
            end();
        }
    }

    /** False if the link is broken. */
    private boolean flush() {
        byte[] next;
        while ((next = unsent.peek()) != null) {
            int result = UnixSocket.send(fd, next);
            if (result == -Errno.EAGAIN || result == -Errno.ENOBUFS || result == -Errno.ENOMEM) {
                break;
            }
            if (result < 0 && result != -Errno.EINTR) {
                return false;
            }
            if (result >= 0) {
                unsent.remove();
            }
        }
        loop.interest(fd, Epoll.IN | (unsent.isEmpty() ? 0 : Epoll.OUT));
        return true;
    }

    /** False if the link is broken. */
    private boolean receive() {
        for (int i = 0; i < PACKETS_PER_TURN && !closed; i++) {
            UnixSocket.Message packet;
            try {
                packet = UnixSocket.receive(fd);
            } catch (UnixSocket.Unavailable e) {
                return e.result() == -Errno.EAGAIN || e.result() == -Errno.EINTR;
            }
            if (packet == null) {
                return false;
            }
            packet.closeDescriptors();
            try {
                owner.received(LocalFrame.decode(packet.bytes()));
            } catch (PeerException e) {
                Log.debug("local end of the sideband between hosts: " + e.getMessage());
                return false;
            }
        }
        return true;
    }
}
