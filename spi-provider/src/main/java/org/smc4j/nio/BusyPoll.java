package org.smc4j.nio;

/**
 * Looks for data a little longer before its thread goes to sleep ({@code smc.busy_poll_us}). The time is bounded, the
 * processor is given away between looks, and a connection where it did not pay skips it for a while: with both ends on one
 * core a spin of T costs 2·T per round trip, as neither end can do what the other waits for.
 */
final class BusyPoll {
    private static final int LOOKS_PER_YIELD = 16;
    private static final int MAX_SKIPS = 256;

    private final SmcSockets sockets;
    private int failures;  // read lock of the JDK
    private int skips;     // read lock of the JDK

    BusyPoll(SmcSockets sockets) {
        this.sockets = sockets;
    }

    /** True if the socket became readable within the time. */
    boolean pays(SmcSocket socket) {
        long limit = sockets.busyPollNanos();
        if (limit == 0) {
            return false;
        }
        if (skips > 0) {
            skips--;
            return false;
        }
        long start = System.nanoTime();
        do {
            for (int i = 0; i < LOOKS_PER_YIELD; i++) {
                if (socket.isReadable()) {
                    failures = 0;
                    return true;
                }
                Thread.onSpinWait();
            }
            Thread.yield();
        } while (System.nanoTime() - start < limit);
        failures = Math.min(failures + 1, 8);
        skips = Math.min((1 << failures) - 2, MAX_SKIPS);
        return false;
    }
}
