package org.smc4j.proxy;

import java.net.InetAddress;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.time.ExpiringMap;
import org.smc4j.time.Scheduler;

/**
 * Which way each message of a handshake takes between the processes of this host and other hosts, and under which ids: the
 * multiplexer and demultiplexer of spec/80-cm-rej-timeout.md §4 to §7. It decides and remembers; others have the sockets.
 * Processes ("members") and connections to hosts ("peers") are numbers above 0. Used on the thread of its scheduler only.
 *
 * <pre>
 *  from a process     PROPOSAL, CHECK, ACCEPT    local id := wire id, which it gets if it has none
 *                     CONFIRM                    local id := wire id; without one it is dropped
 *                     READY, DECLINE             local id := wire id, or 0 without one, as in an answer to CHECK
 *  from a host        PROPOSAL, CHECK            to the listener's process; into the time-out table
 *                     others                     to the process of the remote id, which becomes the process's own
 *                     DECLINE for time-out       without a known remote id: by the time-out table
 *  either             DECLINE, READY             the ids stay for 30 s
 * </pre>
 *
 * It differs from the specification where that says what is peculiar to the adapter: a Decline never makes an entry, since an id
 * that the peer has not seen tells it nothing; ids are valid on one connection only; and everything is bounded.
 */
final class Router {
    /** How long a proposal for a listener that is not known waits: its process may be about to say so, as after a take-over. */
    static final long PARKED_NANOS = 500_000_000L;
    private static final int MAX_PARKED = 1024;

    /** Where messages go to. Nothing here calls the router before it returns. */
    interface Output {
        void toMember(int member, int peer, HandshakeMessage message);

        /** False if the peer takes no more now. */
        boolean toPeer(int peer, HandshakeMessage message);

        /** Why no proposal for the connection can be sent, or null. */
        DeclineReason refusal(FourTuple tuple);

        /** The connection for proposals about a TCP connection. */
        int peerFor(FourTuple tuple);
    }

    private record ParkedKey(int peer, int remoteId) {
    }

    private final Output output;
    private final IdMap ids;
    private final TimeoutTable timeouts;
    private final ListenerTable listeners = new ListenerTable();
    private final ExpiringMap<ParkedKey, HandshakeMessage> parked;
    private long dropped;

    /** @param lastWireId see {@link IdMap} */
    Router(Scheduler scheduler, Output output, int lastWireId) {
        this.output = output;
        this.ids = new IdMap(scheduler, lastWireId);
        this.timeouts = new TimeoutTable(scheduler);
        this.parked = new ExpiringMap<>(scheduler, PARKED_NANOS, MAX_PARKED,
                (key, message) -> refuse(key.peer, message, DeclineReason.NO_LISTENER));
    }

    // -- From processes of this host --

    /** @param peer the connection that an answer belongs to; nothing for a message that opens a handshake */
    void fromMember(int member, int peer, HandshakeMessage message) {
        Type type = message.type();
        if (type.opens()) {
            open(member, message);
            return;
        }
        IdMap.Entry entry = type == Type.ACCEPT ? ids.findOrAdd(member, message.localId(), peer, message.tuple())
                : ids.find(member, message.localId());
        if (entry != null) {
            pass(entry, message);
        } else if (type == Type.ACCEPT) {
            declineBack(member, message, DeclineReason.NO_RESOURCES);
        } else if (type.ends() && message.remoteId() != 0) {
            output.toPeer(peer, message.withLocalId(0));
        } else {
            dropped++;
        }
    }

    private void open(int member, HandshakeMessage message) {
        DeclineReason refusal = output.refusal(message.tuple());
        if (refusal != null) {
            declineBack(member, message, refusal);
            return;
        }
        int peer = output.peerFor(message.tuple());
        IdMap.Entry entry = ids.findOrAdd(member, message.localId(), peer, message.tuple());
        if (entry == null) {
            declineBack(member, message, DeclineReason.NO_RESOURCES);
        } else {
            pass(entry, message);
        }
    }

