package org.smc4j.it.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;
import org.smc4j.it.support.TwoHosts.Host;

/** Netty with its native transport on the class path, which the agent must keep it from taking. */
class NettyTest extends ApplicationContract {
    private static final String MAIN = "NettyEcho";
    private static final int CONNECTIONS = 8;
    private static final int BYTES = 4 << 20;
    private static final List<String> GOOD = List.of("echo " + CONNECTIONS + "/" + CONNECTIONS + " good");

    @Override
    List<String> expected() {
        return GOOD;
    }

    @Override
    List<String> results(Run run) throws Exception {
        List<Path> classPath = classPath();
        return echo(run, run.java("server", Host.ONE, classPath), run.java("client", Host.TWO, classPath));
    }

    @Override
    void verifyWithoutAgent(Run run) {
        assertTransport(run, "server", "epoll");
        assertTransport(run, "client", "epoll");
    }

    @Override
    void verifyCounters(Run run) {
        assertTransport(run, "server", "nio");
        assertTransport(run, "client", "nio");
        assertOnlySmc(run, "client", (long) CONNECTIONS * BYTES, (long) CONNECTIONS * BYTES);
        assertOnlySmc(run, "server", (long) CONNECTIONS * BYTES, (long) CONNECTIONS * BYTES);
    }

    @Test
    @Tag("smc")
    void shouldStayOnTcpWhenTheServerHasNoAgent() throws Exception {
        List<Path> classPath = classPath();
        try (Run run = Run.onOneHost("netty-plain-server", true)) {
            assertEquals(GOOD, echo(run, run.java("server", Host.ONE, classPath).agent(false),
                    run.java("client", Host.TWO, classPath)));
            run.stop();
            assertFallback(run, "client");
            assertEquals(CONNECTIONS, run.summary("client").tcp());
        }
    }

    @Test
    @Tag("smc")
    void shouldStayOnTcpWhenTheClientHasNoAgent() throws Exception {
        List<Path> classPath = classPath();
        try (Run run = Run.onOneHost("netty-plain-client", true)) {
            assertEquals(GOOD, echo(run, run.java("server", Host.ONE, classPath),
                    run.java("client", Host.TWO, classPath).agent(false)));
            run.stop();
            assertFallback(run, "server");
            assertEquals(CONNECTIONS, run.summary("server").tcp());
        }
    }

    private static List<Path> classPath() {
        return MavenArtifacts.classPath("netty", "NettyEcho.java", "Content.java");
    }

    private static List<String> echo(Run run, JavaProcess.Builder server, JavaProcess.Builder client) throws Exception {
        int port = Ports.free();
        run.start(server.main(MAIN).args("server", run.address(Host.ONE), port)).awaitPort(port, Run.LIMIT);
        JavaProcess process = run.start(client.main(MAIN)
                .args("client", run.address(Host.ONE), port, CONNECTIONS, BYTES));
        process.awaitSuccess(Run.LIMIT);
        return process.lines("^echo .*$");
    }

    private static void assertTransport(Run run, String process, String transport) {
        assertEquals(List.of(transport), run.process(process).lines("^transport (.*)$"), process);
    }
}
