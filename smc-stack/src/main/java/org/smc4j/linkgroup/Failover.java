package org.smc4j.linkgroup;

import java.util.function.Consumer;
import org.smc4j.diag.Log;
import org.smc4j.llc.DeleteLink;
import org.smc4j.time.Scheduler;

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
                group.countLinks();
                tellPeer(link, other);
            }
        }
    }

    private void tellPeer(Link lost, Link other) {
        DeleteLink message = deleteLink(lost);
        if (group.role() == Role.SERVER) {
            group.flows().deleteLink(other, message);
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
     * Leaves a link that is not active any more. If it is lost its connections go on by another link at once. If it still works
     * they post nothing on it, and go on by another link when all that they have posted has completed.
     *
     * @param why   what one end has told the other
     * @param limit after which what has not completed never will: ns
     * @param left  runs when they have moved and everything has completed; never if the group has ended by then
     */
    void leave(Link from, DeleteLink why, long limit, Runnable left) {
        boolean lost = why.reason() == DeleteLink.LOST_PATH;
        if (lost) {
            from.transport().stop();
        } else {
            eachOn(from, membership -> membership.member().pause());
        }
        if (!lost || moveConnections(from, false) != null) {
            new Leaving(from, lost, left).begin(limit);
        }
    }

    /** The wait for what was posted. It holds the link. */
    private final class Leaving {
        private final Link from;
        private final boolean moved;
        private final Runnable left;
        private Scheduler.Timer timer;

        Leaving(Link from, boolean moved, Runnable left) {
            this.from = from;
            this.moved = moved;
            this.left = left;
        }

        void begin(long limit) {
            from.hold();
            timer = group.scheduler().schedule(limit, () -> {
                // Neither sent nor sent again from here on.
                from.transport().stop();
                over();
            });
            from.transport().drain(this::over);
        }

        private void over() {
            if (timer == null) {
                return;
            }
            timer.cancel();
            timer = null;
            if (group.isListed() && (moved || moveConnections(from, false) != null)) {
                left.run();
            }
            from.release();
        }
    }

    /**
     * Moves the connections of a link that is not active any more, and on which nothing is sent, to another one.
     *
     * @return the other link; null if there is none, and the group has ended
     */
    private Link moveConnections(Link from, boolean portLost) {
        Link other = group.slots().replacement(from, portLost);
        if (other == null) {
            group.abandon();
            return null;
        }
        int moved = eachOn(from, membership -> membership.moveTo(other));
        Log.info(moved + " connections of " + from + " go on by " + other);
        return other;
    }

    /** The connections of a link, but not those whose handshake is under way: they find out at its end. Returns how many. */
    private int eachOn(Link link, Consumer<SmcrMembership> action) {
        int count = 0;
        for (Membership member : group.members()) {
            if (member instanceof SmcrMembership membership && !membership.hasLeft() && membership.isEstablished()
                    && membership.link() == link) {
                action.accept(membership);
                count++;
            }
        }
        return count;
    }
}
