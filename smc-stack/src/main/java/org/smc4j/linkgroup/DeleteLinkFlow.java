package org.smc4j.linkgroup;

import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.time.Scheduler;

/**
 * The server deletes one link: moves its connections, lets its sends drain, tells the client, waits for the answer, clears it.
 */
abstract class DeleteLinkFlow extends Flow {
    /** As long as the kernel waits for a free slot. A peer that takes nothing, and is asked again without end, blocks no longer. */
    private static final long DRAIN_NANOS = 10_000_000_000L;

    private final Link link;
    private final DeleteLink message;
    private Scheduler.Timer drainTimer;
    /** Over which the client is told. */
    private Link carrier;

    /**
     * @param link    null if the message names none of the group
     * @param carrier over which the client is told if it can still send then; null: over any
     */
    DeleteLinkFlow(SmcrLinkGroup group, Link link, Link carrier, DeleteLink message) {
        super(group, FlowType.DELETE_LINK);
        this.link = link;
        this.carrier = carrier;
        this.message = message;
    }

    final Link link() {
        return link;
    }

    /** Does all of it, then calls {@link #deleted}, unless the group ends on the way. */
    final void deleteLink() {
        boolean carried = link.isActive();
        if (link.deactivate() && carried) {
            if (group().failover().moveConnections(link, false) != null && !hasEnded()) {
                drainTimer = group().scheduler().schedule(DRAIN_NANOS, this::drained);
                link.transport().drain(this::drained);
            }
        } else {
            // Lost before: its connections were moved then, and its sends may never drain.
            tellClient();
        }
    }

    private void drained() {
        if (drainTimer != null) {
            stopDraining();
            tellClient();
        }
    }

    private void stopDraining() {
        if (drainTimer != null) {
            drainTimer.cancel();
            drainTimer = null;
        }
    }

    private void tellClient() {
        if (carrier == null || !carrier.isSendable()) {
            carrier = group().slots().anySendable();
        }
        if (carrier == null) {
            cleared();
            return;
        }
        carrier.send(message);
        await(FlowStep.DELETE_LINK_RESPONSE);
    }

    private void cleared() {
        link.clear();
        deleted();
    }

    /** The link is cleared; the flow has still to be ended. */
    abstract void deleted();

    @Override
    final void received(FlowStep at, Link from, LlcMessage response) {
        cleared();
    }

    @Override
    final void missed(FlowStep at, Miss why) {
        if (why == Miss.GROUP_ENDED) {
            stopDraining();
            end();
        } else {
            // The link is gone all the same.
            cleared();
        }
    }

    @Override
    final boolean uses(Link other) {
        return other == carrier;
    }
}
