package org.smc4j.it.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;
import org.smc4j.it.support.TwoHosts.Host;

/** A client with the agent and a server that is no JVM: nothing may change for the application. */
class RedisTest extends ApplicationContract {
    private static final int KEYS = 2000;
    private static final String SERVER = "redis-server";

    @BeforeEach
    void needsTheServer() {
        assumeFalse(Boolean.getBoolean("smc.it.noDebian"), "without programs of the distribution, as asked");
    }

    @Override
    List<String> expected() {
        return List.of("small " + KEYS + "/" + KEYS + " good", "large true", "counter " + KEYS);
    }

    @Override
    List<String> results(Run run) throws Exception {
        int port = Ports.free();
        run.start(JavaProcess.program("server", run.directory(), server()).on(run.on(Host.ONE))
                .args("--bind", run.address(Host.ONE), "--port", port, "--save", "",
                        "--protected-mode", "no")).awaitPort(port, Run.LIMIT);
        List<Path> classPath = MavenArtifacts.classPath("jedis", "JedisLoad.java", "Content.java");
        JavaProcess client = run.start(run.java("client", Host.TWO, classPath).main("JedisLoad")
                .args(run.address(Host.ONE), port, KEYS));
        client.awaitSuccess(Run.LIMIT);
        return client.lines("^(?:small|large|counter) .*$");
    }

    @Override
    void verifyCounters(Run run) {
        assertFallback(run, "client");
        AgentSummary summary = run.summary("client");
        assertEquals(0, summary.smcTxBytes() + summary.smcRxBytes(), summary.toString());
    }

    private static String server() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path program = Path.of(folder, SERVER);
            if (Files.isExecutable(program)) {
                return program.toString();
            }
        }
        throw new IllegalStateException(SERVER + " is not on the PATH: install the package redis-server, or set"
                + " -Dsmc.it.noDebian=true to do without");
    }
}
