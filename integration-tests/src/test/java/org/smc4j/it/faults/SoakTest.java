package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;

/** All kinds of sockets against each other for half a minute, or as long as {@code -Dsmc.it.soakSeconds} says. */
@Tag("faults")
class SoakTest {
    private static final int SECONDS = Scene.size("smc.it.soakSeconds", 30);

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldMoveEveryByteOfManyConnectionsOfAllKinds() throws Exception {
        long seed = Scene.seed();
        System.out.println("soak: " + SECONDS + " s, seed: " + seed);
        try (Scene scene = new Scene("soak")) {
            List<Object> ports = new ArrayList<>();
            for (int i = 0; i < Soak.ports(); i++) {
                ports.add(Scene.freePort());
            }
            JavaProcess server = scene.start(scene.java("server", Soak.class).args("server", seed).args(ports.toArray()));
            server.awaitLine("^ready$", Scene.LIMIT);
            for (Object port : ports) {
                Procfs.awaitPublished((Integer) port);
            }
            Map<String, Integer> descriptors = Procfs.socketDescriptors(server.pid());
            JavaProcess client = scene.start(scene.java("client", Soak.class).args("client", seed << 32, SECONDS)
                    .args(ports.toArray()));
            client.awaitSuccess(Duration.ofSeconds(SECONDS + 120));
            assertEquals(List.of(), client.lines("^BAD .*$"), "seed " + seed);
            assertEquals(List.of(), server.lines("^BAD .*$"), "seed " + seed);
            Scene.await("no mappings", Scene.LIMIT, () -> Procfs.dmbMappings(server.pid()) == 0);
            Map<String, Integer> after = Procfs.socketDescriptors(server.pid());
            assertEquals(descriptors.get("socket"), after.get("socket"), "sockets of the server");
            scene.stop();
            AgentSummary summary = client.summary();
            System.out.println(summary);
            assertTrue(summary.smcd() > 4 * summary.tcp(), summary.toString());
        }
    }
}
