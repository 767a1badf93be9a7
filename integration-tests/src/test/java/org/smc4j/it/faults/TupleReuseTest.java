package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;

/** Connections that follow each other with one and the same 4-tuple, by which the server tells them apart. */
@Tag("faults")
class TupleReuseTest {
    private static final int ROUNDS = Scene.size("smc.it.tuples", 300);

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldSwitchEachConnectionWhenTheAddressesAreUsedAgain() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("tuple")) {
            JavaProcess server = scene.start(scene.java("server", TupleApp.class).args("server", port));
            server.awaitPort(port, Scene.LIMIT);
            Procfs.awaitPublished(port);
            JavaProcess client = scene.start(scene.java("client", TupleApp.class)
                    .args("client", port, Scene.freePort(), ROUNDS));
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains(ROUNDS + " good"), client.output());
            assertEquals(List.of(), client.lines("^BAD .*$"));
            assertEquals(List.of(), server.lines("^BAD .*$"));
            scene.stop();
            AgentSummary summary = client.summary();
            assertEquals(ROUNDS, summary.smcd(), summary.toString());
            assertEquals(ROUNDS, server.summary().smcd(), server.summary().toString());
        }
    }
}
