package org.smc4j.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A measured JVM: commands into its standard input, answers from its standard output. It ends when its input ends. */
final class Child implements AutoCloseable {
    private static final String END = "<end of output>";
    private static final int EXIT_SECONDS = 10;

    private final String name;
    private final Process process;
    private final Path errors;
    private final Writer commands;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private Child(String name, Process process, Path errors) {
        this.name = name;
        this.process = process;
        this.errors = errors;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name(name + "-output").start(this::readAnswers);
    }

    /**
     * Starts a JVM with this command line; its standard error goes to a file.
     *
     * @throws BenchFailure if it cannot be started
     */
    static Child start(String name, List<String> command, Path errors) throws BenchFailure {
        final ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        // Options of the calling shell would reach both columns, or put the agent into the plain one.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        try {
            return new Child(name, builder.start(), errors);
        } catch (IOException e) {
            throw new BenchFailure(name + " did not start: " + e.getMessage());
        }
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Sends a command and waits for its answer. */
    Map<String, String> ask(String command, int timeoutSeconds) throws BenchFailure {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw failure(command, "is gone");
        }
        return answer(command, "result", timeoutSeconds);
    }

    /** Waits for the line that starts with this word; returns its {@code name=value} words. */
    Map<String, String> answer(String what, String word, int timeoutSeconds) throws BenchFailure {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        while (true) {
            final String line = next(end - System.nanoTime());
            if (line == null) {
                throw failure(what, "no answer within " + timeoutSeconds + " s");
            }
            if (line.equals(END)) {
                throw failure(what, "ended");
            }
            final String[] words = line.split(" ");
            if (words[0].equals("error")) {
                throw failure(what, line);
            }
            if (words[0].equals(word)) {
                return values(words);
            }
        }
    }

    private String next(long nanos) {
        try {
            return answers.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static Map<String, String> values(String[] words) {
        final Map<String, String> values = new HashMap<>();
        for (String word : words) {
            final int equals = word.indexOf('=');
            if (equals > 0) {
                values.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return values;
    }

    private BenchFailure failure(String what, String how) {
        return new BenchFailure(name + ": " + what + ": " + how + lastErrors());
    }

    private String lastErrors() {
        try {
            final List<String> lines = Files.readAllLines(errors);
            final int from = Math.max(0, lines.size() - 6);
            return lines.isEmpty() ? "" : "\n    " + String.join("\n    ", lines.subList(from, lines.size()));
        } catch (IOException e) {
            return " (" + e + ")";
        }
    }

    private void readAnswers() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // Ends as the end of the output does.
        }
        answers.add(END);
    }

    /** Waits for an orderly end; false when the process had to be destroyed. */
    boolean await(int timeoutSeconds) {
        try {
            return process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Ends the JVM in order, so that the agent can write its summary; by force when that takes too long. */
    @Override
    public void close() {
        try {
            commands.close();
        } catch (IOException e) {
            // The process is gone already.
        }
        await(EXIT_SECONDS);
    }
}
