package org.smc4j.linkgroup;

import org.smc4j.clc.Gid;

/** A link group of SMC-D: the connections to one peer over one ISM device. It has no links, and no role. */
public final class SmcdLinkGroup extends LinkGroup {
    /** Any VLAN, in an event of the device. */
    public static final int ANY_VLAN = 0x0FFF;

    private static final long FREE_NANOS = 600_000_000_000L;

    /** Sends the event that says that a group is gone (spec/60-ism.md §3). */
    public interface ShutdownSignal {
        void signalShutdown(SmcdLinkGroup group);
    }

    private final SmcdRequest request;
    private final ShutdownSignal signal;
    private boolean peerShutdown;

    SmcdLinkGroup(LinkGroups groups, SmcdRequest request, ShutdownSignal signal) {
        super(groups);
        this.request = request;
        this.signal = signal;
    }

    /** What the connection asked for that the group began with. */
    public SmcdRequest request() {
        return request;
    }

    /** Whether the peer was the one that ended the group: it must not be written to any more. */
    public boolean isPeerShutdown() {
        return peerShutdown;
    }

    Membership join(GroupMember member) {
        Membership membership = new Membership(this, member, newAlertToken());
        add(membership);
        return membership;
    }

    /** Whether a handshake with this request finds its group in this one (spec/40-buffers-linkgroups.md §4). */
    boolean matches(SmcdRequest wanted) {
        return request.device().equals(wanted.device()) && request.peerGid().equals(wanted.peerGid())
                && (wanted.version() > 1 || request.vlan() == wanted.vlan());
    }

    /**
     * Whether an event of the device means this group; a zero GID means all. The kernel's comparison also takes native groups of
     * other peers, and emulated ones of which only the extension is equal (spec/60-ism.md §3), which serves no purpose.
     */
    boolean isMeant(String device, Gid peerGid, int vlan) {
        return request.device().equals(device) && (peerGid.equals(Gid.NONE) || request.peerGid().equals(peerGid))
                && (vlan == ANY_VLAN || vlan == request.vlan());
    }

    /** The peer has ended the group. */
    void peerShutdown(int reason) {
        peerShutdown = true;
        terminate(reason);
    }

    @Override
    long freeDelayNanos() {
        return FREE_NANOS;
    }

    @Override
    void farewell(boolean orderly, int reason, Runnable done) {
        if (!peerShutdown) {
            signal.signalShutdown(this);
        }
        done.run();
    }

    @Override
    public String toString() {
        return "link group " + Integer.toHexString(id()) + " (SMC-D)";
    }
}
