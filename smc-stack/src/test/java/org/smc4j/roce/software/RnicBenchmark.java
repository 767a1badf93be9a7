package org.smc4j.roce.software;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;

/**
 * Measures a {@link SocketRnic} between two processes on the loopback interface. Not a test: run its main method with the class
 * path of the tests.
 */
final class RnicBenchmark {
    private static final int MESSAGES_AT = Side.MEMORY / 2;
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 40_000;
    private static final long RATE_NANOS = 2_000_000_000L;

    private static final Completions COMPLETIONS = new Completions(64);

    private RnicBenchmark() {
    }

    public static void main(String[] arguments) throws Exception {
        try (Peer.Handle peer = new Peer.Handle(List.of(), "lo", 0); SocketRnic rnic = SocketRnic.open("bench", "lo")) {
            Side side = new Side(rnic, 256, () -> { }, () -> { });
            peer.connect(side, 0);
            for (int i = 0; i < 64; i++) {
                side.receive(i, MESSAGES_AT + Peer.MESSAGE * i, Peer.MESSAGE);
            }
            for (int length : new int[] {64, 4_096, 65_536}) {
                pingPong(side, peer.address, length);
            }
            for (int length : new int[] {64, 512, 4_096, 65_536, 500_000}) {
                oneWay(side, peer.address, length);
            }
        }
    }

    private static void pingPong(Side side, Peer.Address peer, int length) {
        long[] nanos = new long[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            side.memory.set(ValueLayout.JAVA_INT, MESSAGES_AT - 64, length);
            long start = System.nanoTime();
            side.queuePair.postWrite(i, side.address(0), length, side.region.lkey(), peer.memory(), peer.rkey(), 0);
            side.queuePair.postSend(i, side.address(MESSAGES_AT - 64), Peer.MESSAGE, side.region.lkey(), QueuePair.SIGNALED);
            while (side.received.poll(COMPLETIONS) == 0) {
                Thread.yield();
            }
            long slot = COMPLETIONS.id(0);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
            side.receive(slot, MESSAGES_AT + Peer.MESSAGE * (int) slot, Peer.MESSAGE);
            side.sent.poll(COMPLETIONS);
        }
        Arrays.sort(nanos);
        System.out.printf("ping-pong of WRITE %d + SEND: median %.1f us, 99 %% %.1f us round trip%n", length, nanos[ROUNDS / 2] / 1e3,
                nanos[ROUNDS * 99 / 100] / 1e3);
    }

    private static void oneWay(Side side, Peer.Address peer, int length) {
        // Receivers of WRITEs take no part, so these measure the RNICs alone.
        long done = 0;
        long posted = 0;
        long start = System.nanoTime();
        while (System.nanoTime() - start < RATE_NANOS) {
            while (posted - done < 192) {
                side.queuePair.postWrite(posted, side.address(0), length, side.region.lkey(), peer.memory(), peer.rkey(),
                        ++posted % 16 == 0 ? QueuePair.SIGNALED : 0);
            }
            int count = side.sent.poll(COMPLETIONS);
            done += 16L * count;
            if (count == 0) {
                Thread.yield();
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("one way, WRITE %d: %.2f million/s, %.2f GB/s%n", length, done / seconds / 1e6, done * length / seconds / 1e9);
        while (done < posted / 16 * 16) {
            done += 16L * side.sent.poll(COMPLETIONS);
            Thread.yield();
        }
    }
}
