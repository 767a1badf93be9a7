package org.smc4j.linkgroup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.llc.DeleteLink;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceException;
import org.smc4j.status.LinkGroupStatus;

/** A link group of SMC-R: up to two links, and a third one while an asymmetric one is replaced. */
public final class SmcrLinkGroup extends LinkGroup {
    private static final long SERVER_FREE_NANOS = 600_000_000_000L;
    /** Longer, so that the server is the one that ends an unused group. */
    private static final long CLIENT_FREE_NANOS = 610_000_000_000L;
    private static final int MAX_LINK_ID = 255;
    /** Handshakes that still name a link that is gone began a few seconds ago at most: links do not come and go faster. */
    private static final int MAX_FORMER_ENDS = 16;

    private final Role role;
    private final SmcrTerms terms;
    private final SystemId peerSystemId;
    private final int vlan;
    private final String pnetId;
    private final long testLinkNanos;
    private final LinkSlots slots = new LinkSlots();
    private final LlcFlows flows = new LlcFlows(this);
    private final Failover failover = new Failover(this);
    private final RtokenTable rtokens = new RtokenTable();
    private final BufferPool sendBuffers;
    private final BufferPool rmbs;
    /** Client: where links ended that are out of service, the latest last. */
    private final Deque<PeerEnd> formerEnds = new ArrayDeque<>();
    private LinkGroupType type = LinkGroupType.NONE;
    private int lastLinkId;

    /** A queue pair of the peer. */
    private record PeerEnd(Gid gid, int queuePair) {
    }

    SmcrLinkGroup(LinkGroups groups, Role role, SmcrRequest request) {
        super(groups);
        this.role = role;
        terms = request.terms();
        peerSystemId = request.peerSystemId();
        vlan = request.vlan();
        pnetId = request.port().pnetId();
        testLinkNanos = groups.settings().testLinkNanos();
        sendBuffers = new BufferPool(groups.settings().memory(), false);
        rmbs = new BufferPool(groups.settings().memory(), true);
    }

    public Role role() {
        return role;
    }

    public LinkGroupType type() {
        return type;
    }

    void type(LinkGroupType now) {
        type = now;
    }

    public SmcrTerms terms() {
        return terms;
    }

    /** 1 or 2: the form of the LLC messages. */
    public int version() {
        return terms.version();
    }

    public SystemId peerSystemId() {
        return peerSystemId;
    }

    public int vlan() {
        return vlan;
    }

    /** Of the port of its first link. */
    public String pnetId() {
        return pnetId;
    }

    /** The links that were not yet cleared, at most three. */
    public List<Link> links() {
        return slots.all();
    }

    public BufferCounts sendBufferCounts() {
        return sendBuffers.counts();
    }

    public BufferCounts rmbCounts() {
        return rmbs.counts();
    }

    LinkGroupStatus status() {
        BufferCounts send = sendBuffers.counts();
        BufferCounts receive = rmbs.counts();
        // Links of a group that has ended say good-bye at most.
        LinkGroupType shape = isListed() ? type : LinkGroupType.NONE;
        return new LinkGroupStatus(SmcMode.SMCR, id(), role == Role.SERVER ? "SERV" : "CLNT", shape.smcrName(), version(),
                terms.release(), pnetId, vlan, connectionCount(), terms.maxConnections(), terms.maxLinks(), peerSystemId.toString(),
                terms.eid() == null ? "" : terms.eid().toString(), send.buffers(), send.used(), send.allocatedBytes(),
                receive.buffers(), receive.used(), receive.allocatedBytes());
    }

    long testLinkNanos() {
        return testLinkNanos;
    }

    LinkSlots slots() {
        return slots;
    }

    LlcFlows flows() {
        return flows;
    }

    Failover failover() {
        return failover;
    }

    RtokenTable rtokens() {
        return rtokens;
    }

    BufferPool sendBuffers() {
        return sendBuffers;
    }

    BufferPool rmbs() {
        return rmbs;
    }

    /** Whether a handshake with this request finds its group in this one (spec/40-buffers-linkgroups.md §4). */
    boolean matches(Role wanted, SmcrRequest request) {
        return role == wanted && version() == request.terms().version() && peerSystemId.equals(request.peerSystemId())
                && (request.anyVlan() || vlan == request.vlan());
    }

    /** Whether a link that carries data leads to this port of the peer. */
    boolean leadsTo(SmcrRequest request) {
        for (Link link : slots.active()) {
            if (isPeer(link, request.peerGid(), request.peerMac())) {
                return true;
            }
        }
        return false;
    }

    /** The link that carries data, or is about to, and ends at this queue pair of the peer; null if there is none. */
    Link linkTo(SmcrRequest request, PeerQueuePair peer) {
        for (Link link : slots.usable()) {
            if (link.peerQueuePair() != null && link.peerQueuePair().number() == peer.number()
                    && isPeer(link, request.peerGid(), request.peerMac())) {
                return link;
            }
        }
        return null;
    }

    /** Client: whether one of the latest links that were lost, or deleted, ended at this queue pair of the peer. */
    boolean hadLinkTo(SmcrRequest request, PeerQueuePair peer) {
        return formerEnds.contains(new PeerEnd(request.peerGid(), peer.number()));
    }

    /** Whether a link leads to this port; a RoCE v2 GID says enough of it, an older one does not. */
    boolean isPeer(Link link, Gid gid, Mac mac) {
        return link.peerGid().equals(gid) && (version() > 1 || link.peerMac().equals(mac));
    }

