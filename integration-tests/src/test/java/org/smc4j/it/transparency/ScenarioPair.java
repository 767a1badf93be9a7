package org.smc4j.it.transparency;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.smc4j.it.support.TwoHosts;
import org.smc4j.it.transparency.Scenario.Role;

/**
 * The two ends of one configuration, started when the first scenario needs them. Scenarios run one after the other;
 * after one that hung or killed an end, the next one gets fresh ends.
 */
final class ScenarioPair implements AutoCloseable {
    /** How long the other half may still talk after one half failed. */
    private static final long GRACE_MILLIS = 3_000;

    private final Configuration configuration;
    private final Path directory;
    private final String label;
    private final Map<Role, ScenarioProcess> ends = new EnumMap<>(Role.class);
    private final Map<Role, Long> written = new ConcurrentHashMap<>();
    private final Queue<String> noise = new ConcurrentLinkedQueue<>();
    private TwoHosts hosts;
    private int generation;
    private volatile Attempt attempt;

    /** @param label names the files of this pair in the directory */
    ScenarioPair(final Configuration configuration, final Path directory, final String label) {
        this.configuration = configuration;
        this.directory = directory;
        this.label = label;
    }

    /** One run of one scenario. A half's result is null when it is fine, else what went wrong. */
    private record Attempt(Scenario scenario, Map<Role, CompletableFuture<String>> results,
            Map<Role, CompletableFuture<String>> dumps, ConcurrentLinkedQueue<String> seen) {
        Attempt(final Scenario scenario) {
            this(scenario, perRole(), perRole(), new ConcurrentLinkedQueue<>());
        }

        private static Map<Role, CompletableFuture<String>> perRole() {
            return Map.of(Role.SERVER, new CompletableFuture<>(), Role.CLIENT, new CompletableFuture<>());
        }
    }

    /**
     * Runs the scenario.
     *
     * @return what the halves observed, sorted
     * @throws AssertionError saying which end saw what
     */
    synchronized TreeSet<String> run(final Scenario scenario) throws IOException, InterruptedException {
        start();
        final Attempt now = new Attempt(scenario);
        attempt = now;
        ends.forEach((role, end) -> end.ended().thenRun(() -> gone(now, role)));
        distinct().forEach(end -> end.order("RUN " + scenario.name()));
        final long deadline = System.nanoTime() + scenario.limit().toNanos();
        final CompletableFuture<String> server = now.results().get(Role.SERVER);
        final CompletableFuture<String> client = now.results().get(Role.CLIENT);
        boolean hung = !await(CompletableFuture.anyOf(server, client), deadline);
        if (!hung) {
            final boolean failed = server.getNow(null) != null || client.getNow(null) != null;
            hung = !await(CompletableFuture.allOf(server, client),
                    failed ? Math.min(deadline, System.nanoTime() + GRACE_MILLIS * 1_000_000) : deadline);
        }
        final StringBuilder report = new StringBuilder();
        for (Role role : Role.values()) {
            final CompletableFuture<String> result = now.results().get(role);
            if (!result.isDone()) {
                report.append("\n== ").append(role.text()).append(" half: still running");
            } else if (result.join() != null) {
                report.append("\n== ").append(role.text()).append(" half: ").append(result.join());
            }
        }
        if (report.isEmpty()) {
            return new TreeSet<>(now.seen());
        }
        report.insert(0, scenario.name() + " [" + configuration.name() + "]" + (hung ? " HUNG" : " failed"));
        distinct().forEach(end -> report.append("\n== ").append(end.condition()));
        if (hung) {
            dump(now, report);
        }
        if (hung || ends.values().stream().anyMatch(end -> !end.alive())) {
            close();
        }
        throw new AssertionError(report.toString());
    }

    private void start() throws IOException, InterruptedException {
        if (!ends.isEmpty()) {
            return;
        }
        generation++;
        if (configuration.oneJvm()) {
            final ScenarioProcess both = new ScenarioProcess("the JVM of both ends", List.of(),
                    configuration.jvmOptions(Role.SERVER, summary(Role.SERVER)), "both", line ->
                            hear(Role.SERVER, line));
            ends.put(Role.SERVER, both);
            ends.put(Role.CLIENT, both);
        } else {
            if (configuration.place() == Configuration.Place.TWO_HOSTS) {
                hosts = new TwoHosts();
            }
            for (Role role : Role.values()) {
                ends.put(role, new ScenarioProcess(role.text() + " JVM", where(role), options(role), role.text(),
                        line -> hear(role, line)));
            }
        }
        for (ScenarioProcess end : distinct()) {
            end.awaitReady();
        }
    }

