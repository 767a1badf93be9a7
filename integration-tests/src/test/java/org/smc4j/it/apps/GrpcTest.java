package org.smc4j.it.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;

import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;
import org.smc4j.it.support.TwoHosts.Host;

/** gRPC over HTTP/2 with its relocated copy of Netty, native transport included. */
class GrpcTest extends ApplicationContract {
    private static final String MAIN = "GrpcEcho";
    private static final int CALLS = 1000;
    // CALLS messages of 1000 bytes by calls, as many by the stream, 8 of a MiB: both ways, HTTP/2 framing not counted.
    private static final long PAYLOAD = 2L * CALLS * 1000 + 8 * (1 << 20);

    @Override
    List<String> expected() {
        String all = " " + CALLS + "/" + CALLS + " good";
        return List.of("health" + all, "small" + all, "large 8/8 good", "stream" + all);
    }

    @Override
    List<String> results(Run run) throws Exception {
        List<Path> classPath = MavenArtifacts.classPath("grpc", "GrpcEcho.java", "Content.java");
        int port = Ports.free();
        run.start(run.java("server", Host.ONE, classPath).main(MAIN).args("server", run.address(Host.ONE), port)).awaitPort(port, Run.LIMIT);
        JavaProcess client = run.start(run.java("client", Host.TWO, classPath).main(MAIN)
                .args("client", run.address(Host.ONE), port, CALLS));
        client.awaitSuccess(Run.LIMIT);
        return client.lines("^(?:health|small|large|stream) .*$");
    }

    @Override
    void verifyWithoutAgent(Run run) {
        assertTransports(run, "epoll");
    }

    @Override
    void verifyCounters(Run run) {
        assertTransports(run, "nio");
        assertOnlySmc(run, "client", PAYLOAD, PAYLOAD);
        assertOnlySmc(run, "server", PAYLOAD, PAYLOAD);
    }

    private static void assertTransports(Run run, String transport) {
        for (String process : List.of("server", "client")) {
            assertEquals(List.of(transport), run.process(process).lines("^transport (.*)$"), process);
        }
    }
}
