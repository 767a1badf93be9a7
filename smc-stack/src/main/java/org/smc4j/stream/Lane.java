package org.smc4j.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Ownership of one direction of a stream for the time of one copy. It is what keeps a close from unmapping memory under a
 * copy: closing takes the lane and never gives it back. Nobody blocks or parks while holding one, so waiting for it is
 * bounded by a copy, and a virtual thread is never unmounted inside.
 */
class Lane {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int CLOSED = 2;
    private static final VarHandle STATE;
    private static final int SPINS_BEFORE_YIELD = 100;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Lane.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Ordered by the compare-and-set that takes it and the release store that gives it back. */
    @SuppressWarnings("unused")
    private volatile int state;

    /** Takes the lane if nobody holds it; false if held or closed. */
    final boolean tryEnter() {
        return STATE.compareAndSet(this, FREE, HELD);
    }

    /** Takes the lane; false if it is closed. */
    final boolean enter() {
        int spins = 0;
        while (!STATE.compareAndSet(this, FREE, HELD)) {
            if (state == CLOSED) {
                return false;
            }
            spins = pause(spins);
        }
        return true;
    }

    final void leaveRelease() {
        STATE.setRelease(this, FREE);
    }

    /** Takes the lane for ever; false if somebody else has done so. */
    final boolean close() {
        int spins = 0;
        while (!STATE.compareAndSet(this, FREE, CLOSED)) {
            if (state == CLOSED) {
                return false;
            }
            spins = pause(spins);
        }
        return true;
    }

    final boolean isClosed() {
        return state == CLOSED;
    }

    private static int pause(int spins) {
        if (spins < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
            return spins + 1;
        }
        // The holder may have lost its processor; on a busy host spinning on would only keep it from getting it back.
        Thread.yield();
        return spins;
    }
}
