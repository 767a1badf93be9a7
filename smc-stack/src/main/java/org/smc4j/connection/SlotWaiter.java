package org.smc4j.connection;

/** Who waits for a control slot, in one work queue at a time. */
abstract class SlotWaiter {
    // Guarded by the lock of the work queue.
    boolean waiting;
    /** On the scheduler's clock. */
    long waitingSince;

    /** A slot is the waiter's now. On the thread that freed it, which holds no lock; must not block. */
    abstract void slotReserved(WorkQueue workQueue, int slot);

    /** There will be none: the work queue is down. On any thread that holds no lock; must not block. */
    abstract void slotRefused(WorkQueue workQueue);
}
