package org.smc4j.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.Ports;

/** What settings do, and what becomes of bad ones. */
@Timeout(180)
class SettingsTest {
    private static final int CONFIGURATION = 0x03000000;
    private static final int PEER_DECLINED = 0x05000000;

    @Test
    void shouldPrintTheSummaryWhenItGoesToStderr() throws Exception {
        try (Observation run = new Observation("summary-stderr")) {
            JavaProcess process = run.start(run.java("hello", "Hello").options(Observation.AT_ONCE)
                    .options("-Dsmc.summary=stderr"));
            process.awaitSuccess(Observation.LIMIT);
            List<String> lines = process.lines("^smc4j pid=.*$");
            assertEquals(1, lines.size(), process.output());
            AgentSummary summary = AgentSummary.parse(lines.getFirst());
            assertEquals(process.pid(), summary.pid());
            assertEquals(2, summary.smcd() + summary.tcp(), lines.getFirst());
        }
    }

    @Test
    void shouldAppendTheSummaryWhenItGoesToAFile() throws Exception {
        try (Observation run = new Observation("summary-file")) {
            Path file = run.directory().resolve("summary");
            for (int i = 0; i < 2; i++) {
                JavaProcess process = run.start(run.java("hello" + i, "Hello").options("-Dsmc.summary=" + file));
                assertEquals("hello", process.awaitSuccess(Observation.LIMIT).strip());
            }
            assertEquals(2, AgentSummary.read(file).size(), Files.readString(file));
        }
    }

    @Test
    void shouldWarnOnceAndRunWhenASettingIsWrong() throws Exception {
        try (Observation run = new Observation("wrong")) {
            JavaProcess process = run.start(run.javaWithArguments("hello", "Hello",
                    "smc.agent_typo=1,smc.busy_poll_us=many")
                    .options("-Dsmc.property_typo=1", "-Dnet.smc.rmem=12", "-Dsmc.log=loud")
                    .env("SMC_ENVIRONMENT_TYPO", "1"));
            String output = process.awaitSuccess(Observation.LIMIT);
            for (String expected : List.of("smc.agent_typo", "smc.busy_poll_us", "smc.property_typo", "net.smc.rmem",
                    "smc.log",
                    "SMC_ENVIRONMENT_TYPO")) {
                assertEquals(1, process.lines("^smc4j: .*" + expected + ".*$").size(), expected + " in:\n" + output);
            }
            assertTrue(output.lines().toList().contains("hello"), output);
            assertEquals(7, output.lines().count(), output);
        }
    }

    @Test
    void shouldStayTcpWhenTheClientsRulesDeny() throws Exception {
        int port = Ports.free();
        assertTcp("connect-rule", port, CONFIGURATION, null, "-Dsmc.connect=allow 10.0.0.0/8, deny 127.0.0.1 " + port);
    }

    @Test
    void shouldStayTcpWhenTheServersRulesDeny() throws Exception {
        int port = Ports.free();
        assertTcp("accept-rule", port, PEER_DECLINED, "-Dsmc.accept=deny * " + port, null);
    }

    @Test
    void shouldStayTcpWhenTheEndsHaveNoUeidInCommon() throws Exception {
        assertTcp("ueid", Ports.free(), PEER_DECLINED, "-Dsmc.ueid=CLUSTER.A", "-Dsmc.ueid=CLUSTER.B");
    }

    /**
     * Runs a pair whose connection must be TCP, at the client for that reason and at the server for one that it knows.
     */
    private static void assertTcp(String name, int port, int clientReason, String serverOption, String clientOption)
            throws Exception {
        try (Observation run = new Observation(name)) {
            Path summaries = run.directory().resolve("summaries");
            JavaProcess.Builder server = run.java("server", "Echo").options(Observation.AT_ONCE)
                    .options("-Dsmc.summary=" + summaries);
            JavaProcess.Builder client = run.java("client", "Echo").options(Observation.AT_ONCE)
                    .options("-Dsmc.summary=" + summaries);
            if (serverOption != null) {
                server.options(serverOption);
            }
            if (clientOption != null) {
                client.options(clientOption);
            }
            JavaProcess serving = run.server(server, port);
            JavaProcess connecting = run.client(client, port, 1000);
            List<String> rows = run.command("ss").lines(" " + connecting.pid() + " ");
            assertEquals(1, rows.size());
            assertTrue(rows.getFirst().contains(String.format("TCP 0x%08x ", clientReason)), rows.getFirst());
            connecting.stop();
            serving.stop();
            AgentSummary atClient = summary(summaries, connecting);
            AgentSummary atServer = summary(summaries, serving);
            assertEquals(0, atClient.smcd() + atServer.smcd());
            assertEquals(1, atClient.fallbacks(clientReason), atClient.toString());
            if (serverOption != null) {
                assertEquals(1, atServer.tcpFallback().values().stream().mapToLong(Long::longValue).sum(),
                        "the server knows its reason too: " + atServer);
            }
            if (name.equals("accept-rule")) {
                assertEquals(1, atServer.fallbacks(CONFIGURATION), atServer.toString());
            }
        }
    }

    private static AgentSummary summary(Path file, JavaProcess process) {
        return AgentSummary.read(file).stream().filter(summary -> summary.pid() == process.pid()).findFirst()
                .orElseThrow();
    }
}
