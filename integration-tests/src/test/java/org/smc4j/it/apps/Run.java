package org.smc4j.it.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.TwoHosts;
import org.smc4j.it.support.TwoHosts.Host;

/** One run of an application: its folder, which is empty at first, and its processes, which end with it. */
final class Run implements AutoCloseable {
    /** What anything that an application does may take at most. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    // A stack trace through the agent. Not of an I/O error: the JDK's own pass through it when a peer goes.
    private static final String OUR_ERROR = "^(?!.*java\\.(?:io|net|nio)\\.).*(?:Exception|Error).*\\R"
            + "(?:\\s+at .*\\R)*?\\s+at org\\.smc4j\\..*$";

    private final Path directory;
    private final boolean agent;
    private final TwoHosts hosts;
    private final Map<String, JavaProcess> processes = new HashMap<>();
    // Ended in reverse: a server that goes before its clients makes them complain and reconnect.
    private final Deque<JavaProcess> order = new ArrayDeque<>();

    private Run(String name, boolean agent, TwoHosts hosts) throws IOException {
        this.agent = agent;
        this.hosts = hosts;
        directory = MavenArtifacts.emptyDirectory("apps", "runs", name);
    }

    /** Every process on this host: {@link Host#ONE} and {@link Host#TWO} are both the loopback interface. */
    static Run onOneHost(String name, boolean agent) throws IOException {
        return new Run(name, agent, null);
    }

    /** With the agent, on two hosts that reach each other by software RNICs. */
    static Run onTwoHosts(String name) throws IOException, InterruptedException {
        TwoHosts hosts = new TwoHosts();
        try {
            return new Run(name, true, hosts);
        } catch (IOException e) {
            hosts.close();
            throw e;
        }
    }

    /** The counter of those connections that are on SMC between processes of different hosts of this run. */
    long smcBetweenHosts(String process) {
        return hosts == null ? summary(process).smcd() : summary(process).smcr();
    }

    /** Where servers on that host listen. */
    String address(Host host) {
        return hosts == null ? "127.0.0.1" : host.address();
    }

    /** What a command line has to begin with to run on that host. */
    List<String> on(Host host) {
        return hosts == null ? List.of() : hosts.on(host);
    }

    Path directory() {
        return directory;
    }

    /** A JVM with the agent if this run is one with the agent; for {@link #start}. */
    JavaProcess.Builder java(String name, Host host, List<Path> classPath) {
        JavaProcess.Builder builder = JavaProcess.java(name, directory).agent(agent).classPath(classPath).on(on(host))
                .options("-Xmx512m", "-XX:+UseSerialGC");
        // Servers that start together ask each other before the other's port is bound, which must not be kept against it for long.
        return hosts == null ? builder : builder.options("-Dsmc.sideband.port=18990", "-Dsmc.rnic=" + TwoHosts.device(0),
                "-Dsmc.sideband.retry_ms=100");
    }

    /** Starts a process that ends with this run. */
    JavaProcess start(JavaProcess.Builder builder) throws IOException {
        JavaProcess process = builder.start();
        processes.put(process.name(), process);
        order.push(process);
        return process;
    }

    /** Starts a process, waits for its success and returns what it wrote. */
    String complete(JavaProcess.Builder builder) throws IOException, InterruptedException {
        return start(builder).awaitSuccess(LIMIT);
    }

    /** Ends what still runs the way an administrator would, which must work, and leave no trace of an error of ours. */
    void stop() throws InterruptedException {
        for (JavaProcess process : order) {
            process.stop();
        }
        for (JavaProcess process : order) {
            List<String> traces = process.lines(OUR_ERROR);
            assertEquals(List.of(), traces, process.name() + " shows stack traces of the agent");
        }
    }

    /** A process of this run by its name. */
    JavaProcess process(String name) {
        return processes.get(name);
    }

    /** What the agent counted in a JVM that has ended. */
    AgentSummary summary(String process) {
        return processes.get(process).summary();
    }

    @Override
    public void close() {
        order.forEach(JavaProcess::close);
        if (hosts != null) {
            hosts.close();
        }
    }
}