    private static TwoHosts.Host host(final Role role) {
        return role == Role.SERVER ? TwoHosts.Host.ONE : TwoHosts.Host.TWO;
    }

    private List<String> where(final Role role) {
        return hosts == null ? List.of() : hosts.on(host(role));
    }

    private List<String> options(final Role role) {
        final List<String> options = configuration.jvmOptions(role, summary(role));
        if (hosts != null) {
            options.add("-Dit.here=" + host(role).address());
            options.add("-Dit.there=" + host(role).other().address());
        }
        return options;
    }

    private List<ScenarioProcess> distinct() {
        return ends.values().stream().distinct().toList();
    }

    private Path summary(final Role role) {
        return directory.resolve(label + "-" + generation + "-" + role.text() + ".summary");
    }

    /** A line of one end; when one process is both ends, its lines count as the server's. */
    private void hear(final Role from, final String line) {
        final Attempt now = attempt;
        final String[] word = line.split(" ", 4);
        if (now == null || word.length < 2) {
            noise.add(line);
            return;
        }
        switch (word[0]) {
            case "WROTE" -> written.put(from, Long.parseLong(word[1]));
            case "DUMPED" -> now.dumps().get(from).complete(line.substring(7).translateEscapes());
            case "OK" -> ifCurrent(now, word[1], () -> now.results().get(role(word[2])).complete(null));
            case "FAIL" -> ifCurrent(now, word[1], () -> now.results().get(role(word[2].replace(":", "")))
                    .complete(word[3].translateEscapes()));
            case "SEE" -> ifCurrent(now, word[1], () -> now.seen().add(word[2] + " " + word[3].translateEscapes()));
            case "SAY" -> ifCurrent(now, word[1], () -> tell(Role.valueOf(word[2]), line.substring(4)));
            default -> noise.add(line);
        }
    }

    private static Role role(final String text) {
        return Role.valueOf(text.toUpperCase());
    }

    private void tell(final Role role, final String rest) {
        final ScenarioProcess end = ends.get(role);
        if (end != null && end.alive()) {
            end.order("TELL " + rest);
        }
    }

    private static void ifCurrent(final Attempt now, final String scenario, final Runnable action) {
        if (now.scenario().name().equals(scenario)) {
            action.run();
        }
    }

    private void gone(final Attempt now, final Role role) {
        now.results().get(role).complete("its JVM ended in the middle of the scenario");
        now.dumps().get(role).complete("(JVM gone)");
    }

    private void dump(final Attempt now, final StringBuilder report) throws InterruptedException {
        for (ScenarioProcess end : distinct()) {
            if (end.alive()) {
                end.order("DUMP");
            }
        }
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        for (Role role : configuration.oneJvm() ? List.of(Role.SERVER) : List.of(Role.values())) {
            final CompletableFuture<String> dump = now.dumps().get(role);
            report.append("\n== threads of ").append(ends.get(role).title()).append(": ");
            report.append(await(dump, deadline) ? dump.join() : "no thread dump within 5 s");
        }
    }

    private static boolean await(final CompletableFuture<?> future, final long deadline) throws InterruptedException {
        try {
            future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (java.util.concurrent.ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Lets the ends exit and checks their exit codes.
     *
     * @return the counters of the ends that have the agent; empty if no scenario was run by these ends
     */
    synchronized Map<Role, Summary> finish() throws IOException, InterruptedException {
        final Map<Role, Summary> summaries = new EnumMap<>(Role.class);
        try {
            for (Map.Entry<Role, ScenarioProcess> end : ends.entrySet()) {
                final int code = end.getValue().leave();
                End.same(0, code, "exit code of " + end.getValue().condition());
                if (configuration.agentAt(end.getKey()) && !(configuration.oneJvm() && end.getKey() == Role.CLIENT)) {
                    summaries.put(end.getKey(), Summary.read(end.getValue().title(), summary(end.getKey())));
                }
            }
        } finally {
            close();
        }
        End.check(noise.isEmpty(), "nothing but the scenarios writes to stdout, seen " + noise);
        return summaries;
    }

    /** Bytes that this end's last process wrote to {@link Wire}s; known after {@link #finish()}. */
    long written(final Role role) {
        return written.getOrDefault(role, 0L);
    }

    @Override
    public void close() {
        ends.values().forEach(ScenarioProcess::close);
        ends.clear();
        if (hosts != null) {
            hosts.close();
            hosts = null;
        }
    }
}
