package org.smc4j.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.smc4j.bench.plain.BenchClient;
import org.smc4j.bench.plain.BenchServer;

/** Starts the measured JVMs, keeps their files in one temporary directory, and leaves neither behind. */
final class Lab implements AutoCloseable {
    private final Settings settings;
    private final Path directory;
    private final String java;
    private final String plainClassPath;
    private final Set<Child> children = ConcurrentHashMap.newKeySet();
    private final Map<String, List<Path>> pending = new LinkedHashMap<>();
    private final Map<String, Summary> summaries = new LinkedHashMap<>();
    private final Thread shutdown = new Thread(this::cleanUp);
    private int files;

    Lab(Settings settings) throws IOException {
        this.settings = settings;
        this.directory = Files.createTempDirectory("smc4j-bench");
        this.java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        this.plainClassPath = location(BenchServer.class);
        Runtime.getRuntime().addShutdownHook(shutdown);
    }

    private static String location(Class<?> type) throws IOException {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    Settings settings() {
        return settings;
    }

    /** A fresh path in the temporary directory. */
    Path file(String suffix) {
        return directory.resolve(++files + suffix);
    }

    Child server(Mode mode, String section) throws BenchFailure {
        return jvm(mode, section, BenchServer.class, file(".sock").toString());
    }

    Child client(Mode mode, String section) throws BenchFailure {
        return jvm(mode, section, BenchClient.class);
    }

    /** Starts a plain program; the section is where its agent's summary is counted. */
    Child jvm(Mode mode, String section, Class<?> program, String... arguments) throws BenchFailure {
        final List<String> command = new ArrayList<>(List.of(java));
        if (mode != Mode.PLAIN && !settings.plainOnly()) {
            final Path summary = file(".summary");
            command.add("-javaagent:" + settings.agentJar());
            command.add("-Dsmc.summary=" + summary);
            command.addAll(settings.agentOptions());
            command.addAll(mode.options());
            pending.computeIfAbsent(section, name -> new ArrayList<>()).add(summary);
        }
        command.addAll(List.of("-cp", plainClassPath, program.getName()));
        command.addAll(List.of(arguments));
        return start(mode + " " + program.getSimpleName(), command);
    }

    /** Starts a program with this JVM's class path and these JVM options, never with the agent. */
    Child ownJvm(List<String> options, Class<?> program, String... arguments) throws BenchFailure {
        final List<String> command = new ArrayList<>(List.of(java));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return start(program.getSimpleName(), command);
    }

    private Child start(String name, List<String> command) throws BenchFailure {
        final Child child = Child.start(name, command, file(".err"));
        children.removeIf(old -> !old.alive());
        children.add(child);
        return child;
    }

    /** The agents' words by section, of all JVMs that have ended by now. */
    Map<String, Summary> summaries() {
        pending.forEach((section, paths) -> {
            final Summary summary = summaries.computeIfAbsent(section, name -> new Summary());
            paths.forEach(summary::add);
        });
        pending.clear();
        return summaries;
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        cleanUp();
    }

    /** Also runs when the comparison is interrupted. */
    private void cleanUp() {
        children.forEach(Child::kill);
        children.forEach(child -> child.await(1));
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + directory + ": " + e);
        }
    }
}
