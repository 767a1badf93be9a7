package org.smc4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.smc4j.bench.plain.Api;
import org.smc4j.bench.plain.ColdClient;
import org.smc4j.bench.plain.Hello;

/** What concerns a process as a whole: its start, a short life, and what idle connections hold. */
final class ProcessSections {
    /** What is counted for each idle connection, in the order of the table. */
    static final List<String> IDLE_FIGURES = List.of("rss", "pss", "fd");
    static final List<String> ENDS = List.of("client", "server");

    private static final int PROBE = 50;
    private static final int BATCH = 500;
    /** Part of the descriptor limit that idle connections may use. */
    private static final double LIMIT_SHARE = 0.9;

    private final Lab lab;
    private final Settings settings;
    private final Results results;
    private final Progress progress;
    private int idleConnections;

    ProcessSections(Lab lab, Results results, Progress progress) {
        this.lab = lab;
        this.settings = lab.settings();
        this.results = results;
        this.progress = progress;
    }

    void start() {
        progress.stage("JVM start, hello world");
        final int runs = settings.manyRounds();
        for (int i = 0; i < runs; i++) {
            results.attempt(() -> hello(Mode.PLAIN, Results.TCP));
            results.attempt(() -> hello(Mode.AGENT, Results.SMC));
        }
    }

    private void hello(Mode mode, String variant) throws BenchFailure {
        final long start = System.nanoTime();
        try (Child child = lab.jvm(mode, "start", Hello.class)) {
            child.answer("hello world", "hello", 20);
            if (!child.await(20)) {
                throw new BenchFailure(mode + " hello world does not end");
            }
            results.add("start", variant, (System.nanoTime() - start) / 1e6);
        }
    }

    void cold() {
        progress.stage("cold client: 1,000 requests from main() to its end");
        try (Pair tcp = new Pair(lab, Mode.PLAIN, "cold"); Pair smc = new Pair(lab, Mode.AGENT, "cold")) {
            for (int i = -1; i < settings.manyRounds(); i++) {
                final boolean counts = i >= 0;
                results.attempt(() -> coldClient(tcp, Mode.PLAIN, Results.TCP, counts));
                results.attempt(() -> coldClient(smc, Mode.AGENT, Results.SMC, counts));
            }
        }
    }

    /** The first client warms the server and does not count. */
    private void coldClient(Pair pair, Mode mode, String variant, boolean counts) throws BenchFailure {
        try (Child child = lab.jvm(mode, "cold client", ColdClient.class, pair.target(Api.SOCKET))) {
            final double nanos = Double.parseDouble(child.answer("cold client", "result", 20).get("nanos"));
            child.await(20);
            if (counts) {
                results.add("cold", variant, nanos / 1e6);
            }
        }
    }

    void idle() {
        idleConnections = settings.idle();
        // The agent's side first: it needs more descriptors, so it finds how many connections both can have.
        results.attempt(() -> idle(Mode.AGENT_AT_ONCE, Results.SMC));
        results.attempt(() -> idle(Mode.PLAIN, Results.TCP));
        results.add("idle/connections", Results.SMC, idleConnections);
    }

    private void idle(Mode mode, String variant) throws BenchFailure {
        progress.stage("idle connections " + (mode == Mode.PLAIN ? "without" : "with") + " agent");
        try (Pair pair = new Pair(lab, mode, "idle")) {
            // Loads and compiles what connections need, before the first look at the memory.
            final double[][] empty = look(pair);
            pair.ask(Api.SELECTOR, "open @ " + PROBE);
            final double[][] probed = look(pair);
            for (int end = 0; end < ENDS.size(); end++) {
                final double perConnection = Math.max(1, (probed[end][2] - empty[end][2]) / PROBE);
                final double room = descriptorLimit(child(pair, end)) * LIMIT_SHARE - probed[end][2];
                idleConnections = (int) Math.min(idleConnections, Math.max(1, room / perConnection));
            }
            for (int open = 0; open < idleConnections; open += BATCH) {
                progress.detail(open + " of " + idleConnections + " idle connections");
                pair.ask(Api.SELECTOR, "open @ " + Math.min(BATCH, idleConnections - open));
            }
            pair.ask(Api.SELECTOR, "touch");
            final double[][] full = look(pair);
            for (int end = 0; end < ENDS.size(); end++) {
                for (int i = 0; i < IDLE_FIGURES.size(); i++) {
                    results.add("idle/" + ENDS.get(end) + '/' + IDLE_FIGURES.get(i), variant,
                        (full[end][i] - probed[end][i]) / idleConnections);
                }
            }
        }
    }

    private static Child child(Pair pair, int end) {
        return end == 0 ? pair.client() : pair.server();
    }

    /** RSS and PSS in KiB and descriptors, of both ends, after a garbage collection. */
    private static double[][] look(Pair pair) throws BenchFailure {
        pair.collectGarbage();
        final double[][] figures = new double[ENDS.size()][];
        for (int end = 0; end < ENDS.size(); end++) {
            final long pid = child(pair, end).pid();
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
                final List<String> lines = Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"));
                figures[end] = new double[] {field(lines, "Rss:", 1), field(lines, "Pss:", 1), descriptors.count()};
            } catch (IOException e) {
                throw new BenchFailure("memory of process " + pid + ": " + e);
            }
        }
        return figures;
    }

    private static double descriptorLimit(Child child) throws BenchFailure {
        try {
            return field(Files.readAllLines(Path.of("/proc/" + child.pid() + "/limits")), "Max open files", 3);
        } catch (IOException e) {
            throw new BenchFailure("descriptor limit: " + e);
        }
    }

    private static double field(List<String> lines, String start, int word) {
        for (String line : lines) {
            if (line.startsWith(start)) {
                final String value = line.trim().split("\\s+")[word];
                return value.equals("unlimited") ? Integer.MAX_VALUE : Double.parseDouble(value);
            }
        }
        return 0;
    }
}
