package org.smc4j.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Work that one thread at a time does, and for which no thread waits: who finds another one inside leaves word of why he came, and
 * the one inside sees to it before he leaves. So a completion thread never waits for an application thread that has lost its
 * processor, and an application thread that writes while a completion arrives does the work of both.
 *
 * <p>Whatever was stored before {@link #request} is seen by the {@link #work} that follows it, on whichever thread.
 */
abstract class Turn {
    private static final int INSIDE = 1;
    private static final int SPINS_BEFORE_YIELD = 100;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Turn.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Whether somebody is inside, and the reasons that nobody has taken yet. Atomic instructions only. */
    private volatile int state;

    /**
     * Does what the reasons ask for. Runs alone; must neither block nor enter this turn again, but may request more of it.
     *
     * @param reasons one bit or several of those that were requested
     */
    abstract void work(int reasons);

    /** Has the work done, by this thread or by the one that is inside; reasons are bits 1 to 31. */
    final void request(int reasons) {
        if (STATE.compareAndSet(this, 0, INSIDE)) {
            try {
                work(reasons);
            } finally {
                leave();
            }
        } else if (((int) STATE.getAndBitwiseOr(this, reasons | INSIDE) & INSIDE) == 0) {
            leave();
        }
    }

    /** Waits until nobody is inside, and goes inside; for the rare things that have to be done now. */
    final void enter() {
        for (int spins = 0; ((int) STATE.getAndBitwiseOr(this, INSIDE) & INSIDE) != 0; spins++) {
            if (spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    /** Leaves, after whatever was requested meanwhile is done. */
    final void leave() {
        while (!STATE.compareAndSet(this, INSIDE, 0)) {
            int reasons = (int) STATE.getAndSet(this, INSIDE) & ~INSIDE;
            try {
                work(reasons);
            } catch (Throwable e) {
                // A defect of ours. It must not lock everybody out: what was requested meanwhile is for the next one.
                STATE.getAndBitwiseAnd(this, ~INSIDE);
                throw e;
            }
        }
    }
}
