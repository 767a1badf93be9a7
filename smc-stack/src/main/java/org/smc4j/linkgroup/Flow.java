package org.smc4j.linkgroup;

import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.time.Scheduler;

/**
 * A sequence of LLC messages that occupies the flow slot of its group. It waits for one message at a time, as {@link FlowStep}
 * says; while it waits for something else, one message is kept for it.
 */
abstract class Flow {
    /** Why a message did not come. */
    enum Miss {
        TIMEOUT,
        /** Another one came instead. */
        OTHER_MESSAGE,
        /** A link that the flow uses was lost. */
        LINK_LOST,
        GROUP_ENDED
    }

    private final SmcrLinkGroup group;
    private final FlowType type;
    /** What is waited for; null while that is no message. */
    private FlowStep step;
    private Scheduler.Timer timer;
    private Link pendingLink;
    private LlcMessage pending;
    private boolean ended;

    Flow(SmcrLinkGroup group, FlowType type) {
        this.group = group;
        this.type = type;
    }

    final SmcrLinkGroup group() {
        return group;
    }

    final FlowType type() {
        return type;
    }

    /** The slot is this flow's from now on. */
    abstract void begin();

    /** The message of this step has come. */
    abstract void received(FlowStep at, Link link, LlcMessage message);

    /**
     * Nothing is to be expected any more.
     *
     * @param at null if the flow had not begun, or waited for something else than a message
     */
    abstract void missed(FlowStep at, Miss why);

    /** Whether the flow cannot go on if this link is lost. */
    abstract boolean uses(Link link);

    /** Another message than that of the step has come. A DELETE LINK has its turn when this flow has ended. */
    void interrupted(FlowStep at, Link link, LlcMessage other) {
        if (other instanceof DeleteLink && !other.response()) {
            group.flows().keep(new LinkRequest(FlowType.DELETE_LINK, link, other));
        }
        missed(at, Miss.OTHER_MESSAGE);
    }

    final void await(FlowStep next) {
        step = next;
        if (pending != null) {
            LlcMessage message = pending;
            pending = null;
            deliver(pendingLink, message);
        } else {
            timer = group.scheduler().schedule(next.nanos(), () -> miss(Miss.TIMEOUT));
        }
    }

    /** Whether a message is kept for this flow, so that it takes no other. */
    final boolean hasPending() {
        return pending != null;
    }

    final void deliver(Link link, LlcMessage message) {
        if (step == null) {
            pendingLink = link;
            pending = message;
            return;
        }
        FlowStep at = stopWaiting();
        if (at.isFor(message)) {
            received(at, link, message);
        } else {
            interrupted(at, link, message);
        }
    }

    final void miss(Miss why) {
        missed(stopWaiting(), why);
    }

    final boolean isWaiting() {
        return step != null;
    }

    private FlowStep stopWaiting() {
        FlowStep at = step;
        step = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        return at;
    }

    /** Ends this flow; others may begin. */
    final void end() {
        leaveSlot();
        group.flows().ended(this);
    }

    /** Ends this flow and begins another one in its place. */
    final void continueWith(Flow next) {
        leaveSlot();
        group.flows().begin(next);
    }

    private void leaveSlot() {
        if (ended) {
            throw new IllegalStateException(type + " flow ended twice");
        }
        ended = true;
        stopWaiting();
    }

    final boolean hasEnded() {
        return ended;
    }
}
