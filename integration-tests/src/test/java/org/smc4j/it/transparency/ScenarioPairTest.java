package org.smc4j.it.transparency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The runner itself: a failure must say which scenario, which end, what was expected and what was seen. */
@Tag("transparency")
@Timeout(60)
class ScenarioPairTest {
    @TempDir
    private Path directory;
    private ScenarioPair pair;

    @BeforeEach
    void prepare() {
        pair = new ScenarioPair(Configuration.plain(), directory, "broken");
    }

    @AfterEach
    void endJvms() {
        pair.close();
    }

    private String failure(final String scenario) {
        return assertThrows(AssertionError.class, () -> pair.run(Scenarios.named(scenario))).getMessage();
    }

    private static void contains(final String text, final String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> "no \"" + part + "\" in:\n" + text);
        }
    }

    @Test
    void shouldNameBothEndsWhenOneHalfFails() throws Exception {
        contains(failure("broken.client-asserts"), "broken.client-asserts [plain] failed", "== client half: ",
                "one thing: expected 1, seen 2", "== server half: ", "the client half failed while this half waited");
        assertEquals(Set.of(), pair.run(Scenarios.named("broken.not-at-all")),
                "the next scenario runs as if nothing was");
    }

    @Test
    void shouldDumpTheThreadsOfBothEndsWhenAScenarioHangs() throws Exception {
        final String text = failure("broken.both-block");
        contains(text, "broken.both-block [plain] HUNG", "server half: still running", "client half: still running");
        assertEquals(3, text.split("BrokenScenarios.blockedRead").length, () -> "both ends are in the dumps:\n" + text);
        assertEquals(Set.of(), pair.run(Scenarios.named("broken.not-at-all")), "the next scenario gets fresh ends");
    }

    @Test
    void shouldSayThatTheJvmEndedWhenAnEndDies() throws Exception {
        contains(failure("broken.server-dies"), "server half: its JVM ended in the middle",
                "server JVM: exited with 7");
        assertEquals(Set.of(), pair.run(Scenarios.named("broken.not-at-all")), "the next scenario gets fresh ends");
    }

    @Test
    void shouldShowWhatAHelperThreadThrewWhenItsHalfWaitsInVain() {
        contains(failure("broken.helper-thread"), "Suppressed: java.lang.NumberFormatException", "no number");
    }

    @Test
    void shouldNameThePositionWhenContentDiffers() {
        contains(failure("broken.wrong-byte"), "wrong byte at stream position 0", "not part of the stream");
    }

    @Test
    void shouldReportWhatHalvesObserveWhenTheyAreFine() throws Exception {
        final Scenario scenario = Scenarios.named("broken.different-in-every-run");
        assertNotEquals(pair.run(scenario), pair.run(scenario));
    }
}
