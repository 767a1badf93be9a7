package org.smc4j.it.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class AgentSummaryTest {
    private static final String LINE = "smc4j pid=123 smcd=12 smcr=0 tcp=3 smc_tx_bytes=456 smc_rx_bytes=789";

    @Test
    void shouldParseReasonsWhenThereWereFallbacks() {
        AgentSummary summary = AgentSummary.parse(LINE + " tcp_fallback=0x03010000:2,0x95000000:1");

        assertEquals(new AgentSummary(123, 12, 0, 3, 456, 789, Map.of(0x03010000, 2L, 0x95000000, 1L)), summary);
        assertEquals(2, summary.fallbacks(AgentSummary.PEER_NO_SMC));
        assertEquals(0, summary.fallbacks(0x03020000));
    }

    @Test
    void shouldFindNoReasonsWhenTheyAreOmittedOrEmpty() {
        assertEquals(Map.of(), AgentSummary.parse(LINE).tcpFallback());
        assertEquals(Map.of(), AgentSummary.parse(LINE + " tcp_fallback=").tcpFallback());
    }

    @Test
    void shouldRefuseALineWhenACounterIsMissing() {
        assertThrows(IllegalArgumentException.class, () -> AgentSummary.parse("smc4j pid=123 smcd=12"));
        assertThrows(IllegalArgumentException.class, () -> AgentSummary.parse("Kafka pid=123"));
    }

    @Test
    void shouldReadALinePerJvmWhenSeveralExited(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("summary");
        assertEquals(List.of(), AgentSummary.read(file));

        Files.writeString(file, LINE + "\n" + LINE.replace("123", "124") + "\n");
        assertEquals(List.of(123L, 124L), AgentSummary.read(file).stream().map(AgentSummary::pid).toList());
    }
}
