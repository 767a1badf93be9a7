package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.Agent;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;

/** A process is killed at a random point, 40 times or as {@code -Dsmc.it.kills} says. */
@Tag("faults")
class KillTest {
    private static final int KILLS = Scene.size("smc.it.kills", 40);
    private static final int SECONDS = 60 + 6 * KILLS;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldDeliverAllThatWasWrittenWhenThePeerIsKilled() throws Exception {
        long seed = Scene.seed();
        System.out.println("kills: " + KILLS + ", seed: " + seed);
        try (Scene scene = new Scene("kill")) {
            List<Object> arguments = new ArrayList<>(List.of(KILLS, seed));
            arguments.addAll(Agent.options(scene.directory().resolve("victims.summary")));
            arguments.addAll(List.of(Scene.options()));
            JavaProcess survivor = scene.start(scene.java("survivor", KillSurvivor.class).args(arguments.toArray()));
            String output = survivor.awaitSuccess(Duration.ofSeconds(SECONDS));
            assertEquals(List.of(), survivor.lines("^BAD .*$"), "seed " + seed);
            assertTrue(output.contains("kills=" + KILLS), output);
            Scene.assertHealthy(survivor);
            AgentSummary summary = survivor.summary();
            // Not all: some die before the handshake is over.
            assertTrue(summary.smcd() > 2L * KILLS, summary.toString());
            assertTrue(summary.smcRxBytes() > 0, summary.toString());
        }
    }
}