    boolean hasRoom() {
        return connectionCount() < terms.maxConnections() && !rtokens.isFull();
    }

    /** The connection that the group begins with. */
    SmcrMembership joinFirst(SmcrRequest request, GroupMember member) throws LinkGroupException {
        Link first;
        try {
            first = openLink(slots.free(type, LinkGroupType.SINGLE), request.port(), request.peerGid(), request.peerMac());
        } catch (RoceException e) {
            giveUp();
            throw new LinkGroupException(ReasonCode.MEM, e.getMessage());
        }
        if (role == Role.SERVER) {
            first.id(newLinkId());
        }
        return join(request, member, first, true);
    }

    /** A further connection, on this link. */
    SmcrMembership join(SmcrRequest request, GroupMember member, Link link) throws LinkGroupException {
        return join(request, member, link, false);
    }

    private SmcrMembership join(SmcrRequest request, GroupMember member, Link link, boolean first) throws LinkGroupException {
        SmcrMembership membership = new SmcrMembership(this, member, newAlertToken(), link, first);
        add(membership);
        try {
            membership.takeBuffers(request.sendBufferSize(), request.receiveBufferSize());
        } catch (LinkGroupException e) {
            membership.leave();
            throw e;
        }
        return membership;
    }

    /** The first contact has failed on our side. */
    void giveUp() {
        terminate(DeleteLink.PROGRAM_INITIATED, "its first contact has failed");
    }

    /** Opens a link and puts it into its place; {@link Link#clear} is its end. */
    Link openLink(int place, RnicPort port, Gid peerGid, Mac peerMac) throws RoceException {
        Link link = new Link(this, place, port, peerGid, peerMac);
        references().take();
        groups().transportOpened(port);
        slots.put(link);
        return link;
    }

    /** The next number that is not 0, nor that of a link. */
    int newLinkId() {
        do {
            lastLinkId = lastLinkId % MAX_LINK_ID + 1;
        } while (slots.byId(lastLinkId) != null);
        return lastLinkId;
    }

    /** Registers the buffers in use on a new link. */
    void registerBuffers(Link link) throws RoceException {
        sendBuffers.register(link);
        rmbs.register(link);
    }

    /** An RMB has no connection any more: the peer is told, if it knows of it, before another one can have it. */
    void giveBack(RdmaBuffer rmb) {
        if (rmb.isConfirmed()) {
            flows.start(new DeleteRkeyFlow(this, rmb));
        } else {
            rmbs.giveBack(rmb);
        }
    }

    /** A link is out of service. */
    void deactivated(Link link) {
        if (role == Role.CLIENT && link.peerQueuePair() != null) {
            formerEnds.add(new PeerEnd(link.peerGid(), link.peerQueuePair().number()));
            if (formerEnds.size() > MAX_FORMER_ENDS) {
                formerEnds.remove();
            }
        }
    }

    /** Frees a link's place; what is registered there is the link's to close. */
    List<MemoryRegion> detach(Link link) {
        slots.remove(link);
        rtokens.clear(link.place());
        List<MemoryRegion> regions = new ArrayList<>(sendBuffers.takeRegions(link.place()));
        regions.addAll(rmbs.takeRegions(link.place()));
        return regions;
    }

    /** Whether a port of ours that is not in use would be of use (spec/20-llc.md §6). */
    boolean wantsLink() {
        return switch (type) {
            case SYMMETRIC, ASYMMETRIC_PEER -> false;
            case SINGLE -> terms.maxLinks() > 1;
            case NONE, ASYMMETRIC_LOCAL -> true;
        };
    }

    /**
     * A link is gone: what shape the group has now, if it still is one. The kernel calls it SINGLE whenever a link was lost, also
     * if that was one of three and the two others go on; the ends then do not agree, and one of them offers links that the other
     * one has no place for. It also keeps the mark of an asymmetric link that is the last one, or one of two that are symmetric,
     * and then declines every new connection of the group, or gives that link none.
     */
    void countLinks() {
        List<Link> active = slots.active();
        switch (active.size()) {
            case 0 -> abandon();
            case 1 -> {
                type = LinkGroupType.SINGLE;
                active.getFirst().asymmetric(false);
            }
            case 2 -> pair(active.getFirst(), active.getLast());
            default -> { }
        }
    }

    private void pair(Link first, Link second) {
        if (first.port().gid().equals(second.port().gid())) {
            type = LinkGroupType.ASYMMETRIC_LOCAL;
        } else if (first.peerGid().equals(second.peerGid())) {
            type = LinkGroupType.ASYMMETRIC_PEER;
        } else {
            type = LinkGroupType.SYMMETRIC;
            first.asymmetric(false);
        }
        second.asymmetric(type.isAsymmetric() && !first.isAsymmetric());
    }

    @Override
    long freeDelayNanos() {
        return role == Role.CLIENT ? CLIENT_FREE_NANOS : SERVER_FREE_NANOS;
    }

    @Override
    void ending() {
        flows.close();
    }

    @Override
    void stopLinks() {
        slots.active().forEach(link -> link.transport().stop());
    }

    @Override
    void farewell(boolean orderly, int reason, Runnable done) {
        new Farewell(this, new DeleteLink(version(), false, true, orderly, 0, reason), done).begin();
    }

    @Override
    void releaseResources() {
        type = LinkGroupType.NONE;
        slots.all().forEach(Link::clear);
    }

    @Override
    void freeMemory() {
        sendBuffers.free();
        rmbs.free();
    }

    @Override
    public String toString() {
        return "link group " + Integer.toHexString(id()) + " (" + role + ")";
    }
}
