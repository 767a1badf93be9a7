package org.smc4j.core;

import java.util.function.BooleanSupplier;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.connection.ConnectionTable;
import org.smc4j.connection.RdmaConnection;
import org.smc4j.connection.RdmaPath;
import org.smc4j.connection.Waiter;
import org.smc4j.connection.WorkQueue;
import org.smc4j.connection.WorkQueues;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.linkgroup.BufferSizes;
import org.smc4j.linkgroup.GroupMember;
import org.smc4j.linkgroup.Link;
import org.smc4j.linkgroup.LinkGroupException;
import org.smc4j.linkgroup.Outcome;
import org.smc4j.linkgroup.PeerQueuePair;
import org.smc4j.linkgroup.Rtoken;
import org.smc4j.linkgroup.SmcrMembership;
import org.smc4j.negotiation.Choice;
import org.smc4j.negotiation.LocalEnd;
import org.smc4j.negotiation.Reservation;
import org.smc4j.stream.SmcStream;
import org.smc4j.time.Scheduler;

/**
 * A connection of SMC-R with its place in a link group: first as what a handshake has reserved, then as what the application uses.
 * It is over, and the place given back, when the application has closed it and no work request names its buffers.
 */
public final class SmcrConnection implements Reservation, GroupMember {
    /**
     * What the owner of the connection gives it and wants to know of it. Called on the scheduler unless said otherwise.
     *
     * <p>{@link #urgentInline} is called by readers, on their threads.
     */
    public interface Owner {
        /** How readers wait. */
        Waiter forData();

        /** How writers wait. */
        Waiter forSpace();

        boolean urgentInline();

        /**
         * The last link is lost, and both directions stand still: see {@link RdmaConnection#freeze}. The owner agrees with the peer
         * on how it goes on over TCP, or resets the connection.
         */
        void frozen(SmcrConnection connection);

        /** Nothing is left of it. */
        void finished(SmcrConnection connection);
    }

    /** What a connection is made with beside its place. */
    record Parts(WorkQueues workQueues, Scheduler scheduler, long autocorkingSize, boolean beginsOnTcp, BooleanSupplier overflows) {
    }

    private final Parts parts;
    private final Owner owner;
    private SmcrMembership membership;
    private RdmaConnection stream;
    private int rmbeIndex;
    private int peerSize;
    private boolean established;

    SmcrConnection(Parts parts, Owner owner) {
        this.parts = parts;
        this.owner = owner;
    }

    void place(SmcrMembership place) {
        membership = place;
        table().expect(place.alertToken());
    }

    /** The byte stream; null until the peer's end is known. */
    public RdmaConnection stream() {
        return stream;
    }

    public SmcrMembership membership() {
        return membership;
    }

    // -- While the handshake lasts --

    @Override
    public LocalEnd localEnd() {
        Link link = membership.link();
        Rtoken rmb = membership.rtoken();
        return new LocalEnd.Smcr(link.port().gid(), link.port().mac(), link.transport().queuePair(), rmb == null ? 0 : rmb.rkey(), 1,
                membership.alertToken(), membership.rmb().sizeCode(), link.port().mtuCode(), rmb == null ? 0 : rmb.address(),
                link.initialPsn());
    }

    @Override
    public boolean isFirstContact() {
        return membership.isFirstContact();
    }

    static PeerQueuePair queuePair(ClcAcceptConfirmR peer) {
        return new PeerQueuePair(peer.qpNumber(), peer.initialPsn(), peer.mtuCode());
    }

    static Rtoken rmb(ClcAcceptConfirmR peer) {
        return new Rtoken(peer.rkey(), peer.rmbAddress());
    }

    /** The peer's end is known: from now on its messages find the connection. The rtoken is the membership's already. */
    void begin(ClcAcceptConfirmR peer) {
        rmbeIndex = peer.rmbeIndex();
        peerSize = BufferSizes.size(peer.sizeCode());
        stream = new RdmaConnection(new RdmaConnection.Terms(peer.alertToken(), membership.sendBuffer().memory(),
                membership.rmb().memory(), peerSize, parts.autocorkingSize, parts.beginsOnTcp, parts.overflows),
                path(), table(), parts.scheduler,
                owner.forData(), owner.forSpace(), (SmcStream.UrgentMode) owner::urgentInline, this::finished);
        table().add(membership.alertToken(), stream);
    }

    private ConnectionTable table() {
        return parts.workQueues.connections(membership.group());
    }

    private RdmaPath path() {
        Link link = membership.link();
        Rtoken peer = membership.peerRtoken();
        return new RdmaPath((WorkQueue) link.transport(), membership.sendBuffer().region(link).lkey(),
                peer.address() + (rmbeIndex - 1L) * peerSize, peer.rkey());
    }

    @Override
    public void complete(Choice choice, ClcAcceptConfirm confirm, Completion completion) {
        ClcAcceptConfirmR peer = (ClcAcceptConfirmR) confirm;
        if (isFirstContact()) {
            membership.firstContact(queuePair(peer), rmb(peer), new Outcome() {
                @Override
                public void succeeded() {
                    completion.completed();
                }

                @Override
                public void failed(ReasonCode reason) {
                    completion.failed(reason);
                }
            });
            if (membership.peerRtoken() != null) {
                begin(peer);
            }
            return;
        }
        try {
            membership.peerRmb(rmb(peer));
        } catch (LinkGroupException e) {
            completion.failed(e.reason());
            return;
        }
        begin(peer);
        established = membership.establish();
        if (established) {
            completion.completed();
        } else {
            completion.failed(ReasonCode.NOACTLINK);
        }
    }

    @Override
    public void awaitFirstLink(FirstLink firstLink) {
        membership.firstContact(new Outcome() {
            @Override
            public void succeeded() {
                firstLink.ready();
            }

            @Override
            public void failed(ReasonCode reason) {
                firstLink.failed(reason);
            }
        });
    }

    @Override
    public void outOfSync() {
        membership.group().syncError();
    }

    @Override
    public void release() {
        table().remove(membership.alertToken());
        membership.leave();
    }

    // -- Afterwards --

    /** The handshake has succeeded at both ends: bytes may be sent. */
    public void activate() {
        stream.activate();
        if (!isFirstContact() && !established && !membership.establish()) {
            // A client's, in a group that existed before: lost just now.
            lastLinkLost();
        }
    }

    /** The peer has found that the last link is lost, and goes on without: so do all connections of the link group. */
    public void abandonGroup() {
        if (membership.group().isListed()) {
            Log.info("the peer of " + membership.group() + " has gone back to TCP");
            membership.group().abandon();
        }
    }

    private void finished(RdmaConnection ended) {
        release();
        owner.finished(this);
    }

    @Override
    public void pause() {
        stream.pause();
    }

    @Override
    public void moveTo(Link link) {
        stream.moveTo(path());
    }

    @Override
    public void kill(int reason) {
        if (stream != null) {
            Log.info("connection " + Integer.toHexString(membership.alertToken()) + " of " + membership.group() + " is killed, reason "
                    + reason);
            stream.kill();
        }
    }

    @Override
    public void lastLinkLost() {
        if (stream != null) {
            stream.freeze(() -> owner.frozen(this));
        }
    }
}
