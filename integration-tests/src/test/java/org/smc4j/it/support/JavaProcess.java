package org.smc4j.it.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A child process, usually a JVM of the JDK that runs the test, with its output in a file. Closing it ends it with
 * SIGTERM so that its shutdown hooks run (the agent's counters are written there), and with SIGKILL if that takes too
 * long.
 */
public final class JavaProcess implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final long POLL_MILLIS = 20;
    private static final int TAIL_CHARS = 4000;

    // A test JVM that is ended from outside runs no finally block, and its children would outlive it.
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Process process;
    private final Path output;
    private final Path summary;

    private JavaProcess(String name, Process process, Path output, Path summary) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.summary = summary;
    }

    /**
     * A JVM in the making.
     *
     * @param name      what messages and the files of this process are called; unique within {@code directory}
     * @param directory working directory of the process and place of its files, made if missing
     */
    public static Builder java(String name, Path directory) {
        return new Builder(name, directory, null);
    }

    /** Any other program in the making; the options that only a JVM has are refused. */
    public static Builder program(String name, Path directory, String executable) {
        return new Builder(name, directory, executable);
    }

    public String name() {
        return name;
    }

    public Process process() {
        return process;
    }

    public long pid() {
        return process.pid();
    }

    /** The file with what the process wrote to standard output and standard error. */
    public Path outputFile() {
        return output;
    }

    /** What the process wrote so far. */
    public String output() {
        try {
            // Not readString: the last character may be half written, and a program may write any bytes.
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the process wrote a line in which {@code regex} is found.
     *
     * @return the match
     * @throws IllegalStateException if the process ended without one or the time is over; the message holds the end of
     *                               the output
     */
    public Matcher awaitLine(String regex, Duration timeout) throws InterruptedException {
        Pattern pattern = Pattern.compile(regex, Pattern.MULTILINE);
        Matcher[] found = new Matcher[1];
        await("a line with " + regex, timeout, () -> {
            String text = output();
            // Whole lines only: a group at the end of half a line would be cut short.
            Matcher matcher = pattern.matcher(text.substring(0, text.lastIndexOf('\n') + 1));
            found[0] = matcher;
            return matcher.find();
        });
        return found[0];
    }

    /** All matches of {@code regex} in what the process wrote so far, group 1 if it has one. */
    public List<String> lines(String regex) {
        List<String> found = new ArrayList<>();
        Matcher matcher = Pattern.compile(regex, Pattern.MULTILINE).matcher(output());
        while (matcher.find()) {
            found.add(matcher.group(matcher.groupCount() == 0 ? 0 : 1));
        }
        return found;
    }

    /**
     * Waits until something listens on the port, without connecting to it.
     *
     * @throws IllegalStateException if the process ended before or the time is over
     */
    public void awaitPort(int port, Duration timeout) throws InterruptedException {
        await("a listener on port " + port, timeout, () -> Ports.isListening(pid(), port));
    }

    /**
     * Waits for the process to end by itself.
     *
     * @return its exit status
     * @throws IllegalStateException if the time is over
     */
    public int awaitExit(Duration timeout) throws InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(describe("still runs after " + timeout));
        }
        return process.exitValue();
    }

    /**
     * Like {@link #awaitExit}, for a process that must succeed.
     *
     * @return what it wrote
     * @throws IllegalStateException if the time is over or the exit status is not 0
     */
    public String awaitSuccess(Duration timeout) throws InterruptedException {
        int status = awaitExit(timeout);
        if (status != 0) {
            throw new IllegalStateException(describe("ended with status " + status));
        }
        return output();
    }

    /**
     * Ends the process with SIGTERM and waits for it.
     *
     * @throws IllegalStateException if it had to be killed, so that its shutdown hooks did not finish
     */
    public void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
            close();
            throw new IllegalStateException(describe("did not end within " + GRACE + " of SIGTERM"));
        }
    }

    /**
     * What the agent counted in this JVM, which must have ended.
     *
     * @throws IllegalStateException if it had no agent or the agent left no line or several
     */
    public AgentSummary summary() {
        if (summary == null) {
            throw new IllegalStateException(name + " had no agent");
        }
        List<AgentSummary> all = AgentSummary.read(summary).stream().filter(s -> s.pid() == pid()).toList();
        if (all.size() != 1) {
            throw new IllegalStateException(describe("left " + all.size() + " lines in " + summary));
        }
        return all.getFirst();
    }

    /** Ends the process, with force if it does not react to SIGTERM in time. Does nothing if it has ended. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            // The test timed out: no grace then, and the flag stays for whoever closes the next one.
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void await(String what, Duration timeout, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            // In this order: what a process wrote just before it ended counts.
            boolean alive = process.isAlive();
            if (condition.getAsBoolean()) {
                return;
            }
            if (!alive) {
                throw new IllegalStateException(
                        describe("ended with status " + process.exitValue() + " before " + what));
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(describe("no " + what + " within " + timeout));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private String describe(String problem) {
        String text = output();
        return name + " (pid " + pid() + "): " + problem + "; the end of " + output + ":\n"
                + text.substring(Math.max(0, text.length() - TAIL_CHARS));
    }

    /** Collects what a process is started with. Not for reuse after {@link #start()}. */
    public static final class Builder {
        private final String name;
        private final Path directory;
        private final String executable;
        private final List<String> where = new ArrayList<>();
        private final List<Path> classPath = new ArrayList<>();
        private final List<String> options = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private boolean agent;
        private String main;

        private Builder(String name, Path directory, String executable) {
            this.name = name;
            this.directory = directory.toAbsolutePath();
            this.executable = executable;
        }

        /** What its command line begins with, as {@link TwoHosts#on} has it. */
        public Builder on(List<String> prefix) {
            where.addAll(prefix);
            return this;
        }

        /** Adds to the class path. */
        public Builder classPath(List<Path> entries) {
            classPath.addAll(entries);
            return this;
        }

        /** Adds JVM options. */
        public Builder options(String... more) {
            options.addAll(List.of(more));
            return this;
        }

        /** Loads the agent, with the options of {@link Agent#options}; they come before those of {@link #options}. */
        public Builder agent(boolean on) {
            agent = on;
            return this;
        }

        /** The main class, or a source file for the launcher to compile. */
        public Builder main(String nameOfClass) {
            main = nameOfClass;
            return this;
        }

        /** Adds arguments; each becomes a string. */
        public Builder args(Object... more) {
            for (Object argument : more) {
                arguments.add(argument.toString());
            }
            return this;
        }

        /** Sets an environment variable. */
        public Builder env(String key, String value) {
            environment.put(key, value);
            return this;
        }

        /**
         * Starts it.
         *
         * @throws IllegalStateException if the agent is wanted and missing
         */
        public JavaProcess start() throws IOException {
            Files.createDirectories(directory);
            Path summary = agent ? directory.resolve(name + ".summary") : null;
            Path output = directory.resolve(name + ".log");
            List<String> command = new ArrayList<>(where);
            command.addAll(executable == null ? javaCommand(summary) : programCommand());
            ProcessBuilder builder = new ProcessBuilder(command);
            // Nobody's options but the test's.
            builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
            builder.environment().putAll(environment);
            Process process = builder.directory(directory.toFile()).redirectErrorStream(true)
                    .redirectInput(new File("/dev/null")).redirectOutput(output.toFile()).start();
            ALIVE.add(process);
            process.onExit().thenAccept(ALIVE::remove);
            return new JavaProcess(name, process, output, summary);
        }

        private List<String> javaCommand(Path summary) {
            if (main == null) {
                throw new IllegalStateException(name + " has no main class");
            }
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            if (summary != null) {
                command.addAll(Agent.options(summary));
            }
            command.addAll(options);
            if (!classPath.isEmpty()) {
                command.addAll(List.of("-cp", MavenArtifacts.join(classPath)));
            }
            command.add(main);
            command.addAll(arguments);
            return command;
        }

        private List<String> programCommand() {
            if (agent || main != null || !classPath.isEmpty() || !options.isEmpty()) {
                throw new IllegalStateException(name + " is no JVM");
            }
            List<String> command = new ArrayList<>(List.of(executable));
            command.addAll(arguments);
            return command;
        }
    }
}
