package org.smc4j.it.apps;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.TwoHosts;

/** What every application must do: the same over TCP and, with the agent in each of its JVMs, over SMC on one host and on two. */
@Tag("apps")
@Timeout(240)
abstract class ApplicationContract {
    final String name = getClass().getSimpleName().replace("Test", "").toLowerCase(Locale.ROOT);

    @Test
    void shouldWorkOverTcpWhenThereIsNoAgent() throws Exception {
        try (Run run = Run.onOneHost(name + "-tcp", false)) {
            assertEquals(expected(), results(run));
            run.stop();
            verifyWithoutAgent(run);
        }
    }

    @Test
    @Tag("smc")
    void shouldGiveTheSameResultsOverSharedMemoryWhenEveryJvmHasTheAgent() throws Exception {
        try (Run run = Run.onOneHost(name + "-smc", true)) {
            assertEquals(expected(), results(run));
            run.stop();
            verifyCounters(run);
        }
    }

    @Test
    @Tag("smc")
    void shouldGiveTheSameResultsOverRdmaWhenItsJvmsAreOnTwoHosts() throws Exception {
        TwoHosts.assumeAvailable();
        try (Run run = Run.onTwoHosts(name + "-rdma")) {
            assertEquals(expected(), results(run));
            run.stop();
            verifyCounters(run);
        }
    }

    /** Runs the application: the lines that a good run must give whatever carries its data. */
    abstract List<String> results(Run run) throws Exception;

    /** What {@link #results} must return. */
    abstract List<String> expected();

    /** Asserts on the counters of a run with the agent; every JVM has ended. */
    abstract void verifyCounters(Run run);

    /** Asserts what only holds without the agent; every JVM has ended. */
    void verifyWithoutAgent(Run run) {
    }

    /** Every connection of the JVM went over SMC to the other host if there are two, and at least so many bytes of payload with them. */
    static void assertOnlySmc(Run run, String process, long txBytes, long rxBytes) {
        AgentSummary summary = run.summary(process);
        assertAll(process + ": " + summary, () -> assertEquals(0, summary.tcp(), "connections on TCP"),
                () -> assertEquals(summary.smcd() + summary.smcr(), run.smcBetweenHosts(process), "connections to the other host"),
                () -> assertSmc(run, process, txBytes, rxBytes));
    }

    /** Connections of the JVM, some to the other host if there are two, went over SMC, and at least so many bytes of payload with them. */
    static void assertSmc(Run run, String process, long txBytes, long rxBytes) {
        AgentSummary summary = run.summary(process);
        assertAll(process + ": " + summary, () -> assertTrue(run.smcBetweenHosts(process) > 0, "connections over SMC to the other host"),
                () -> assertTrue(summary.smcTxBytes() >= txBytes, "sent over SMC, want at least " + txBytes),
                () -> assertTrue(summary.smcRxBytes() >= rxBytes, "received over SMC, want at least " + rxBytes));
    }

    /** No connection of the JVM went over SMC, and at least one of them because the peer has no agent. */
    static void assertFallback(Run run, String process) {
        AgentSummary summary = run.summary(process);
        assertAll(process + ": " + summary,
                () -> assertEquals(0, summary.smcd() + summary.smcr(), "connections over SMC"),
                () -> assertTrue(summary.tcp() > 0, "connections on TCP"),
                () -> assertTrue(summary.fallbacks(AgentSummary.PEER_NO_SMC) > 0, "peer without SMC as the reason"));
    }
}
