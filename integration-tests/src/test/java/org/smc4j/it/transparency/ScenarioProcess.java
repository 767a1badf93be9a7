package org.smc4j.it.transparency;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A child JVM that runs {@link ScenarioMain}: orders in, lines out, the last lines of its stderr kept for reports. */
final class ScenarioProcess implements AutoCloseable {
    private static final int STDERR_LINES = 60;
    private static final int READY_SECONDS = 30;

    private final String title;
    private final Process process;
    private final Writer orders;
    private final Deque<String> stderr = new ArrayDeque<>();
    private final CompletableFuture<Void> outputEnded = new CompletableFuture<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    /**
     * @param where what the command line begins with
     * @param lines called with every line of the child's stdout, on one thread
     */
    ScenarioProcess(final String title, final List<String> where, final List<String> options, final String role, final Consumer<String> lines)
            throws IOException {
        this.title = title;
        final List<String> command = new ArrayList<>(where);
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        // Two small JVMs on a small machine: quick start counts for more than peak speed.
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-Xshare:auto"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ScenarioMain.class.getName(), role));
        process = new ProcessBuilder(command).start();
        orders = process.outputWriter(StandardCharsets.UTF_8);
        outputEnded.thenRun(() -> ready.complete(null));
        pump("out", process.getInputStream(), line -> {
            if (line.startsWith("READY ")) {
                ready.complete(null);
            } else {
                lines.accept(line);
            }
        }, outputEnded);
        pump("err", process.getErrorStream(), this::remember, new CompletableFuture<>());
    }

    private void pump(final String name, final InputStream stream, final Consumer<String> lines,
            final CompletableFuture<Void> ended) {
        Thread.ofPlatform().daemon().name(title + " " + name).start(() -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line; (line = reader.readLine()) != null;) {
                    lines.accept(line);
                }
            } catch (IOException e) {
                remember("(" + name + " of the child not readable: " + e + ")");
            } finally {
                ended.complete(null);
            }
        });
    }

    private synchronized void remember(final String line) {
        stderr.addLast(line);
        if (stderr.size() > STDERR_LINES) {
            stderr.removeFirst();
        }
    }

    void order(final String line) {
        synchronized (orders) {
            try {
                orders.write(line + "\n");
                orders.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(title + " takes no orders any more", e);
            }
        }
    }

    /** Waits until the child takes orders, or is gone. */
    void awaitReady() throws InterruptedException {
        try {
            ready.get(READY_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new AssertionError("not ready within " + READY_SECONDS + " s: " + condition(), e);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Completes when the child has ended its output, which it does only by ending. */
    CompletableFuture<Void> ended() {
        return outputEnded;
    }

    String title() {
        return title;
    }

    /** What a report wants to know about a child: alive or exit code, and what it said last. */
    synchronized String condition() {
        final StringBuilder text = new StringBuilder(title)
                .append(alive() ? ": alive" : ": exited with " + process.exitValue());
        text.append(stderr.isEmpty() ? ", stderr empty" : ", end of its stderr:");
        stderr.forEach(line -> text.append("\n    | ").append(line));
        return text.toString();
    }

    /** Asks it to leave; returns its exit code. */
    int leave() throws InterruptedException {
        try {
            if (alive()) {
                order("EXIT");
            }
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new AssertionError(title + " does not exit; " + condition());
            }
            return process.exitValue();
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
