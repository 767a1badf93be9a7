package org.smc4j.connection;

import java.util.ArrayDeque;
import org.smc4j.time.Scheduler;

/**
 * The control slots of one work queue, and who waits for one: in order, and for at most 10 s, after which the work queue is told
 * (spec/30-cdc.md §10). Who waits is called back without the lock.
 */
final class ControlSlots {
    private static final long WAIT_NANOS = 10_000_000_000L;

    private final WorkQueue workQueue;
    private final Scheduler scheduler;
    /** The work queue's; guards all fields below. */
    private final Object lock;
    private final int[] free;
    private int freeCount;
    private final ArrayDeque<SlotWaiter> waiters = new ArrayDeque<>();
    private boolean watching;
    private boolean closed;

    ControlSlots(WorkQueue workQueue, Object lock, Scheduler scheduler, int count) {
        this.workQueue = workQueue;
        this.lock = lock;
        this.scheduler = scheduler;
        free = new int[count];
        for (int slot = count - 1; slot >= 0; slot--) {
            free[freeCount++] = slot;
        }
    }

    /** @return the slot, {@link WorkQueue#NO_SLOT} if the waiter waits, or {@link WorkQueue#DOWN} */
    int reserve(SlotWaiter waiter) {
        boolean watch = false;
        synchronized (lock) {
            if (closed) {
                return WorkQueue.DOWN;
            }
            if (freeCount > 0) {
                return free[--freeCount];
            }
            if (!waiter.waiting) {
                waiter.waiting = true;
                waiter.waitingSince = scheduler.nanoTime();
                waiters.add(waiter);
                watch = !watching;
                watching = true;
            }
        }
        if (watch) {
            scheduler.schedule(WAIT_NANOS, this::watch);
        }
        return WorkQueue.NO_SLOT;
    }

    void cancel(SlotWaiter waiter) {
        synchronized (lock) {
            if (waiter.waiting) {
                waiter.waiting = false;
                waiters.remove(waiter);
            }
        }
    }

    /** The first who waits has the slot now, or it is free. */
    void release(int slot) {
        SlotWaiter next;
        synchronized (lock) {
            next = waiters.poll();
            if (next == null) {
                free[freeCount++] = slot;
            } else {
                next.waiting = false;
            }
        }
        if (next != null) {
            next.slotReserved(workQueue, slot);
        }
    }

    /** Whether nobody has one; the lock is held. */
    boolean areAllFree() {
        return freeCount == free.length;
    }

    /** There are none from now on; who waits is told. */
    void close() {
        for (;;) {
            SlotWaiter waiter;
            synchronized (lock) {
                closed = true;
                waiter = waiters.poll();
                if (waiter == null) {
                    return;
                }
                waiter.waiting = false;
            }
            waiter.slotRefused(workQueue);
        }
    }

    /** Whether the first has waited for too long: then nothing has completed in all that time. */
    private void watch() {
        long left;
        synchronized (lock) {
            SlotWaiter first = waiters.peek();
            if (first == null) {
                watching = false;
                return;
            }
            left = WAIT_NANOS - (scheduler.nanoTime() - first.waitingSince);
        }
        if (left > 0) {
            scheduler.schedule(left, this::watch);
        } else {
            workQueue.takeDown("no slot became free for 10 s");
        }
    }
}
