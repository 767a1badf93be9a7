package org.smc4j.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.smc4j.clc.Mac;
import org.smc4j.connection.ModelledHost.Costs;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.roce.RoceException;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.roce.software.SimulatedFabric;
import org.smc4j.time.VirtualTime;

/**
 * What autocorking does for small messages on an RNIC of the class of a ConnectX-4 Lx: the real data path, connections, queue pairs
 * and all, on the simulated RNIC, in virtual time, so each run gives the same figures on any machine.
 *
 * <p>Code takes no virtual time, so the processors' work is modelled: a {@link Costs} says what each step is charged. Those are
 * estimates, and the size of the effect is theirs as much as the RNIC's: autocorking pays by what a CDC message costs more than a
 * write of the application. What is not estimated is when the data path sends and how much at once, and that nothing waits for longer
 * than without.
 */
final class AutocorkingBenchmark {
    /**
     * User space. A call: what a write of 64 bytes costs this project's sockets (README, one way: some 90 ns). Copying: 10 GB/s. A
     * message: two locks and some 30 stores. Posting: the NIC's register is behind a barrier and PCIe; somewhat less than the 250 ns
     * that the NIC itself takes for it, see {@link RnicModel#CONNECTX_4_LX}.
     */
    static final Costs USER_SPACE = new Costs(90, 100, 150, 200, 50, 100, 3_000);
    /**
     * The Linux kernel, fitted to two of its figures: with autocorking, a write of 64 bytes takes 0.40 µs, nearly all of it system
     * call and socket; without, 1.75 µs, of which the call leaves 1.35 for a message and its two requests. Less than that is charged
     * here, as it has completions to handle on the same processor, which are on another one here.
     */
    static final Costs KERNEL = new Costs(380, 100, 400, 350, 100, 300, 3_000);
    static final int[] SIZES = {16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536};
    static final long AUTOCORKING_DEFAULT = 65_536;

    private static final int SEND_SIZE = 65_536;
    private static final int RECEIVE_SIZE = 262_144;
    private static final long WARM_UP_NANOS = 1_000_000;
    private static final long RATE_NANOS = 4_000_000;
    private static final int WARM_UP_ROUND_TRIPS = 10;
    private static final int ROUND_TRIPS = 500;
    private static final long LIMIT_NANOS = 10_000_000_000L;

    /**
     * One size and setting.
     *
     * @param bytesPerSecond read by the receiver, while the sender writes all the time
     * @param messageSize    bytes written for each CDC message meanwhile
     * @param oneWayNanos    half of a ping-pong
     */
    record Result(int size, long autocorkingSize, double bytesPerSecond, double messageSize, double oneWayNanos) {
    }

    /** Two hosts and their connection, for one measurement. */
    private static final class Run implements AutoCloseable {
        final VirtualTime time = new VirtualTime(1);
        final ModelledHost sender;
        final ModelledHost receiver;
        final LinkedHosts hosts;
        final ModelledApplication writer;
        final ModelledApplication reader;

        Run(Costs costs, int size, long autocorkingSize) throws RoceException {
            sender = new ModelledHost(time, costs);
            receiver = new ModelledHost(time, costs);
            SimulatedFabric fabric = new SimulatedFabric(time);
            hosts = new LinkedHosts(time, (ofClient, link) -> (ofClient ? sender : receiver).charged(fabric.addRnic(
                    ofClient ? "sender" : "receiver", RnicModel.CONNECTX_4_LX, SimulatedFabric.port(1, "eth0",
                            new Mac(0x02_00_00_00_00_00L + (ofClient ? 1 : 2)), 0x0A_00_00_00 + (ofClient ? 1 : 2), 24))),
                    LinkedHosts.SIZES_V2, 1);
            hosts.recording = false;
            writer = new ModelledApplication(sender, SEND_SIZE, size);
            reader = new ModelledApplication(receiver, SEND_SIZE, size);
            TestEnd[] ends = TestEnd.pair(hosts, 0, Options.PLAIN.sizes(SEND_SIZE, RECEIVE_SIZE).autocorking(autocorkingSize),
                    writer.waiters(), reader.waiters());
            writer.connection(ends[0].connection);
            reader.connection(ends[1].connection);
        }

