package org.smc4j.time;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.diag.Log;

/**
 * A scheduler in real time, which is one daemon thread of its own. A task that throws is logged, and the next one runs. Timers
 * are as exact as the operating system wakes threads: tens of microseconds late, never early.
 */
public final class SchedulerThread implements Scheduler, AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    // Guarded by the lock.
    private final TimerQueue queue = new TimerQueue();
    private boolean closed;

    /** Starts the thread. */
    public SchedulerThread(String name) {
        // Nothing of whoever happens to start it: no thread-locals, and no class loader that could never be unloaded.
        thread = new Thread(null, this::run, name, 0, false);
        thread.setContextClassLoader(null);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** After {@link #close} the task is dropped. */
    @Override
    public void execute(Runnable task) {
        add(0, task);
    }

    /** After {@link #close} the task is dropped. */
    @Override
    public Timer schedule(long nanos, Runnable task) {
        TimerQueue.Entry entry = add(nanos, task);
        return () -> cancel(entry);
    }

    private TimerQueue.Entry add(long nanos, Runnable task) {
        lock.lock();
        try {
            TimerQueue.Entry entry = queue.add(System.nanoTime(), nanos, task);
            if (closed) {
                queue.remove(entry);
            } else if (queue.first() == entry) {
                changed.signal();
            }
            return entry;
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

    /** Whether the caller is a task of this scheduler. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /**
     * Ends the thread. Tasks that have not begun never run; one that runs is waited for, unless it is the caller, or the caller
     * is interrupted, which it then still is.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            changed.signal();
        } finally {
            lock.unlock();
        }
        if (isCurrent()) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (Throwable e) {
                Log.unexpected(thread.getName(), e);
            }
        }
    }

    /** Waits for the next task; null once closed. */
    private Runnable next() {
        lock.lock();
        try {
            while (!closed) {
                long now = System.nanoTime();
                TimerQueue.Entry entry = queue.pollDue(now);
                if (entry != null) {
                    return entry.task();
                }
                TimerQueue.Entry first = queue.first();
                if (first == null) {
                    changed.awaitUninterruptibly();
                } else {
                    awaitNanos(first.moment() - now);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void awaitNanos(long nanos) {
        try {
            changed.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // Nobody has a reason to interrupt this thread; what is due is looked at again.
        }
    }
}
