package org.smc4j.linkgroup;

import org.smc4j.diag.Log;
import org.smc4j.llc.DeleteLink;

/** What a group does when one of its links is lost (spec/20-llc.md §9). */
final class Failover {
    private final SmcrLinkGroup group;

    Failover(SmcrLinkGroup group) {
        this.group = group;
    }

    /**
     * A link is of no more use. Does nothing for one that is known to be lost.
     *
     * @param portLost whether its port is, so that no other link on that port is of use either
     */
    void lost(Link link, boolean portLost) {
        boolean carried = link.isActive();
        if (!link.deactivate()) {
            return;
        }
        Log.info(link + " is lost");
        group.flows().lost(link);
        // A link that was not yet confirmed carries no connection: whatever flow brings it up has been told.
        if (carried && group.isListed()) {
            // Whoever found the loss, a timer or the port's owner, the queue pair may still send again what is posted.
            link.transport().stop();
            Link other = moveConnections(link, portLost);
            if (other != null) {
                group.becameSingle();
                tellPeer(link, other);
            }
        }
    }

    private void tellPeer(Link lost, Link other) {
        DeleteLink message = deleteLink(lost);
        if (group.role() == Role.SERVER) {
            group.flows().deleteLink(new LinkRequest(FlowType.DELETE_LINK, other, message));
            return;
        }
        lost.hold();
        group.flows().whenIdle(FlowStep.WAIT_NANOS, () -> {
            if (group.isListed()) {
                group.slots().anySendable().send(message);
                lost.clear();
            }
            lost.release();
        });
    }

    /** What the peer is told of a lost link. */
    DeleteLink deleteLink(Link lost) {
        return new DeleteLink(group.version(), false, false, true, lost.id(), DeleteLink.LOST_PATH);
    }

    /**
     * A link of the server that was lost while so much was under way that the request to delete it was dropped; null if none
     * was.
     */
    Link notYetDeleted() {
        if (group.role() == Role.SERVER && !group.slots().active().isEmpty()) {
            for (Link link : group.slots().all()) {
                if (link.state() == LinkState.INACTIVE) {
                    return link;
                }
            }
        }
        return null;
    }

    /**
     * Moves the connections of a link that is not active any more to another one, but not those whose handshake is under way:
     * they find out at its end.
     *
     * @return the other link; null if there is none, and the group has ended
     */
    Link moveConnections(Link from, boolean portLost) {
        Link other = group.slots().replacement(from, portLost);
        if (other == null) {
            group.abandon();
            return null;
        }
        int moved = 0;
        for (Membership member : group.members()) {
            if (member instanceof SmcrMembership membership && !membership.hasLeft() && membership.isEstablished()
                    && membership.link() == from) {
                membership.moveTo(other);
                moved++;
            }
        }
        Log.info(moved + " connections of " + from + " go on by " + other);
        return other;
    }
}
