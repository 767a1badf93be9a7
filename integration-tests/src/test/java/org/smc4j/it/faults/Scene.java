package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;

import org.smc4j.clc.ClcCodec;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;

/** The processes of one test and their folder, which is empty at first. */
final class Scene implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(40);
    static final int HANDSHAKE_TIMEOUT_MILLIS = 1000;
    private static final long POLL_MILLIS = 20;
    // The agent in trouble: a stack trace through it, unless it is that of an I/O error, which passes through it too.
    private static final String OUR_ERROR = "^(?!.*java\\.(?:io|net|nio)\\.).*(?:Exception|Error).*\\R"
            + "(?:\\s+at .*\\R)*?\\s+at org\\.smc4j\\.(?!it\\.).*$|^smc4j: (?:the )?(?:sideband|wake).*$|^smc4j: plain TCP.*$";

    private final Path directory;
    private final Deque<JavaProcess> processes = new ArrayDeque<>();

    Scene(String name) throws IOException {
        directory = MavenArtifacts.emptyDirectory("faults", name);
    }

    Path directory() {
        return directory;
    }

    /** The programs of this package and what they use of the product: its system calls and its codec. */
    static List<Path> classPath() {
        return List.of(MavenArtifacts.workDirectory().resolve("test-classes"), source(Linux.class), source(ClcCodec.class));
    }

    private static Path source(Class<?> type) {
        return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** A number from a property, for the size of a run. */
    static int size(String property, int otherwise) {
        return Integer.getInteger(property, otherwise);
    }

    /** A seed to be printed: that of the property {@code smc.it.seed}, or a new one. */
    static long seed() {
        return Long.getLong("smc.it.seed", System.nanoTime() & 0xFFFFFF);
    }

    /** A JVM with the agent that runs a program of this package. */
    JavaProcess.Builder java(String name, Class<?> main) {
        return JavaProcess.java(name, directory).agent(true).classPath(classPath()).options(options())
                .main(main.getName());
    }

    static String[] options() {
        return new String[] {"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
            "-Dnet.smc.rmem=262144", "-Dsmc.handshake_timeout_ms=" + HANDSHAKE_TIMEOUT_MILLIS};
    }

    /** An {@link EchoClient} that waits for the end of its handshakes, however slow this host is. */
    JavaProcess.Builder echoClient(String name, Object... arguments) {
        return java(name, EchoClient.class).options("-Dsmc.switch_wait_ms=20000").args(arguments);
    }

    JavaProcess start(JavaProcess.Builder builder) throws IOException {
        JavaProcess process = builder.start();
        processes.push(process);
        return process;
    }

    /** An {@link EchoServer}, ready. */
    JavaProcess echoServer(String name, int port, int channelPort, String... options) throws Exception {
        JavaProcess server = start(java(name, EchoServer.class).options(options).args(port, channelPort));
        server.awaitPort(port, LIMIT);
        server.awaitPort(channelPort, LIMIT);
        if (server.output().contains("smc4j: plain TCP")) {
            throw new IllegalStateException(server.output());
        }
        Procfs.awaitPublished(port);
        Procfs.awaitPublished(channelPort);
        return server;
    }

    /** A client JVM of its own that must find everything as if nothing had happened, and use SMC only. */
    void assertServesNewcomer(String name, int port) throws Exception {
        JavaProcess client = start(echoClient(name, port, 4, 100_000).options("-Dsmc.handshake_timeout_ms=10000"));
        assertTrue(client.awaitSuccess(LIMIT).contains("echo 4/4 good"), client.output());
        assertEquals(4, client.summary().smcd(), "connections of a newcomer that use SMC");
    }

    static void await(String what, Duration timeout, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + timeout + ": " + what);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Ends all processes as an administrator would; no agent may have left a trace of an error. */
    void stop() throws InterruptedException {
        for (JavaProcess process : processes) {
            assertHealthy(process);
            process.stop();
        }
    }

    static void assertHealthy(JavaProcess process) {
        assertEquals(List.of(), process.lines(OUR_ERROR), process.name() + " shows errors of the agent");
        assertFalse(process.output().contains("A fatal error has been detected"), process.name() + " crashed");
    }

    static int freePort() {
        return Ports.free();
    }

    @Override
    public void close() {
        processes.forEach(JavaProcess::close);
    }
}
