package org.smc4j.roce.software;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceException;

/**
 * Measures a {@link SocketRnic} between two processes on the loopback interface. Not a test: run its main method with the class
 * path of the tests.
 */
final class RnicBenchmark {
    private static final int MESSAGES_AT = Side.MEMORY / 2;
    private static final int REQUESTS = 256;
    private static final int RECEIVES = 32;
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 40_000;
    private static final long RATE_NANOS = 2_000_000_000L;

    private final Side side;
    private final Peer.Handle peer;
    private final Completions completions = new Completions(64);
    // Of the ping-pong that is under way, which the device's thread runs.
    private final long[] nanos = new long[ROUNDS];
    private int length;
    private int round;
    private long start;
    private CountDownLatch done = new CountDownLatch(0);

    private RnicBenchmark(SocketRnic rnic, Peer.Handle peer) throws RoceException {
        this.peer = peer;
        side = new Side(rnic, REQUESTS, () -> { }, this::answered);
    }

    public static void main(String[] arguments) throws Exception {
        try (Peer.Handle peer = new Peer.Handle(List.of(), "lo", 0); SocketRnic rnic = SocketRnic.open("bench", "lo")) {
            RnicBenchmark benchmark = new RnicBenchmark(rnic, peer);
            peer.connect(benchmark.side, 0);
            for (int i = 0; i < RECEIVES; i++) {
                benchmark.receive(i);
            }
            for (int length : new int[] {0, 64, 4_096, 65_536}) {
                benchmark.pingPong(length);
            }
            for (int length : new int[] {64, 512, 4_096, 65_536, 500_000}) {
                benchmark.oneWay(length);
            }
        }
    }

    private void receive(long slot) {
        side.receive(slot, MESSAGES_AT + Peer.MESSAGE * (int) slot, Peer.MESSAGE);
    }

    private void pingPong(int bytes) throws InterruptedException {
        length = bytes;
        round = -WARM_UP;
        done = new CountDownLatch(1);
        side.received.arm(false);
        ping();
        done.await();
        Arrays.sort(nanos);
        System.out.printf("ping-pong of WRITE %d + SEND: median %.1f us, 99 %% %.1f us round trip%n", bytes,
                nanos[ROUNDS / 2] / 1e3, nanos[ROUNDS * 99 / 100] / 1e3);
    }

    private void ping() {
        int at = MESSAGES_AT - 64;
        side.memory.set(ValueLayout.JAVA_INT, at, length);
        start = System.nanoTime();
        if (length > 0) {
            write(round, length, 0);
        }
        side.send(round, at, Peer.MESSAGE, QueuePair.SIGNALED);
    }

    private void write(long number, int bytes, int flags) {
        side.queuePair.postWrite(number, side.address(0), bytes, side.region.lkey(), peer.address.memory(), peer.address.rkey(),
                flags);
    }

    private void answered() {
        side.received.arm(false);
        while (side.received.poll(completions) > 0 && completions.status(0) == Completions.SUCCESS) {
            if (round >= 0) {
                nanos[round] = System.nanoTime() - start;
            }
            receive(completions.id(0));
            side.sent.poll(completions);
            if (++round < ROUNDS) {
                ping();
            } else {
                done.countDown();
            }
        }
    }

    /** Receivers of WRITEs take no part, so this measures the RNICs alone. */
    private void oneWay(int bytes) {
        long completed = 0;
        long posted = 0;
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < RATE_NANOS) {
            while (posted - completed < REQUESTS - 32) {
                write(posted, bytes, ++posted % 16 == 0 ? QueuePair.SIGNALED : 0);
            }
            int count = side.sent.poll(completions);
            completed += 16L * count;
            if (count == 0) {
                Thread.yield();
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf("one way, WRITE %d: %.2f million/s, %.2f GB/s%n", bytes, completed / seconds / 1e6,
                completed * bytes / seconds / 1e9);
        while (completed < posted / 16 * 16) {
            completed += 16L * side.sent.poll(completions);
            Thread.yield();
        }
    }
}
