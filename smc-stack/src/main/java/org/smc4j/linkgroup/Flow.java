package org.smc4j.linkgroup;

import org.smc4j.llc.LlcMessage;
import org.smc4j.time.Scheduler;

/**
 * A sequence of LLC messages that occupies the flow slot of its group. It waits for one message at a time, as {@link FlowStep}
 * says, and takes only that.
 *
 * <p>In the kernel whatever comes ends the wait if it fits the type of the flow, and fails the flow unless it is of the type that
 * the step expects (spec/20-llc.md §10); so the answer to a DELETE RKEY that comes after its two seconds declines the connection
 * whose CONFIRM RKEY has its turn by then. Here it is dropped, which a peer cannot tell from an answer that was not late.
 */
abstract class Flow {
    /** Why a message did not come. */
    enum Miss {
        TIMEOUT,
        /** The peer has said in another way that it will not come. */
        REFUSED,
        /** The peer has begun the same anew. */
        REPLACED,
        /** A link that the flow uses was lost. */
        LINK_LOST,
        GROUP_ENDED
    }

    private final SmcrLinkGroup group;
    /** What is waited for; null while that is no message. */
    private FlowStep step;
    private Scheduler.Timer timer;
    private boolean ended;

    Flow(SmcrLinkGroup group) {
        this.group = group;
    }

    final SmcrLinkGroup group() {
        return group;
    }

    /** The slot is this flow's from now on. */
    abstract void begin();

    /**
     * Whether a message of the type that the step waits for is the one that is meant, by what it says of itself: others may be
     * late answers to what an earlier flow has said.
     */
    abstract boolean isMeant(FlowStep at, Link from, LlcMessage message);

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

    /**
     * A request that is for a flow of its own shows that the peer is done with this one: this one ends, and the request has its
     * turn. Only asked while this flow waits for a message.
     */
    boolean isGivenUpBy(LlcMessage request) {
        return false;
    }

    final void await(FlowStep next) {
        step = next;
        timer = group.scheduler().schedule(next.nanos(), () -> miss(Miss.TIMEOUT));
    }

    /** Takes a message if this flow waits for just that; if not, false, and it goes on waiting. */
    final boolean deliver(Link from, LlcMessage message) {
        if (step == null || !step.isFor(message) || !isMeant(step, from, message)) {
            return false;
        }
        received(stopWaiting(), from, message);
        return true;
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
            throw new IllegalStateException(getClass().getSimpleName() + " ended twice");
        }
        ended = true;
        stopWaiting();
    }

    final boolean hasEnded() {
        return ended;
    }
}
