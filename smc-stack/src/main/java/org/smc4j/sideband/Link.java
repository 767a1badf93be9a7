package org.smc4j.sideband;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Collections;
import org.smc4j.clc.Eid;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.UnixSocket;

/**
 * One sideband connection to one peer process, and the SMC-D link group that it stands for. Used by the sideband's thread
 * only.
 */
final class Link {
    /** A peer that does not read its sideband gets no more than that; it may be stopped, and its connections live on. */
    private static final int MAX_QUEUED = 256;

    private record Queued(byte[] bytes, int[] descriptors) {
    }

    final int fd;
    final UnixSocket.Credentials peer;
    /** The name that we connected to; null if the peer connected to us. */
    final String name;
    /** Handshakes that we proposed, and those that the peer proposed, by id. */
    final Map<Long, Handshake> proposed = new HashMap<>();
    final Map<Long, Handshake> received = new HashMap<>();
    /** Connections that are proposed when the peer has answered for others. */
    final ArrayDeque<Endpoint> backlog = new ArrayDeque<>();
    final Set<Endpoint> attached = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Set by the first completed handshake; later ones reuse the link group (CLC first contact bit). */
    boolean established;
    /** Our id of the link group, 0 before the first handshake. */
    int linkGroup;
    /** That the last handshake agreed on; null before the first. */
    Eid eid;
    /** Whether the peer has asked for link groups, and the answer is still being made. */
    boolean reporting;
    private final ArrayDeque<Queued> outbox = new ArrayDeque<>();

    Link(int fd, UnixSocket.Credentials peer, String name) {
        this.fd = fd;
        this.peer = peer;
        this.name = name;
    }

    /**
     * Sends, or queues if the socket is full. The descriptors are the link's from here on. A message may get lost, if the
     * peer has not read for so long that the queue is full, or the kernel has no room for it: what waits for its answer times
     * out, and that connection stays TCP.
     *
     * @return false if the link is broken
     */
    boolean send(Envelope envelope, int... descriptors) {
        if (outbox.size() >= MAX_QUEUED) {
            closeAll(descriptors);
            return true;
        }
        outbox.add(new Queued(envelope.encode(), descriptors));
        return flush();
    }

    /** Sends a long answer, however much of it has to be queued; false if the link is broken. */
    boolean sendAll(List<Envelope> envelopes) {
        for (Envelope envelope : envelopes) {
            outbox.add(new Queued(envelope.encode(), new int[0]));
        }
        return flush();
    }

    /** Sends what is queued; false if the link is broken. */
    boolean flush() {
        Queued next;
        while ((next = outbox.peek()) != null) {
            int result = UnixSocket.send(fd, next.bytes, next.descriptors);
            if (result == -Errno.EAGAIN) {
                return true;
            }
            if (result < 0 && result != -Errno.ETOOMANYREFS && result != -Errno.ENOBUFS && result != -Errno.ENOMEM) {
                return false;
            }
            outbox.remove();
            closeAll(next.descriptors);
        }
        return true;
    }

    boolean hasQueued() {
        return !outbox.isEmpty();
    }

    /** Whether neither a connection nor a handshake nor a message depends on it. */
    boolean isIdle() {
        return attached.isEmpty() && received.isEmpty() && proposed.isEmpty() && outbox.isEmpty();
    }

    void close() {
        for (Queued queued : outbox) {
            closeAll(queued.descriptors);
        }
        outbox.clear();
        Linux.close(fd);
    }

    private static void closeAll(int[] descriptors) {
        for (int descriptor : descriptors) {
            Linux.close(descriptor);
        }
    }

    @Override
    public String toString() {
        return "pid " + peer.pid() + (name == null ? " (it connected)" : " at " + name);
    }
}
