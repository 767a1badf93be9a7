package org.smc4j.it.observe;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.smc4j.it.support.Agent;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;

/** One test's folder and processes, which end with it. */
final class Observation implements AutoCloseable {
    /** What anything here may take at most. */
    static final Duration LIMIT = Duration.ofSeconds(60);
    /** The first transfers go over SMC where that is possible. */
    static final String[] AT_ONCE = {"-Dsmc.switch_after_bytes=0", "-Dsmc.switch_wait_ms=5000"};

    private static List<Path> programs;

    private final Path directory;
    private final Deque<JavaProcess> order = new ArrayDeque<>();
    private int commands;

    /** What a command of the agent's jar gave. */
    record Result(int status, String text) {
        List<String> lines(String part) {
            return text.lines().filter(line -> line.contains(part)).toList();
        }

        /** The rows of a table, by its headings; columns are two spaces apart at least. */
        List<Map<String, String>> table() {
            List<String[]> lines = text.lines().map(line -> line.strip().split(" {2,}")).toList();
            List<Map<String, String>> rows = new ArrayList<>();
            for (String[] cells : lines.subList(1, lines.size())) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < cells.length; i++) {
                    row.put(lines.getFirst()[i], cells[i]);
                }
                rows.add(row);
            }
            return rows;
        }
    }

    Observation(String name) throws IOException {
        directory = MavenArtifacts.emptyDirectory("observe", name);
    }

    Path directory() {
        return directory;
    }

    /** A JVM without the agent. */
    JavaProcess.Builder plain(String name, String main) {
        return JavaProcess.java(name, directory).options("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .classPath(classPath()).main(main);
    }

    /** A JVM with the agent and nothing else set. */
    JavaProcess.Builder java(String name, String main) {
        return javaWithArguments(name, main, "");
    }

    /** A JVM with the agent and agent arguments. */
    JavaProcess.Builder javaWithArguments(String name, String main, String agentArguments) {
        return plain(name, main).options("-javaagent:" + Agent.jar() + (agentArguments.isEmpty() ? "" : "="
                + agentArguments));
    }

    /** The compiled programs of these tests; once, as compiling takes seconds. */
    static synchronized List<Path> classPath() {
        if (programs == null) {
            programs = MavenArtifacts.classPathOfSources("observe/Between.java", "observe/Echo.java", "observe/Hello.java",
                    "observe/Limited.java", "observe/Managed.java",
                    "observe/OtherAgent.java", "observe/Seen.java");
        }
        return programs;
    }

    JavaProcess start(JavaProcess.Builder builder) throws IOException {
        JavaProcess process = builder.start();
        order.push(process);
        return process;
    }

    /** Starts an echo server and waits until it listens. */
    JavaProcess server(JavaProcess.Builder builder, int port) throws IOException, InterruptedException {
        JavaProcess server = start(builder.args("server", port));
        server.awaitLine("^listening$", LIMIT);
        return server;
    }

    /**
     * Starts a client that opens a connection for each number of bytes, waits until all are echoed, and lets it stay.
     */
    JavaProcess client(JavaProcess.Builder builder, int port, int... bytes) throws IOException, InterruptedException {
        builder.args("client", port);
        for (int n : bytes) {
            builder.args(n);
        }
        JavaProcess client = start(builder);
        client.awaitLine("^done$", LIMIT);
        return client;
    }

    /** Runs {@code java OPTIONS -jar smc-agent.jar WORDS} to its end. */
    Result command(List<String> options, String... words) throws IOException, InterruptedException {
        return commandOn(List.of(), options, words);
    }

    /** The same behind a prefix that says where. */
    Result commandOn(List<String> where, List<String> options, String... words) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        arguments.addAll(options);
        arguments.addAll(List.of("-jar", Agent.jar().toString()));
        arguments.addAll(List.of(words));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        JavaProcess process = start(JavaProcess.program("command" + commands++, directory, java).on(where)
                .args(arguments.toArray()));
        int status = process.awaitExit(LIMIT);
        return new Result(status, process.output());
    }

    Result command(String... words) throws IOException, InterruptedException {
        return command(List.of(), words);
    }

    @Override
    public void close() {
        order.forEach(JavaProcess::close);
    }
}
