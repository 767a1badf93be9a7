package org.smc4j.connection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import org.smc4j.ffi.linux.Linux;

/** The waiter of a product: threads sleep on a futex, selectors on a {@link Bell}. */
public final class FutexWaiter implements Waiter {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final int THREADS = 0;
    private static final int EVENTS = 4;
    private static final int TIMESPEC = 8;
    private static final int TIMESPEC_SIZE = 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final Bell bell;
    /** Two words that say who has asked. Freed when nobody can reach this object, so never under a thread that sleeps on it. */
    private final MemorySegment memory = Arena.ofAuto().allocate(TIMESPEC, 8);

    public FutexWaiter(Bell bell) {
        this.bell = bell;
    }

    @Override
    public void arm(boolean event) {
        INT.setVolatile(memory, (long) (event ? EVENTS : THREADS), 1);
    }

    @Override
    public void disarm() {
        INT.setOpaque(memory, (long) THREADS, 0);
    }

    @Override
    public void sleep(long nanos) {
        if (nanos == 0) {
            Linux.futexWait(memory.address() + THREADS, 1, 0);
        } else {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment timespec = arena.allocate(TIMESPEC_SIZE, 8);
                timespec.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS_PER_SECOND);
                timespec.set(ValueLayout.JAVA_LONG, 8, nanos % NANOS_PER_SECOND);
                Linux.futexWait(memory.address() + THREADS, 1, timespec.address());
            }
        }
        Reference.reachabilityFence(this);
    }

    @Override
    public void wake() {
        if ((int) INT.getVolatile(memory, (long) THREADS) != 0 && (int) INT.getAndSet(memory, (long) THREADS, 0) != 0) {
            Linux.futexWake(memory.address() + THREADS);
        }
        if ((int) INT.getVolatile(memory, (long) EVENTS) != 0 && (int) INT.getAndSet(memory, (long) EVENTS, 0) != 0) {
            bell.ring();
        }
    }

    @Override
    public void wakeAlways() {
        INT.setVolatile(memory, (long) THREADS, 0);
        Linux.futexWake(memory.address() + THREADS);
        bell.ring();
    }
}
