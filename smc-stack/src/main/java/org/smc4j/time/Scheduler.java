package org.smc4j.time;

/** Runs tasks one after the other, never two at once, each after everything that was executed before it. */
public interface Scheduler {
    /** A task that was scheduled for later. */
    interface Timer {
        /** The task does not run any more, unless it has begun. Called on the scheduler's own thread, it has not begun. */
        void cancel();
    }

    /** Now, in ns; as {@link System#nanoTime()} only differences mean anything. Any thread. */
    long nanoTime();

    /** Runs the task as soon as those before it are done. Any thread; never runs it before returning. */
    void execute(Runnable task);

    /**
     * Runs the task after {@code nanos} (0 or more). Any thread. Tasks for the same moment run in the order in which they were
     * scheduled.
     */
    Timer schedule(long nanos, Runnable task);
}
