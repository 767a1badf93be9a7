package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.TwoHosts;
import org.smc4j.it.support.TwoHosts.Host;

/** Nobody waits for the handshake, and the connection may end before it, after it, or in its midst. */
@Tag("faults")
class ShortConnectionsTest {
    private static final int ROUNDS = Scene.size("smc.it.short", 3000);
    private static final Duration BETWEEN_HOSTS = Duration.ofSeconds(90);
    private static final int STREAM_PORT = 5000;
    private static final int CHANNEL_PORT = 5001;
    private static final String NO_WAIT = "-Dsmc.switch_wait_ms=0";

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldLoseNothingWhereverTheSwitchFalls(boolean selector) throws Exception {
        int port = Scene.freePort();
        int channelPort = Scene.freePort();
        long seed = Scene.seed();
        try (Scene scene = new Scene("short-" + (selector ? "selector" : "streams"))) {
            JavaProcess server = scene.echoServer("server", port, channelPort, NO_WAIT);
            JavaProcess client = scene.start(scene.java("client", ShortClient.class).options(NO_WAIT)
                    .args(selector ? channelPort : port, ROUNDS, seed));
            String output = client.awaitSuccess(Scene.LIMIT);
            assertTrue(output.contains(ROUNDS + " good"), "seed " + seed + "\n" + output);
            assertEquals(List.of(), server.lines("^(?:stream|channel|select|close|accept): .*$"), "seed " + seed);
            AgentSummary summary = client.summary();
            assertTrue(summary.smcd() > ROUNDS / 10, summary.toString());
            long undecided = summary.tcp() - summary.tcpFallback().values().stream().mapToLong(Long::longValue).sum();
            // The client may end while the handshakes of its last connections are being cancelled.
            assertTrue(undecided >= 0 && undecided <= ShortClient.THREADS, summary.toString());
        }
    }

    /** The ends hear of each other's part in the handshake later, and one of them may have closed by then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void shouldLoseNothingBetweenHostsEither(boolean selector) throws Exception {
        TwoHosts.assumeAvailable();
        long seed = Scene.seed();
        try (TwoHosts hosts = new TwoHosts(); Scene scene = new Scene("short-hosts-" + (selector ? "selector" : "streams"))) {
            JavaProcess server = scene.start(onHost(hosts, Host.ONE, scene.java("server", EchoServer.class))
                    .args(STREAM_PORT, CHANNEL_PORT));
            server.awaitPort(STREAM_PORT, Scene.LIMIT);
            server.awaitPort(CHANNEL_PORT, Scene.LIMIT);
            JavaProcess client = scene.start(onHost(hosts, Host.TWO, scene.java("client", ShortClient.class))
                    .args(selector ? CHANNEL_PORT : STREAM_PORT, ROUNDS, seed));
            String output = client.awaitSuccess(BETWEEN_HOSTS);
            assertTrue(output.contains(ROUNDS + " good"), "seed " + seed + "\n" + output);
            assertEquals(List.of(), server.lines("^(?:stream|channel|select|close|accept): .*$"), "seed " + seed);
            assertTrue(client.summary().smcr() > 0, client.summary().toString());
        }
    }

    private static JavaProcess.Builder onHost(TwoHosts hosts, Host host, JavaProcess.Builder program) {
        return program.on(hosts.on(host)).options(NO_WAIT, Place.option(Host.ONE.address()), "-Dsmc.sideband.port=18990",
                "-Dsmc.rnic=" + TwoHosts.device(0));
    }
}
