package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.JavaProcess;

/** Many listeners in the life of a process. */
@Tag("faults")
class ManyListenersTest {
    /** More than another process may have links to it at a time. */
    private static final int LISTENERS = 300;
    private static final int WAITED_FOR = 100;

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void shouldSwitchTheConnectionsOfEveryListener() throws Exception {
        try (Scene scene = new Scene("listeners")) {
            JavaProcess process = scene.start(scene.java("loop", ListenerLoop.class).args(LISTENERS));
            assertTrue(process.awaitSuccess(Scene.LIMIT).contains("all echoed"), process.output());
            assertEquals(2 * LISTENERS, process.summary().smcd(), process.summary().toString());
        }
    }

    /** As followers of a leader do, who has just been elected. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void shouldSwitchTheConnectionOfAClientThatHasWaitedForTheListener() throws Exception {
        Object[] ports = IntStream.range(0, WAITED_FOR).mapToObj(i -> Scene.freePort()).toArray();
        try (Scene scene = new Scene("eager-clients")) {
            JavaProcess server = scene.start(scene.java("server", EagerClients.class).args("server").args(ports));
            JavaProcess client = scene.start(scene.java("client", EagerClients.class).args("client").args(ports));
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains("all echoed"), client.output());
            assertTrue(server.awaitSuccess(Scene.LIMIT).contains("all echoed"), server.output());
            assertEquals(WAITED_FOR, client.summary().smcd(), client.summary().toString());
        }
    }
}
