package org.smc4j.bench.jmh;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.smc4j.bench.plain.Api;
import org.smc4j.bench.plain.BenchServer;

/** The server of a benchmark, in a JVM of its own that has the agent exactly when this one has. */
final class Peer implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 20;
    private static final List<String> SHARED_OPTIONS = List.of("-javaagent:", "-Dsmc.", "-Dnet.smc.");

    private final Process process;
    private final Path directory;
    private final Map<String, String> targets = new HashMap<>();

    Peer() throws IOException {
        directory = Files.createTempDirectory("smc4j-jmh");
        final Path socket = directory.resolve("peer");
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (SHARED_OPTIONS.stream().anyMatch(option::startsWith)) {
                command.add(option);
            }
        }
        command.addAll(List.of("-cp", classPath(), BenchServer.class.getName(), socket.toString()));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        try {
            for (String word : firstLine(output).split(" ")) {
                final int equals = word.indexOf('=');
                if (equals > 0) {
                    targets.put(word.substring(0, equals), word.substring(equals + 1));
                }
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static String classPath() throws IOException {
        try {
            return Path.of(BenchServer.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static String firstLine(BufferedReader output) throws IOException {
        final CompletableFuture<String> line = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                line.complete(output.readLine());
            } catch (IOException e) {
                line.completeExceptionally(e);
            }
        });
        try {
            final String first = line.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (first == null) {
                throw new IOException("the peer ended before it was ready");
            }
            return first;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IOException("the peer did not become ready", e);
        }
    }

    String target(Api api) {
        return targets.get(api.label());
    }

    /** Ends the server by the end of its input; by force when that takes too long. */
    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(directory.resolve("peer"));
            Files.deleteIfExists(directory);
        }
    }
}