    private void pass(IdMap.Entry entry, HandshakeMessage message) {
        boolean sent = output.toPeer(entry.peer(), message.withLocalId(entry.wireId()));
        if (sent) {
            touch(entry, message.type());
            return;
        }
        ids.ended(entry);
        if (!message.type().ends()) {
            declineBack(entry.member(), message, DeclineReason.NO_RESOURCES);
        }
    }

    private void declineBack(int member, HandshakeMessage message, DeclineReason reason) {
        output.toMember(member, 0, HandshakeMessage.decline(reason, 0, message.localId(), message.tuple()));
    }

    void listens(int member, InetAddress address, int port) {
        listeners.add(address, port, member);
        parked.removeIf((key, message) -> deliver(key.peer, message));
    }

    void listensNoMore(int member, InetAddress address, int port) {
        listeners.remove(address, port, member);
    }

    /** A process is gone, and with it everything that was remembered for it. */
    void memberGone(int member) {
        listeners.removeMember(member);
        ids.removeMember(member);
        timeouts.removeMember(member);
    }

    // -- From other hosts --

    /** @param host the address that the connection comes from or goes to */
    void fromPeer(int peer, InetAddress host, HandshakeMessage message) {
        if (message.type().opens()) {
            if (!message.tuple().clientAddress().equals(host)) {
                refuse(peer, message, DeclineReason.INVALID_ADDRESS);
            } else if (!deliver(peer, message)) {
                parked.put(new ParkedKey(peer, message.localId()), message);
            }
            return;
        }
        IdMap.Entry entry = message.remoteId() == 0 ? null : ids.byWireId(message.remoteId());
        if (entry != null && entry.peer() == peer) {
            touch(entry, message.type());
            output.toMember(entry.member(), peer, message.withRemoteId(entry.localId()));
            return;
        }
        int member = message.reason() == DeclineReason.TIMEOUT ? timeouts.memberOf(peer, message.localId()) : 0;
        if (member != 0) {
            output.toMember(member, peer, message.withRemoteId(0));
        } else if (message.reason() != DeclineReason.TIMEOUT
                || parked.remove(new ParkedKey(peer, message.localId())) == null) {
            dropped++;
        }
    }

    /** False if nobody listens there. */
    private boolean deliver(int peer, HandshakeMessage message) {
        int member = listeners.memberOf(message.tuple());
        if (member == 0) {
            return false;
        }
        timeouts.passed(new TimeoutTable.Proposal(peer, message.localId(), member, message.tuple()));
        output.toMember(member, peer, message);
        return true;
    }

    private void refuse(int peer, HandshakeMessage message, DeclineReason reason) {
        output.toPeer(peer, HandshakeMessage.decline(reason, 0, message.localId(), message.tuple()));
    }

    private void touch(IdMap.Entry entry, Type type) {
        if (type.ends()) {
            ids.ended(entry);
        } else {
            ids.used(entry);
        }
    }

    /** A connection is gone, and so is every handshake that was under way on it. */
    void peerGone(int peer, DeclineReason reason) {
        parked.removeIf((key, message) -> key.peer == peer);
        for (IdMap.Entry entry : ids.removePeer(peer)) {
            output.toMember(entry.member(), peer,
                    HandshakeMessage.decline(reason, 0, entry.localId(), entry.tuple()));
        }
        for (TimeoutTable.Proposal proposal : timeouts.removePeer(peer)) {
            output.toMember(proposal.member(), peer,
                    HandshakeMessage.decline(reason, proposal.remoteId(), 0, proposal.tuple()));
        }
    }

    // -- Sizes, for who watches over them --

    int idCount() {
        return ids.size();
    }

    int timeoutCount() {
        return timeouts.size();
    }

    int parkedCount() {
        return parked.size();
    }

    /** Messages that belonged to nothing. */
    long dropped() {
        return dropped;
    }
}
