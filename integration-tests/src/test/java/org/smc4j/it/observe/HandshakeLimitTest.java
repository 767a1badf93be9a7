package org.smc4j.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.Ports;

/** The option SMC_LIMIT_HS of listening sockets. */
@Timeout(180)
class HandshakeLimitTest {
    /** Handshakes that a listener with the option lets wait. */
    private static final int LIMIT = 8;
    private static final int CONNECTIONS = 12;
    private static final int PEER_DECLINED = 0x05000000;

    @Test
    void shouldAnswerLikeAnyOptionWhenSetOnAListener() throws Exception {
        try (Observation run = new Observation("limit-option")) {
            JavaProcess process = run.start(run.java("options", "Limited").args("options"));
            assertEquals(List.of("socket at first: false", "socket before bind: true", "socket bound: true",
                    "socket listed: false",
                    "socket wrong value: java.lang.IllegalArgumentException: Invalid value 'yes'",
                    "channel: true", "channel's socket: false", "channel listed: false", "asynchronous: true",
                    "UNIX domain: java.lang.UnsupportedOperationException: 'SMC_LIMIT_HS' not supported",
                    "client: java.lang.UnsupportedOperationException: 'SMC_LIMIT_HS' not supported",
                    "closed channel: java.nio.channels.ClosedChannelException",
                    "closed socket: java.net.SocketException: Socket is closed",
                    "null: java.lang.NullPointerException"),
                    process.awaitSuccess(Observation.LIMIT).lines().toList());
        }
    }

    @Test
    void shouldBeUnknownWhenTheAgentIsNotActive() throws Exception {
        try (Observation run = new Observation("limit-inactive")) {
            JavaProcess process = run.start(run.java("options", "Limited").options("-Dsmc.enabled=false")
                    .args("options"));
            process.awaitSuccess(Observation.LIMIT);
            assertEquals(List.of("'SMC_LIMIT_HS' not supported"), process.lines("^channel: .*: (.*)$"));
        }
    }

    @Test
    void shouldLeaveConnectionsOnTcpWhenMoreHandshakesWaitThanTheListenerAllows() throws Exception {
        AgentSummary summary = summary("limit-on", true, "false");
        assertEquals(LIMIT, summary.smcd(), summary.toString());
        assertEquals(CONNECTIONS - LIMIT, summary.fallbacks(PEER_DECLINED), summary.toString());
    }

    @Test
    void shouldTakeAllWhenTheListenerDoesNotLimitAndTheProcessDoes() throws Exception {
        AgentSummary summary = summary("limit-off", false, "true");
        assertEquals(CONNECTIONS, summary.smcd(), summary.toString());
    }

    private static AgentSummary summary(String name, boolean ofListener, String ofProcess) throws Exception {
        int port = Ports.free();
        try (Observation run = new Observation(name)) {
            Path go = run.directory().resolve("go");
            Path summaries = run.directory().resolve("summaries");
            JavaProcess server = run.start(run.java("server", "Limited").options("-Dnet.smc.limit_smc_hs=" + ofProcess,
                    "-Dsmc.handshake_timeout_ms=30000").args("server", port, ofListener, go));
            server.awaitLine("^listening$", Observation.LIMIT);
            int declines = ofListener ? CONNECTIONS - LIMIT : 0;
            JavaProcess client = run.start(run.java("client", "Limited")
                    .options("-Dsmc.switch_after_bytes=0", "-Dsmc.handshake_timeout_ms=30000",
                            "-Dsmc.summary=" + summaries)
                    .args("client", port, CONNECTIONS, declines, go));
            client.awaitSuccess(Observation.LIMIT);
            return AgentSummary.read(summaries).getFirst();
        }
    }
}
