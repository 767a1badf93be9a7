package org.smc4j.connection;

/**
 * How somebody waits for one direction of a connection: arm, look again, sleep, disarm. Several may wait at a time. Any thread.
 */
public interface Waiter {
    /**
     * Asks for a wake-up; callers look again afterwards.
     *
     * @param event by the doorbell, for whoever waits for that in an epoll; otherwise for threads in {@link #sleep}
     */
    void arm(boolean event);

    /** Takes back what a thread has asked for. */
    void disarm();

    /** Blocks the native thread until woken, interrupted by a signal, or for {@code nanos} (0: without limit). */
    void sleep(long nanos);

    /** Wakes whoever has asked; cheap if nobody has. What was stored before is seen by whoever armed, or looks after that. */
    void wake();

    /** Wakes everybody, asked or not. */
    void wakeAlways();
}
