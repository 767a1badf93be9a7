package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.JavaProcess;

/** More listeners in the life of a process than another process may have links to it at a time. */
@Tag("faults")
class ManyListenersTest {
    private static final int LISTENERS = 300;

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void shouldSwitchTheConnectionsOfEveryListener() throws Exception {
        try (Scene scene = new Scene("listeners")) {
            JavaProcess process = scene.start(scene.java("loop", ListenerLoop.class).args(LISTENERS));
            assertTrue(process.awaitSuccess(Scene.LIMIT).contains("all echoed"), process.output());
            assertEquals(2 * LISTENERS, process.summary().smcd(), process.summary().toString());
        }
    }
}
