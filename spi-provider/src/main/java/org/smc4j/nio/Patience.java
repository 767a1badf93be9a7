package org.smc4j.nio;

/**
 * Looking again for a while before a thread sleeps, with the processor given away between looks. A sleep costs two context
 * switches, and its waker a system call, far more than most peers take to answer or to write on.
 *
 * <p>The time must be longer than a peer takes to wake up: else two ends that both sleep never find out that neither needed to.
 * It is bounded, and where it does not pay it is tried ever more rarely, up to once in {@code 2^MAX_FAILURES} waits; so an end
 * whose peer takes its time spends next to nothing on it. Yields rather than spins: with both ends on one processor a spin
 * of T costs 2·T per round trip, as neither end can do what the other waits for.
 */
final class Patience {
    private static final long NANOS = 30_000;
    /** A virtual thread is woken by way of two other threads. */
    private static final long VIRTUAL_NANOS = 100_000;
    private static final int MAX_FAILURES = 6;
    /**
     * Others want the processor: who yields waits for their time slices, milliseconds long, while the kernel lets a thread that
     * slept run soon. Then sleeping is better for a while.
     */
    private static final long CONTENDED_NANOS = 200_000;
    private static final int CONTENDED_SKIPS = 500;
    /** With busy polling; without, a processor that nobody else wants is looked from as seldom as yields take. */
    private static final int POLLED_LOOKS = 16;

    private final SmcSockets sockets;
    // Whoever waits; where that may be several threads at a time (a group of asynchronous channels) a lost update does no harm.
    private int failures;
    private int skips;

    Patience(SmcSockets sockets) {
        this.sockets = sockets;
    }

    /** When it ends, as System.nanoTime; 0 if not this time. */
    long begin() {
        if (skips > 0) {
            skips--;
            return 0;
        }
        long nanos = Thread.currentThread().isVirtual() ? VIRTUAL_NANOS : NANOS;
        long end = System.nanoTime() + Math.max(nanos, sockets.busyPollNanos());
        return end == 0 ? 1 : end;
    }

    /** How many looks to take before {@link #lasts} is asked again. */
    int looks() {
        return sockets.busyPollNanos() > 0 ? POLLED_LOOKS : 1;
    }

    /** Between looks; false when it has come to its end without success. */
    boolean lasts(long end) {
        long late = System.nanoTime() - end;
        if (late >= 0) {
            failures = Math.min(failures + 1, MAX_FAILURES);
            skips = late > CONTENDED_NANOS ? CONTENDED_SKIPS : (1 << failures) - 1;
            return false;
        }
        Thread.yield();
        return true;
    }

    /** The thread need not sleep. */
    void paid(long end) {
        failures = 0;
        if (System.nanoTime() - end > CONTENDED_NANOS) {
            skips = CONTENDED_SKIPS;
        }
    }
}