        void writeAlways() {
            writer.write(this::writeAlways);
        }

        @Override
        public void close() {
            hosts.close();
        }
    }

    private AutocorkingBenchmark() {
    }

    static Result measure(Costs costs, int size, long autocorkingSize) throws RoceException {
        try (Run stream = new Run(costs, size, autocorkingSize)) {
            stream.writeAlways();
            stream.reader.readAll();
            stream.time.advance(WARM_UP_NANOS);
            long bytesBefore = stream.reader.bytesRead;
            long messagesBefore = stream.sender.messages;
            stream.time.advance(RATE_NANOS);
            long bytes = stream.reader.bytesRead - bytesBefore;
            return new Result(size, autocorkingSize, bytes * 1e9 / RATE_NANOS,
                    (double) bytes / (stream.sender.messages - messagesBefore), pingPong(costs, size, autocorkingSize));
        }
    }

    private static double pingPong(Costs costs, int size, long autocorkingSize) throws RoceException {
        try (Run run = new Run(costs, size, autocorkingSize)) {
            int[] rounds = new int[1];
            echo(run);
            ping(run, rounds);
            advance(run, rounds, WARM_UP_ROUND_TRIPS);
            long begin = run.time.nanoTime();
            advance(run, rounds, WARM_UP_ROUND_TRIPS + ROUND_TRIPS);
            return (run.time.nanoTime() - begin) / 2.0 / ROUND_TRIPS;
        }
    }

    private static void advance(Run run, int[] rounds, int target) {
        if (!run.time.runUntil(() -> rounds[0] == target, LIMIT_NANOS)) {
            throw new AssertionError("stalled");
        }
    }

    private static void ping(Run run, int[] rounds) {
        run.writer.write(() -> run.writer.read(() -> {
            rounds[0]++;
            ping(run, rounds);
        }));
    }

    private static void echo(Run run) {
        run.reader.read(() -> run.reader.write(() -> echo(run)));
    }

    /** The results of all sizes, without autocorking and with it in turn. */
    static List<Result> measureAll(Costs costs) throws RoceException {
        List<Result> results = new ArrayList<>();
        for (int size : SIZES) {
            results.add(measure(costs, size, 0));
            results.add(measure(costs, size, AUTOCORKING_DEFAULT));
        }
        return results;
    }

    /** A line for each size: without autocorking, with it, and what that changes. */
    static String table(List<Result> results) {
        StringBuilder text = new StringBuilder("   bytes   MB/s without       with  ratio   bytes/message   ping-pong us"
                + "       with  ratio\n");
        for (int i = 0; i < results.size(); i += 2) {
            Result without = results.get(i);
            Result with = results.get(i + 1);
            text.append(String.format(Locale.ROOT, "%8d %14.1f %10.1f %6.2f %15.0f %14.2f %10.2f %6.3f%n", without.size,
                    without.bytesPerSecond / 1e6, with.bytesPerSecond / 1e6, with.bytesPerSecond / without.bytesPerSecond,
                    with.messageSize, without.oneWayNanos / 1e3, with.oneWayNanos / 1e3, with.oneWayNanos / without.oneWayNanos));
        }
        return text.toString();
    }

    /** All results as a JSON array. */
    static String json(List<Result> results) {
        List<String> all = new ArrayList<>();
        for (Result result : results) {
            all.add(String.format(Locale.ROOT, "  {\"size\": %d, \"autocorking_size\": %d, \"bytes_per_second\": %.0f, "
                    + "\"bytes_per_message\": %.1f, \"one_way_ns\": %.1f}", result.size, result.autocorkingSize, result.bytesPerSecond,
                    result.messageSize, result.oneWayNanos));
        }
        return "[\n" + String.join(",\n", all) + "\n]\n";
    }
}
