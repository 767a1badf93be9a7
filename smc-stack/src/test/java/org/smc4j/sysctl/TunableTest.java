package org.smc4j.sysctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class TunableTest {
    private static final String BEGIN = "<!-- tunables -->";
    private static final String END = "<!-- /tunables -->";

    @ParameterizedTest
    @CsvSource({
        "WMEM, net.smc.wmem, NET_SMC_WMEM, BYTES, 65536, 16384, 1073741823, false",
        "RMEM, net.smc.rmem, NET_SMC_RMEM, BYTES, 262144, 16384, 1073741823, false",
        "AUTOCORKING_SIZE, net.smc.autocorking_size, NET_SMC_AUTOCORKING_SIZE, BYTES, 65536, 0, 4294967295, false",
        "LIMIT_SMC_HS, net.smc.limit_smc_hs, NET_SMC_LIMIT_SMC_HS, FLAG, false, 0, 1, true",
        "SMCR_TESTLINK_TIME, net.smc.smcr_testlink_time, NET_SMC_SMCR_TESTLINK_TIME, SECONDS, 30, 0, 2147483647, false",
        "SMCR_MAX_LINKS_PER_LGR, net.smc.smcr_max_links_per_lgr, NET_SMC_SMCR_MAX_LINKS_PER_LGR, COUNT, 2, 1, 2, true",
        "SMCR_MAX_CONNS_PER_LGR, net.smc.smcr_max_conns_per_lgr, NET_SMC_SMCR_MAX_CONNS_PER_LGR, COUNT, 255, 16, 255, true",
        "SMCR_MAX_SEND_WR, net.smc.smcr_max_send_wr, NET_SMC_SMCR_MAX_SEND_WR, COUNT, 16, 2, 2048, false",
        "SMCR_MAX_RECV_WR, net.smc.smcr_max_recv_wr, NET_SMC_SMCR_MAX_RECV_WR, COUNT, 48, 2, 2048, false",
        "ENABLED, smc.enabled, SMC_ENABLED, FLAG, true, 0, 1, true",
        "BUSY_POLL_US, smc.busy_poll_us, SMC_BUSY_POLL_US, MICROS, 0, 0, 1000, true",
        "SWITCH_AFTER_BYTES, smc.switch_after_bytes, SMC_SWITCH_AFTER_BYTES, BYTES, 131072, 0,"
                + " 9223372036854775807, true",
        "SWITCH_WAIT_MS, smc.switch_wait_ms, SMC_SWITCH_WAIT_MS, MILLIS, 0, 0, 60000, true",
        "HANDSHAKE_TIMEOUT_MS, smc.handshake_timeout_ms, SMC_HANDSHAKE_TIMEOUT_MS, MILLIS, 6000, 10, 60000, true",
        "PENDING_HANDSHAKES, smc.pending_handshakes, SMC_PENDING_HANDSHAKES, COUNT, 1024, 1, 65536, false",
        "UEID, smc.ueid, SMC_UEID, TEXT, '', 0, 0, false",
        "PEER_UIDS, smc.peer_uids, SMC_PEER_UIDS, TEXT, '', 0, 0, false",
        "SIDEBAND_PORT, smc.sideband.port, SMC_SIDEBAND_PORT, COUNT, 0, 0, 65535, false",
        "SIDEBAND_BIND, smc.sideband.bind, SMC_SIDEBAND_BIND, TEXT, '', 0, 0, false",
        "SIDEBAND_PEERS, smc.sideband.peers, SMC_SIDEBAND_PEERS, RULES, '', 0, 0, false",
        "SIDEBAND_SECRET_FILE, smc.sideband.secret_file, SMC_SIDEBAND_SECRET_FILE, TEXT, '', 0, 0, false",
        "SIDEBAND_RETRY_MS, smc.sideband.retry_ms, SMC_SIDEBAND_RETRY_MS, MILLIS, 60000, 100, 3600000, false",
        "OVERFLOW, smc.overflow, SMC_OVERFLOW, FLAG, true, 0, 1, true",
        "CONNECT, smc.connect, SMC_CONNECT, RULES, '', 0, 0, false",
        "ACCEPT, smc.accept, SMC_ACCEPT, RULES, '', 0, 0, false",
        "LOG, smc.log, SMC_LOG, TEXT, warn, 0, 0, true",
        "SUMMARY, smc.summary, SMC_SUMMARY, TEXT, off, 0, 0, false",
        "NETTY_NATIVE, smc.netty_native, SMC_NETTY_NATIVE, FLAG, false, 0, 1, false",
        "CONFIGURATION_FILE, smc.configuration_file, SMC_CONFIGURATION_FILE, TEXT, '', 0, 0, false",
    })
    void shouldBeDeclaredAsDocumented(Tunable tunable, String key, String variable, Kind kind, String defaultText,
            long minimum, long maximum, boolean atRunTime) {
        assertEquals(key, tunable.key());
        assertEquals(variable, tunable.environmentVariable());
        assertEquals(kind, tunable.kind());
        assertEquals(defaultText, tunable.defaultText());
        assertEquals(minimum, tunable.minimum());
        assertEquals(maximum, tunable.maximum());
        assertEquals(atRunTime, tunable.changesAtRunTime());
    }

    @ParameterizedTest
    @EnumSource(Tunable.class)
    void shouldHaveOneLineOfDocumentation(Tunable tunable) {
        assertFalse(tunable.doc().isBlank());
        assertTrue(tunable.doc().indexOf('\n') < 0 && tunable.doc().indexOf('|') < 0, "would break the table");
    }

    @Test
    void shouldHaveDistinctNames() {
        final Set<String> names = new HashSet<>();
        for (final Tunable tunable : Tunable.values()) {
            assertTrue(names.add(tunable.key()), tunable.key());
            assertTrue(names.add(tunable.environmentVariable()), tunable.environmentVariable());
        }
    }

    @ParameterizedTest
    @EnumSource(Tunable.class)
    void shouldHaveVariableThatShellsAccept(Tunable tunable) {
        for (final char c : tunable.environmentVariable().toCharArray()) {
            assertTrue(c >= 'A' && c <= 'Z' || c == '_', tunable.environmentVariable());
        }
    }

    @ParameterizedTest
    @EnumSource(Tunable.class)
    void shouldBeFoundByItsNames(Tunable tunable) {
        assertSame(tunable, Tunable.named(tunable.key()));
        assertSame(tunable, Tunable.withEnvironmentVariable(tunable.environmentVariable()));
    }

    @Test
    void shouldFindNothingWhenNameIsUnknown() {
        assertNull(Tunable.named("smc.nothing"));
        assertNull(Tunable.named("SMC.ENABLED"));
        assertNull(Tunable.withEnvironmentVariable("SMC_NOTHING"));
    }

    @Test
    void shouldListEveryTunableInTable() {
        final String[] lines = Tunable.markdownTable().split("\n");
        assertEquals(Tunable.values().length + 2, lines.length);
        for (final Tunable tunable : Tunable.values()) {
            final String line = lines[tunable.ordinal() + 2];
            assertTrue(line.startsWith("| `" + tunable.key() + "` | "), line);
            assertTrue(line.endsWith(" | " + tunable.doc() + " |"), line);
        }
        assertTrue(lines[2].contains(" | `65536` | 16384 to 1073741823 bytes | no | "), lines[2]);
        assertTrue(lines[Tunable.BUSY_POLL_US.ordinal() + 2].contains(" | `0` | 0 to 1000 µs | yes | "));
    }

    @Test
    void shouldHaveTheTableInReadme() throws IOException {
        final Path readme = Path.of(System.getProperty("basedir", ""), "..", "README.md");
        assumeTrue(Files.exists(readme), "no README.md");
        final String text = Files.readString(readme);
        final int begin = text.indexOf(BEGIN);
        final int end = text.indexOf(END);
        assumeTrue(begin >= 0 && end > begin, "no place for the table in README.md");
        assertEquals(Tunable.markdownTable().strip(), text.substring(begin + BEGIN.length(), end).strip());
    }
}
