package org.smc4j.it.transparency;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.smc4j.it.transparency.Scenario.Role;

/**
 * The process of one end (or of both). Orders come in on stdin, results go out on stdout, one line each; what a
 * scenario prints goes to stderr.
 *
 * <pre>
 * in:  RUN name | TELL name role word value | DUMP | EXIT
 * out: READY n bundles | WROTE bytes | OK name role | FAIL name role: text
 *      SAY name role word value | SEE name role key=value | DUMPED text
 * </pre>
 *
 * With a second argument, {@code ScenarioMain both REGEX} runs the scenarios whose name matches and prints the result
 * lines.
 */
final class ScenarioMain {
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true,
            StandardCharsets.UTF_8);

    private final Map<String, BlockingQueue<String>> inboxes = new ConcurrentHashMap<>();
    private final boolean both;

    private ScenarioMain(final boolean both) {
        this.both = both;
    }

    public static void main(final String[] args) throws Exception {
        System.setOut(System.err);
        final ScenarioMain main = new ScenarioMain(args[0].equals("both"));
        if (args.length > 1) {
            main.runAll(Pattern.compile(args[1]));
        } else {
            main.obey(main.both ? List.of(Role.SERVER, Role.CLIENT) : List.of(Role.valueOf(args[0].toUpperCase())));
        }
        System.exit(0);
    }

    private void obey(final List<Role> roles) throws IOException {
        final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        line("READY " + Scenarios.bundles().size() + " bundles");
        // End of input means that the parent is gone: leave too.
        for (String line; (line = orders.readLine()) != null && !line.equals("EXIT");) {
            final String[] order = line.split(" ", 4);
            switch (order[0]) {
                case "RUN" -> roles.forEach(role -> start(Scenarios.named(order[1]), role));
                case "TELL" -> inbox(order[1], Role.valueOf(order[2])).add(order[3]);
                case "DUMP" -> line("DUMPED " + escape(threads()));
                default -> throw new IllegalArgumentException(line);
            }
        }
        line("WROTE " + Wire.WRITTEN.sum());
    }

    private void runAll(final Pattern pattern) throws InterruptedException {
        for (Scenario scenario : Scenarios.bundles().values().stream().flatMap(List::stream).toList()) {
            if (!pattern.matcher(scenario.name()).find()) {
                continue;
            }
            final long start = System.nanoTime();
            final List<Thread> halves = Stream.of(Role.values()).map(role -> start(scenario, role)).toList();
            for (Thread half : halves) {
                if (!half.join(scenario.limit())) {
                    line("HUNG " + scenario.name() + " " + half.getName() + "\n" + threads());
                    return;
                }
            }
            line("ran " + scenario.name() + " in " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
        }
    }

    private BlockingQueue<String> inbox(final String scenario, final Role role) {
        return inboxes.computeIfAbsent(scenario + " " + role, _ -> new LinkedBlockingQueue<>());
    }

    private Thread start(final Scenario scenario, final Role role) {
        return Thread.ofPlatform().daemon().name(role.text() + "/" + scenario.name()).start(() -> run(scenario, role));
    }

    private void run(final Scenario scenario, final Role role) {
        final String who = scenario.name() + " " + role.text();
        final End end = new End(role, inbox(scenario.name(), role), word -> {
            if (both) {
                inbox(scenario.name(), role.peer()).add(word);
            } else {
                line("SAY " + scenario.name() + " " + role.peer() + " " + word);
            }
        }, (key, value) -> line("SEE " + who + " " + escape(key + "=" + value)));
        String result = "OK " + who;
        try {
            end.run(role == Role.SERVER ? scenario.server() : scenario.client());
        } catch (Throwable t) {
            final StringWriter trace = new StringWriter();
            t.printStackTrace(new PrintWriter(trace));
            result = "FAIL " + who + ": " + escape(trace.toString());
        }
        // Before the result is known: the same scenario may be ordered again at once.
        inboxes.remove(scenario.name() + " " + role);
        line(result);
    }

    private static void line(final String line) {
        synchronized (OUT) {
            OUT.println(line);
        }
    }

    static String escape(final String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    /** All threads, virtual ones included. */
    private static String threads() {
        try {
            final Path directory = Files.createTempDirectory("threads");
            final Path file = directory.resolve("dump.txt");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpThreads(file.toString(),
                        HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
                return Files.readString(file);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
            }
        } catch (IOException | RuntimeException e) {
            return "no thread dump: " + e;
        }
    }
}
