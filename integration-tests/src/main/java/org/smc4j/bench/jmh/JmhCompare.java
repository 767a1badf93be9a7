package org.smc4j.bench.jmh;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the benchmarks without and with the agent, and leaves one JSON file and one picture: {@code smc_run --jmh}. */
public final class JmhCompare {
    private static final List<String> PLATFORM_APIS = List.of("channel", "socket", "selector");
    private static final String VIRTUAL = "virtual";
    private static final String USAGE = """
        usage: smc_run --jmh [--quick] [--plain-only] [--out FOLDER] [-DNAME=VALUE ...] [JMH OPTION ...]
          --quick       two sizes and short iterations, a few minutes; the whole takes about half an hour
          --plain-only  no agent
          --out         where smc4j-jmh.json and smc4j-jmh.png go (current folder)
          -DNAME=VALUE  a setting for the JVMs with the agent
        JMH's options follow its own command line, for example: RoundTrip -p api=channel,socket -p size=64 -f 3""";

    private Path agent;
    private Path folder = Path.of("");
    private boolean plainOnly;
    private boolean quick;
    private final List<String> settings = new ArrayList<>();
    private final List<String> rest = new ArrayList<>();
    private final Collection<RunResult> results = new ArrayList<>();

    private JmhCompare(String[] args) {
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--plain-only" -> plainOnly = true;
                case "--quick" -> quick = true;
                case "--agent" -> agent = Path.of(value(args, ++i)).toAbsolutePath();
                case "--out" -> folder = Path.of(value(args, ++i));
                default -> (args[i].startsWith("-D") ? settings : rest).add(args[i]);
            }
        }
        if (!plainOnly && (agent == null || !Files.isRegularFile(agent))) {
            throw new IllegalArgumentException("agent jar missing: " + agent + " (--plain-only measures without it)");
        }
    }

    private static String value(String[] args, int at) {
        if (at >= args.length) {
            throw new IllegalArgumentException(args[at - 1] + " needs a value");
        }
        return args[at];
    }

    public static void main(String[] args) throws IOException, RunnerException {
        if (List.of(args).contains("--help")) {
            System.out.println(USAGE);
            return;
        }
        try {
            new JmhCompare(args).run();
        } catch (IllegalArgumentException | CommandLineOptionException e) {
            System.err.println("smc_run --jmh: " + e.getMessage());
            System.exit(1);
        }
    }

    private void run() throws IOException, RunnerException, CommandLineOptionException {
        final CommandLineOptions options = new CommandLineOptions(rest.toArray(String[]::new));
        final List<String> transports = plainOnly ? List.of("tcp") : List.of("tcp", "smc");
        Files.createDirectories(folder.toAbsolutePath());
        for (String transport : transports) {
            final List<String> jvm = new ArrayList<>();
            if (transport.equals("smc")) {
                jvm.add("-javaagent:" + agent);
                jvm.addAll(settings);
            }
            run(options, transport, chosen(options, PLATFORM_APIS), jvm);
            jvm.add("-Djmh.executor=VIRTUAL");
            run(options, transport, chosen(options, List.of(VIRTUAL)), jvm);
        }
        final File json = folder.resolve("smc4j-jmh.json").toFile();
        try (PrintStream out = new PrintStream(json, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
        }
        final File picture = folder.resolve("smc4j-jmh.png").toFile();
        Chart.write(results, transports, picture);
        System.out.printf("%nresults: %s%npicture: %s%n", json, picture);
    }

    /** Those of the APIS that the command line's {@code -p api=} leaves. */
    private static List<String> chosen(CommandLineOptions options, List<String> apis) {
        final List<String> chosen = new ArrayList<>(apis);
        if (options.getParameter("api").hasValue()) {
            chosen.retainAll(options.getParameter("api").get());
        }
        return chosen;
    }

    private void run(CommandLineOptions options, String transport, List<String> apis, List<String> jvm)
        throws RunnerException {
        if (apis.isEmpty()) {
            return;
        }
        final ChainedOptionsBuilder builder = new OptionsBuilder().parent(options)
            .param("transport", transport)
            .param("api", apis.toArray(String[]::new))
            .jvmArgsAppend(jvm.toArray(String[]::new))
            .shouldFailOnError(true);
        if (options.getIncludes().isEmpty()) {
            builder.include(JmhCompare.class.getPackageName() + ".*");
        }
        if (quick) {
            builder.param("size", "64", "65536")
                .warmupIterations(2).warmupTime(TimeValue.milliseconds(200))
                .measurementIterations(3).measurementTime(TimeValue.milliseconds(300));
        }
        results.addAll(new Runner(builder.build()).run());
    }
}
