package org.smc4j.negotiation;

import java.util.ArrayDeque;
import java.util.Deque;
import org.smc4j.time.Scheduler;

/**
 * Lets handshakes with the same peers pass one after the other where they look for link groups: a group is found only when its
 * first contact is over (spec/10-clc.md §11). Servers are in turn until the Accept of SMC-D or the end of SMC-R, clients from the
 * choice of the link group on. SMC-D has one order for both roles, since its groups have none.
 *
 * <p>One object for all peers does as the kernel; one for each peer keeps a silent one from delaying the others.
 */
public final class HandshakeTurns {
    private final Scheduler scheduler;
    private final Deque<Turn> servers = new ArrayDeque<>();
    private final Deque<Turn> clients = new ArrayDeque<>();

    public HandshakeTurns(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** For a server, and for a client of SMC-D. The task runs later on the scheduler, unless the turn is left before. */
    Turn awaitServerOrSmcd(Runnable task) {
        return await(servers, task);
    }

    /** For a client of SMC-R. */
    Turn awaitSmcrClient(Runnable task) {
        return await(clients, task);
    }

    private Turn await(Deque<Turn> queue, Runnable task) {
        Turn turn = new Turn(queue, task);
        queue.add(turn);
        if (queue.peek() == turn) {
            scheduler.execute(turn::begin);
        }
        return turn;
    }

    /** A place in the order, from the moment it is asked for until it is left. */
    final class Turn {
        private final Deque<Turn> queue;
        private final Runnable task;
        private boolean left;

        private Turn(Deque<Turn> queue, Runnable task) {
            this.queue = queue;
            this.task = task;
        }

        private void begin() {
            if (!left) {
                task.run();
            }
        }

        /** The next one's turn. Does nothing again. */
        void leave() {
            if (left) {
                return;
            }
            left = true;
            boolean first = queue.peek() == this;
            queue.remove(this);
            if (first && !queue.isEmpty()) {
                scheduler.execute(queue.peek()::begin);
            }
        }
    }
}
