package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.JavaProcess;

/** More connections at once than the sideband has room for messages. */
@Tag("faults")
class BurstTest {
    private static final int CONNECTIONS = 1000;

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldSwitchEveryConnectionWhenManyAreMadeAtOnce() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("burst")) {
            JavaProcess server = scene.echoServer("server", Scene.freePort(), port);
            // Nobody is declined for being late, so what gets lost shows as what it is.
            JavaProcess client = scene.start(scene.echoClient("client", port, CONNECTIONS, 100)
                    .options("-Dsmc.handshake_timeout_ms=10000"));
            String all = CONNECTIONS + "/" + CONNECTIONS;
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains("echo " + all + " good"), client.output());
            assertEquals(CONNECTIONS, client.summary().smcd(), client.summary().toString());
            scene.stop();
            assertEquals(CONNECTIONS, server.summary().smcd(), server.summary().toString());
        }
    }
}
