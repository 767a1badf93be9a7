package org.smc4j.roce.software;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads or processes do. */
final class Waiting {
    private static final long PAUSE = 100_000;

    private Waiting() {
    }

    /** Whether the condition holds within so many ns. */
    static boolean until(BooleanSupplier condition, long nanos) {
        long deadline = System.nanoTime() + nanos;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE);
        }
        return true;
    }
}
