package org.smc4j.time;

import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A scheduler whose time stands still while tasks run, and jumps to the next task's moment between them. Tasks run in the thread
 * that calls one of the {@code run} or {@link #advance} methods, which belong to one thread at a time and not to tasks. With one
 * seed and one thread a run repeats exactly.
 *
 * <p>A task that throws ends the call that ran it with that exception; time and the tasks behind it stay as they are.
 */
public final class VirtualTime implements Scheduler {
    /** More tasks than this at one moment are taken for one that schedules itself for ever. */
    private static final int MOST_AT_ONE_MOMENT = 10_000_000;

    private final SplittableRandom random;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final TimerQueue queue = new TimerQueue();
    private long now;
    // Used by the thread that runs tasks.
    private boolean running;

    public VirtualTime(long seed) {
        random = new SplittableRandom(seed);
    }

    /** The one source of chance for what runs in this time, for its tasks only. */
    public RandomGenerator random() {
        return random;
    }

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void execute(Runnable task) {
        schedule(0, task);
    }

    @Override
    public Timer schedule(long nanos, Runnable task) {
        lock.lock();
        try {
            TimerQueue.Entry entry = queue.add(now, nanos, task);
            return () -> cancel(entry);
        } finally {
            lock.unlock();
        }
    }

    private void cancel(TimerQueue.Entry entry) {
        lock.lock();
        try {
            queue.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    /** Runs all that is due, and what that makes due, at the present moment. */
    public void runDue() {
        advance(0);
    }

    /** Lets {@code nanos} pass, and runs all that is due in that time. */
    public void advance(long nanos) {
        long end = nanoTime() + nanos;
        runUntil(() -> false, nanos);
        lock.lock();
        try {
            now = end;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets time pass until nothing is scheduled any more, and no longer than {@code nanos}.
     *
     * @return false if tasks are left
     */
    public boolean runUntilIdle(long nanos) {
        runUntil(() -> false, nanos);
        lock.lock();
        try {
            return queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets time pass until the condition holds, which is looked at first and after every task, and no longer than {@code nanos}.
     * Time stops at the last task that was run.
     *
     * @return whether the condition holds
     * @throws IllegalStateException if tasks keep scheduling tasks for one and the same moment
     */
    public boolean runUntil(BooleanSupplier condition, long nanos) {
        if (running) {
            throw new IllegalStateException("a task cannot let time pass");
        }
        running = true;
        try {
            return run(condition, nanoTime() + nanos);
        } finally {
            running = false;
        }
    }

    private boolean run(BooleanSupplier condition, long end) {
        long moment = nanoTime();
        int atMoment = 0;
        while (!condition.getAsBoolean()) {
            Runnable task = next(end);
            if (task == null) {
                return false;
            }
            if (nanoTime() != moment) {
                moment = nanoTime();
                atMoment = 0;
            } else if (++atMoment > MOST_AT_ONE_MOMENT) {
                throw new IllegalStateException("time stands still: the tasks of one moment do not end");
            }
            task.run();
        }
        return true;
    }

    /** Takes the first task up to {@code end} and sets the time to its moment; null if there is none. */
    private Runnable next(long end) {
        lock.lock();
        try {
            TimerQueue.Entry entry = queue.pollDue(end);
            if (entry == null) {
                return null;
            }
            now = entry.moment();
            return entry.task();
        } finally {
            lock.unlock();
        }
    }
}
