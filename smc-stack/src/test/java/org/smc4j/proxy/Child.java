package org.smc4j.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A {@link PeerProcess} of a test, which ends with it. */
final class Child implements AutoCloseable {
    private static final long WAIT_NANOS = 30_000_000_000L;
    private static final String END = "(end)";

    private final String name;
    private final Process process;
    private final Writer commands;
    private final List<String> lines = new ArrayList<>();  // guarded by itself
    private int read;

    private Child(String name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        Thread reader = new Thread(this::readLines, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a process.
     *
     * @param prefix    a command that starts it, or nothing
     * @param classPath null for that of the test
     */
    static Child start(List<String> prefix, String classPath, String name, String address, List<String> options)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath == null ? classPath() : classPath, PeerProcess.class.getName(), name, address));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return new Child(name, builder.start());
    }

    /** That of the test, as it was before surefire put it into a jar. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private void readLines() {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = in.readLine()) != null) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException e) {
            // It was killed, which closes its output.
        }
        synchronized (lines) {
            lines.add(END);
            lines.notifyAll();
        }
    }

    Child tell(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        return this;
    }

    /** Waits for a line that matches, and skips those before it. */
    String await(String regex) throws InterruptedException {
        Pattern pattern = Pattern.compile(regex);
        long deadline = System.nanoTime() + WAIT_NANOS;
        synchronized (lines) {
            while (true) {
                while (read < lines.size()) {
                    String line = lines.get(read++);
                    if (pattern.matcher(line).matches()) {
                        return line;
                    }
                }
                long millis = (deadline - System.nanoTime()) / 1_000_000;
                if (millis <= 0 || lines.contains(END)) {
                    throw new IllegalStateException(name + " did not say " + regex + " but:\n" + String.join("\n", lines));
                }
                lines.wait(millis);
            }
        }
    }

    /** Asks until the answer matches. */
    void awaitDescription(String regex) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + WAIT_NANOS;
        while (true) {
            String answer = tell("describe").await("is .*");
            if (answer.substring("is ".length()).matches(regex)) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(name + " " + answer + ", not " + regex);
            }
            Thread.sleep(5);
        }
    }

    /** Whether it ever said such a line. */
    boolean said(String regex) {
        synchronized (lines) {
            return lines.stream().anyMatch(line -> line.matches(regex));
        }
    }

    /** As kill -9 does, and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(WAIT_NANOS, TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException(name + " survives SIGKILL");
        }
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
