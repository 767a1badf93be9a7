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

/** One run of an application: its folder, which is empty at first, and its processes, which end with it. */
final class Run implements AutoCloseable {
    /** What anything that an application does may take at most. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    // A stack trace through the agent. Not of an I/O error: the JDK's own pass through it when a peer goes.
    private static final String OUR_ERROR = "^(?!.*java\\.(?:io|net|nio)\\.).*(?:Exception|Error).*\\R"
            + "(?:\\s+at .*\\R)*?\\s+at org\\.smc4j\\..*$";

    private final Path directory;
    private final boolean agent;
    private final Map<String, JavaProcess> processes = new HashMap<>();
    // Ended in reverse: a server that goes before its clients makes them complain and reconnect.
    private final Deque<JavaProcess> order = new ArrayDeque<>();

    Run(String name, boolean agent) throws IOException {
        this.agent = agent;
        directory = MavenArtifacts.emptyDirectory("apps", "runs", name);
    }

    Path directory() {
        return directory;
    }

    /** A JVM with the agent if this run is one with the agent; for {@link #start}. */
    JavaProcess.Builder java(String name, List<Path> classPath) {
        return JavaProcess.java(name, directory).agent(agent).classPath(classPath)
                .options("-Xmx512m", "-XX:+UseSerialGC");
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
    }
}
