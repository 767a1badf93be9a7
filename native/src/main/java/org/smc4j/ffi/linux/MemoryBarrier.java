package org.smc4j.ffi.linux;

/**
 * The system call {@code membarrier}: a full memory barrier on every processor that runs a thread of this process or of another
 * one that uses this class. Who needs one rarely so pays for those who would need one all the time.
 */
public final class MemoryBarrier {
    private static final int GLOBAL_EXPEDITED = 1 << 1;
    private static final int REGISTER_GLOBAL_EXPEDITED = 1 << 2;
    private static final boolean AVAILABLE =
            Syscall.call(Syscall.MEMBARRIER, REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0 && issue() == 0;

    private MemoryBarrier() {
    }

    /**
     * Whether this process is registered for it (Linux 4.16 or later, not filtered), as long as it lives. The first call may take
     * some milliseconds.
     */
    public static boolean isAvailable() {
        return AVAILABLE;
    }

    /** Takes some microseconds. Does nothing where the barrier is not available: nobody may have counted on it then. */
    public static void everywhere() {
        // Memory for a few bytes may be missing; that passes.
        while (AVAILABLE && issue() == -Errno.ENOMEM) {
            Thread.onSpinWait();
        }
    }

    private static long issue() {
        return Syscall.call(Syscall.MEMBARRIER, GLOBAL_EXPEDITED, 0, 0);
    }
}
