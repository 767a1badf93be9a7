package org.smc4j.linkgroup;

import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceException;

/** A connection's place in a link group of SMC-R: its link, its two buffers, and where the peer's buffer is. */
public final class SmcrMembership extends Membership {
    private final SmcrLinkGroup group;
    private final boolean firstContact;
    /** Others than the scheduler look at it, too. */
    private volatile Link link;
    private RdmaBuffer sendBuffer;
    private RdmaBuffer rmb;
    private PeerRmb peerRmb;
    private boolean established;
    /** Whether the peer is being told of the RMB, which then is given back only when it has answered. */
    private boolean announcing;

    SmcrMembership(SmcrLinkGroup group, GroupMember member, int alertToken, Link link, boolean firstContact) {
        super(group, member, alertToken);
        this.group = group;
        this.link = link;
        this.firstContact = firstContact;
        link.join();
    }

    void takeBuffers(int sendSize, int receiveSize) throws LinkGroupException {
        sendBuffer = group.sendBuffers().take(sendSize, group.slots().usable());
        rmb = group.rmbs().take(receiveSize, group.slots().usable());
    }

    @Override
    public SmcrLinkGroup group() {
        return group;
    }

    /** The link that it uses; a snapshot on threads other than the scheduler. */
    public Link link() {
        return link;
    }

    /** Ordinary memory, registered for sending. */
    public RdmaBuffer sendBuffer() {
        return sendBuffer;
    }

    /** Where the peer writes; its one element has index 1. */
    public RdmaBuffer rmb() {
        return rmb;
    }

    /** How the peer reaches the RMB, for Accept and Confirm; null if the link was lost, and the handshake with it. */
    public Rtoken rtoken() {
        return link.isUsable() ? rmb.rtoken(link) : null;
    }

    /** Whether the group began with this connection, so that Accept and Confirm say so. */
    public boolean isFirstContact() {
        return firstContact;
    }

    /** Where the peer's RMB is on {@link #link}; null if the peer has not told, or has taken it back, or the link is lost. */
    public Rtoken peerRtoken() {
        return peerRmb == null || !link.isUsable() ? null : peerRmb.on(link.place());
    }

    /**
     * Takes the peer's RMB from its Accept or Confirm, on the connection's link.
     *
     * @throws LinkGroupException if the group has no room for one more, or the link was lost
     */
    public void peerRmb(Rtoken rtoken) throws LinkGroupException {
        if (!isAlive()) {
            throw new LinkGroupException(ReasonCode.NOACTLINK, "the link was lost");
        }
        peerRmb = group.rtokens().add(link.place(), rtoken);
        if (peerRmb == null) {
            throw new LinkGroupException(ReasonCode.ERR_RTOK, "no room for an rtoken");
        }
    }

    /**
     * Server, first contact: takes the client's end from the Confirm and brings up the first link, and a second one if there
     * can be one. After that the connection is established.
     */
    public void firstContact(PeerQueuePair peer, Rtoken rtoken, Outcome outcome) {
        if (!isAlive()) {
            outcome.failed(ReasonCode.NOACTLINK);
            return;
        }
        try {
            link.connect(peer);
            link.readyToSend();
            peerRmb(rtoken);
        } catch (RoceException e) {
            outcome.failed(ReasonCode.ERR_RDYLNK);
            return;
        } catch (LinkGroupException e) {
            outcome.failed(e.reason());
            return;
        }
        group.flows().start(new FirstContactServer(this, outcome));
    }

    /**
     * Client, first contact: waits for the server to bring up the first link, and a second one if there can be one; called before
     * the Confirm is sent. After that the connection is established.
     */
    public void firstContact(Outcome outcome) {
        if (isAlive()) {
            group.flows().start(new FirstContactClient(this, outcome));
        } else {
            outcome.failed(ReasonCode.NOACTLINK);
        }
    }

    private boolean isAlive() {
        return !hasLeft() && group.isListed() && link.isUsable();
    }

    /**
     * Tells the peer of the RMB, in a group that existed before: the server before its Accept, the client before its Confirm.
     *
     * @throws IllegalStateException if that is already under way
     */
    public void confirmRkey(Outcome outcome) {
        if (announcing) {
            throw new IllegalStateException("already told");
        }
        if (!isAlive()) {
            outcome.failed(ReasonCode.ERR_REGBUF);
            return;
        }
        announcing = true;
        group.flows().start(new ConfirmRkeyFlow(this, outcome));
    }

    /** The peer has taken the RMB, or not. */
    void announced(boolean taken) {
        announcing = false;
        rmb.confirm(taken);
        if (hasLeft()) {
            group.giveBack(rmb);
        }
    }

    /**
     * The handshake is over; from now on the connection moves when its link is lost.
     *
     * @return false if the link was lost before, or the group has ended: the handshake has failed
     */
    public boolean establish() {
        established = isAlive() && link.isActive();
        return established;
    }

    boolean isEstablished() {
        return established;
    }

    /** Its link is lost or left. */
    void moveTo(Link other) {
        link.leave();
        link = other;
        link.join();
        if (peerRtoken() == null) {
            // The peer never told how its RMB is reached there.
            member().lastLinkLost();
        } else {
            member().moveTo(other);
        }
    }

    @Override
    void released() {
        if (sendBuffer != null) {
            group.sendBuffers().giveBack(sendBuffer);
        }
        if (rmb != null && !announcing) {
            if (firstContact) {
                // Accept or Confirm may have told the peer, even if the first contact failed before its CONFIRM LINK.
                rmb.confirm(true);
            }
            group.giveBack(rmb);
        }
        link.leave();
        if (group.type() == LinkGroupType.NONE && group.connectionCount() == 1) {
            // Its first link never came up. Once that is up both ends count on the group, whatever becomes of who it began with.
            group.giveUp();
        }
    }
}
