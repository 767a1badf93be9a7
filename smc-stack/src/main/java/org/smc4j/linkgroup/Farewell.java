package org.smc4j.linkgroup;

import java.util.ArrayDeque;
import java.util.Deque;
import org.smc4j.llc.DeleteLink;
import org.smc4j.time.Scheduler;

/** Sends DELETE LINK "all": over one link after the other, until one has sent it within 2 s (spec/20-llc.md §8). */
final class Farewell {
    private final SmcrLinkGroup group;
    private final DeleteLink message;
    private final Runnable done;
    private final Deque<Link> links = new ArrayDeque<>();
    private Scheduler.Timer timer;
    /** The link over which it is being sent; null once it is done. */
    private Link current;

    Farewell(SmcrLinkGroup group, DeleteLink message, Runnable done) {
        this.group = group;
        this.message = message;
        this.done = done;
    }

    void begin() {
        links.addAll(group.slots().usable());
        next();
    }

    private void next() {
        current = links.poll();
        while (current != null && !current.isSendable()) {
            current = links.poll();
        }
        if (current == null) {
            done.run();
            return;
        }
        Link link = current;
        timer = group.scheduler().schedule(FlowStep.WAIT_NANOS, () -> sent(link, false));
        link.send(message, completed -> sent(link, completed));
    }

    private void sent(Link link, boolean completed) {
        if (link != current) {
            return;
        }
        timer.cancel();
        if (completed) {
            current = null;
            done.run();
        } else {
            next();
        }
    }
}
