package org.smc4j.linkgroup;

import java.util.List;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.diag.Log;
import org.smc4j.llc.LlcCodec;
import org.smc4j.llc.LlcException;
import org.smc4j.llc.LlcMessage;
import org.smc4j.roce.Gids;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceException;
import org.smc4j.status.LinkPlace;
import org.smc4j.status.LinkStatus;

/**
 * One queue pair between a port here and a port of the peer, as a part of its link group. It is there until it was cleared and no
 * connection names it any more (spec/40-buffers-linkgroups.md §7, §8).
 */
public final class Link {
    private static final LinkTransport.SendResult NOBODY_WAITS = completed -> {
    };
    private static final int HOPS_DIRECT = 1;
    private static final int HOPS_THROUGH_GATEWAY = 64;

    private final SmcrLinkGroup group;
    private final int place;
    private final RnicPort port;
    private final int initialPsn;
    private final LinkTransport transport;
    private final Keepalive keepalive;
    private final References references = new References(this::gone);
    private LinkState state = LinkState.UNUSED;
    private Gid peerGid;
    private Mac peerMac;
    private PeerQueuePair peerQueuePair;
    /** Others than the scheduler look at it, too. */
    private volatile int id;
    private int peerUid;
    private boolean asymmetric;
    private boolean sendable;
    private boolean cleared;
    private int connections;
    /** Answers to DELETE RKEY that did not come in time. */
    private int missedAnswers;

    /**
     * Opens a queue pair.
     *
     * @param place   in the group's slots, which is free
     * @param peerGid where the link will lead; {@link Gid#NONE} if the peer has still to say it
     * @throws RoceException if the device has no room
     */
    Link(SmcrLinkGroup group, int place, RnicPort port, Gid peerGid, Mac peerMac) throws RoceException {
        this.group = group;
        this.place = place;
        this.port = port;
        this.peerGid = peerGid;
        this.peerMac = peerMac;
        initialPsn = group.groups().identifiers().initialPsn();
        keepalive = new Keepalive(this, group.scheduler(), group.testLinkNanos());
        transport = group.groups().transports().open(port, group, new LinkTransport.Listener() {
            @Override
            public void received(byte[] message) {
                Link.this.received(message);
            }

            @Override
            public void failed() {
                group.failover().lost(Link.this, false);
            }
        });
        become(LinkState.ACTIVATING);
    }

    public SmcrLinkGroup group() {
        return group;
    }

    /**
     * Its place in the group's slots and in all tables that have a column for each link; free for another once it was cleared.
     */
    int place() {
        return place;
    }

    public RnicPort port() {
        return port;
    }

    /** The queue pair, with whatever else the data path knows of it. */
    public LinkTransport transport() {
        return transport;
    }

    /** Our initial PSN: 24 random bits. */
    public int initialPsn() {
        return initialPsn;
    }

    public Gid peerGid() {
        return peerGid;
    }

    Mac peerMac() {
        return peerMac;
    }

    /** Null as long as the peer has not said it. */
    PeerQueuePair peerQueuePair() {
        return peerQueuePair;
    }

    public LinkState state() {
        return state;
    }

    public boolean isActive() {
        return state == LinkState.ACTIVE;
    }

    boolean isUsable() {
        return state.isUsable();
    }

    /** The number that the server has given it: 1 to 255, or 0 on a client that was not yet told. */
    public int id() {
        return id;
    }

    void id(int number) {
        id = number;
    }

    /** Our id of the link: 32 bits, unique in this system (spec/20-llc.md §5). */
    public int uid() {
        return group.id() + id;
    }

    public int peerUid() {
        return peerUid;
    }

    void peerUid(int uid) {
        peerUid = uid;
    }

    /** Whether new connections leave it alone, for it shares a port with another link. */
    public boolean isAsymmetric() {
        return asymmetric;
    }

    void asymmetric(boolean now) {
        asymmetric = now;
    }

    /** Connections on this link. */
    public int connectionCount() {
        return connections;
    }

    /** Where connections on it are; for any thread. */
    public LinkPlace linkPlace() {
        return new LinkPlace(group.id(), id, port.device(), port.number());
    }

