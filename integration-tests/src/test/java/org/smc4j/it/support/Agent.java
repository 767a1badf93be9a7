package org.smc4j.it.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The agent's jar as the build made it, and the options with which the tests use it. */
public final class Agent {
    private Agent() {
    }

    /**
     * The jar of the property {@code smc.agent.jar}.
     *
     * @throws IllegalStateException if there is none: a test of the agent without the agent must fail, not pass
     */
    public static Path jar() {
        String property = System.getProperty("smc.agent.jar");
        if (property == null) {
            throw new IllegalStateException("the property smc.agent.jar is not set");
        }
        Path jar = Path.of(property).toAbsolutePath().normalize();
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("the agent is missing: " + jar + " (mvn package makes it)");
        }
        return jar;
    }

    /**
     * JVM options that load the agent such that a connection's first transfers already go over SMC where both ends can:
     * the client end proposes at once, and a first transfer waits up to 2 s for the handshake.
     *
     * @param summary file to which the agent appends its line of counters at exit
     */
    public static List<String> options(Path summary) {
        return List.of("-javaagent:" + jar(), "-Dsmc.switch_after_bytes=0", "-Dsmc.switch_wait_ms=2000",
                "-Dsmc.summary=" + summary);
    }
}
