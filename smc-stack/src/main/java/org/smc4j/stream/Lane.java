package org.smc4j.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.smc4j.ffi.linux.MemoryBarrier;

/**
 * Ownership of one direction of a stream for the time of one copy. It is what keeps a close from unmapping memory under a
 * copy: closing takes the lane and never gives it back. Nobody blocks or parks while holding one, so waiting for it is
 * bounded by a copy, and a virtual thread is never unmounted inside.
 *
 * <p>A thread that has taken the lane many times without another one between has it for itself, and then takes it with plain
 * stores: an atomic instruction would wait for all stores before it, and those to the ring take long, as the peer's processor
 * has the lines. Another thread that wants the lane takes it with the atomic instruction and ends that privilege first, with a
 * barrier on all processors in place of the one that the owner leaves out.
 */
public class Lane {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int CLOSED = 2;
    private static final VarHandle STATE;
    private static final VarHandle OWNER;
    private static final VarHandle OWNER_INSIDE;
    private static final int SPINS_BEFORE_YIELD = 100;
    private static final int FIRST_TURNS_TO_OWN = 256;
    /** Threads that take turns cost a barrier each time one has become the owner: soon nobody becomes it any more. */
    private static final int MOST_TURNS_TO_OWN = 1 << 24;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Lane.class, "state", int.class);
            OWNER = lookup.findVarHandle(Lane.class, "owner", Thread.class);
            OWNER_INSIDE = lookup.findVarHandle(Lane.class, "ownerInside", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Ordered by the compare-and-set that takes it and the release store that gives it back. */
    @SuppressWarnings("unused")
    private volatile int state;
    /** Set to itself and cleared by a thread that holds the state; read by anyone. */
    private Thread owner;
    /** Written by the owner; others wait for false after they cleared the owner and had a barrier. */
    private boolean ownerInside;
    // Guarded by the state.
    private Thread last;
    private int turns;
    private int turnsToOwn = FIRST_TURNS_TO_OWN;

    /** Takes the lane if nobody holds it; false if held or closed. */
    public final boolean tryEnter() {
        return tryEnterOwn() || tryEnterState();
    }

    /** Takes the lane; false if it is closed. */
    public final boolean enter() {
        int spins = 0;
        while (!tryEnter()) {
            if (state == CLOSED) {
                return false;
            }
            spins = pause(spins);
        }
        return true;
    }

    private boolean tryEnterOwn() {
        Thread current = Thread.currentThread();
        if (OWNER.getOpaque(this) != current) {
            return false;
        }
        OWNER_INSIDE.setOpaque(this, true);
        // Keeps the compiler from changing the order; the processor is kept from it by the barrier of whoever clears the owner.
        VarHandle.releaseFence();
        if (OWNER.getOpaque(this) == current) {
            return true;
        }
        OWNER_INSIDE.setRelease(this, false);
        return false;
    }

    private boolean tryEnterState() {
        if (!STATE.compareAndSet(this, FREE, HELD)) {
            return false;
        }
        Thread current = Thread.currentThread();
        if (owner != null) {
            endOwnership();
        } else if (last != current) {
            last = current;
            turns = 0;
        } else if (++turns >= turnsToOwn && MemoryBarrier.isAvailable()) {
            OWNER.setOpaque(this, current);
        }
        return true;
    }

    /** The state is held. */
    private void endOwnership() {
        OWNER.setOpaque(this, null);
        MemoryBarrier.everywhere();
        int spins = 0;
        while ((boolean) OWNER_INSIDE.getAcquire(this)) {
            spins = pause(spins);
        }
        turns = 0;
        last = null;
        turnsToOwn = Math.min(2 * turnsToOwn, MOST_TURNS_TO_OWN);
    }

    public final void leaveRelease() {
        // Only the owner finds this true: others are inside after it has left.
        if (ownerInside) {
            OWNER_INSIDE.setRelease(this, false);
        } else {
            STATE.setRelease(this, FREE);
        }
    }

    /** Takes the lane for ever; false if somebody else has done so. */
    public final boolean close() {
        int spins = 0;
        while (!STATE.compareAndSet(this, FREE, CLOSED)) {
            if (state == CLOSED) {
                return false;
            }
            spins = pause(spins);
        }
        if (owner != null) {
            endOwnership();
        }
        return true;
    }

    public final boolean isClosed() {
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