    LinkStatus status() {
        return new LinkStatus(group.id(), id, "LINK_" + state, asymmetric, connections, port.networkName(), port.device(),
                port.number(), Gids.text(port.gid()), Gids.text(peerGid), transport.queuePair(),
                peerQueuePair == null ? 0 : peerQueuePair.number(), transport.controlSlots(), transport.receiveBuffers(), uid(),
                peerUid);
    }

    Keepalive keepalive() {
        return keepalive;
    }

    /** The peer's port, of a link that was opened before the peer said which. */
    void peer(Gid gid, Mac mac) {
        peerGid = gid;
        peerMac = mac;
    }

    /** The path MTU: the smaller of both ends; 0 if the peer says none. */
    int mtuCode(PeerQueuePair peer) {
        return Math.min(port.mtuCode(), peer.mtuCode());
    }

    /** Connects the queue pair to the peer's, so that it receives. */
    void connect(PeerQueuePair peer) throws RoceException {
        peerQueuePair = peer;
        int mtuCode = mtuCode(peer);
        if (mtuCode == 0) {
            throw new RoceException("the peer names no MTU");
        }
        Mac gateway = group.terms().gateway();
        transport.connect(new LinkTransport.Peer(peerGid, gateway == null ? peerMac : gateway, peer.number(), peer.initialPsn(),
                mtuCode, gateway == null ? HOPS_DIRECT : HOPS_THROUGH_GATEWAY));
    }

    void readyToSend() throws RoceException {
        transport.readyToSend(initialPsn);
        sendable = true;
    }

    /** CONFIRM LINK has gone both ways. */
    void activate() {
        become(LinkState.ACTIVE);
        Log.info(this + " is up");
        keepalive.start();
    }

    /** Takes it out of service, once; false if it was not in service. */
    boolean deactivate() {
        if (!isUsable()) {
            return false;
        }
        become(LinkState.INACTIVE);
        keepalive.stop();
        group.deactivated(this);
        return true;
    }

    boolean isSendable() {
        return sendable && isUsable();
    }

    /** Sends a message if the link can; the loss of the link, if it comes to that, says enough of a failure. */
    void send(LlcMessage message) {
        send(message, NOBODY_WAITS);
    }

    void send(LlcMessage message, LinkTransport.SendResult result) {
        if (isSendable()) {
            transport.send(LlcCodec.encode(message), result);
        }
    }

    /** A DELETE RKEY that was sent over this link was not answered in time. */
    void answerMissed() {
        missedAnswers++;
    }

    /**
     * Version 2: whether the answer to a DELETE RKEY that has come over this link is that to an earlier one. It carries no rkey,
     * but answers come in the order of the requests.
     */
    boolean isMissedAnswer() {
        if (missedAnswers == 0) {
            return false;
        }
        missedAnswers--;
        return true;
    }

    private void received(byte[] bytes) {
        if (!isUsable()) {
            return;
        }
        LlcMessage message;
        try {
            message = LlcCodec.decode(bytes, 0, bytes.length);
        } catch (LlcException e) {
            Log.debug(this + ": dropped: " + e.getMessage());
            return;
        }
        if (message.version() == group.version()) {
            group.flows().received(this, message);
        }
    }

    /** A connection uses it. */
    void join() {
        references.take();
        connections++;
    }

    void leave() {
        connections--;
        references.release();
    }

    /** Something that has to be done about it is not yet done. */
    void hold() {
        references.take();
    }

    void release() {
        references.release();
    }

    /**
     * Ends the link: its place is free at once, the queue pair is gone when everything posted has completed. Does nothing
     * again.
     */
    void clear() {
        if (cleared) {
            return;
        }
        cleared = true;
        deactivate();
        List<MemoryRegion> regions = group.detach(this);
        transport.fail(() -> {
            regions.forEach(MemoryRegion::close);
            transport.close();
            group.groups().transportClosed(port);
            references.release();
        });
    }

    /** Whether its place may be another link's by now. */
    boolean isCleared() {
        return cleared;
    }

    private void gone() {
        become(LinkState.UNUSED);
        group.references().release();
    }

    private void become(LinkState next) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException(this + " cannot become " + next);
        }
        state = next;
    }

    @Override
    public String toString() {
        return "link " + id + " (" + port.device() + " port " + port.number() + ", " + state + ") of " + group;
    }
}
