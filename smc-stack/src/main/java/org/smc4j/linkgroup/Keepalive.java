package org.smc4j.linkgroup;

import org.smc4j.llc.TestLink;
import org.smc4j.time.Scheduler;

/** Sees whether the peer still answers on a link over which nothing comes (spec/20-llc.md §11). */
final class Keepalive {
    private final Link link;
    private final Scheduler scheduler;
    private final long interval;
    private Scheduler.Timer timer;
    private boolean asked;

    /** @param interval ns without a message after which the peer is asked; 0: never */
    Keepalive(Link link, Scheduler scheduler, long interval) {
        this.link = link;
        this.scheduler = scheduler;
        this.interval = interval;
    }

    /** The link has become ACTIVE. */
    void start() {
        if (interval > 0) {
            timer = scheduler.schedule(interval, this::check);
        }
    }

    /** The link is not ACTIVE any more. */
    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        asked = false;
    }

    private void check() {
        long idle = idleNanos();
        if (idle < interval) {
            timer = scheduler.schedule(interval - idle, this::check);
            return;
        }
        asked = true;
        timer = scheduler.schedule(FlowStep.WAIT_NANOS, this::unanswered);
        link.send(TestLink.request(link.group().version()));
    }

    /** Whatever has come meanwhile is as good as an answer, which may still be on its way behind it. */
    private void unanswered() {
        timer = null;
        asked = false;
        if (idleNanos() < FlowStep.WAIT_NANOS) {
            check();
        } else {
            link.group().failover().lost(link, false);
        }
    }

    private long idleNanos() {
        return scheduler.nanoTime() - link.transport().lastReceiveNanos();
    }

    /** The peer has answered, perhaps although it was not asked. */
    void answered() {
        if (asked) {
            asked = false;
            timer.cancel();
            timer = scheduler.schedule(interval, this::check);
        }
    }
}
