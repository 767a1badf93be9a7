package org.smc4j.sysctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The values: parsing, ranges, reading, changing. */
@Timeout(30)
class SysctlTest {
    @ParameterizedTest
    @EnumSource(Tunable.class)
    void shouldHaveValidDefaults(Tunable tunable) {
        final Sysctl sysctl = sysctl();
        assertEquals(tunable.defaultText(), sysctl.text(tunable));
        assertEquals("default", sysctl.source(tunable));
        assertEquals(List.of(), sysctl.warnings());
        if (tunable.kind().isNumber()) {
            assertEquals(Long.parseLong(tunable.defaultText()), sysctl.number(tunable));
        } else if (tunable.kind() == Kind.FLAG) {
            assertEquals(Boolean.parseBoolean(tunable.defaultText()), sysctl.flag(tunable));
        } else if (tunable.kind() == Kind.RULES) {
            assertTrue(sysctl.rules(tunable).isEmpty());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "WMEM, 16384, 16384", "WMEM, 16k, 16384", "WMEM, 1M, 1048576", "WMEM, 1073741823, 1073741823",
        "SWITCH_AFTER_BYTES, 0, 0", "SWITCH_AFTER_BYTES, 3g, 3221225472",
        "SWITCH_AFTER_BYTES, 8589934591G, 9223372035781033984",
        "SWITCH_AFTER_BYTES, 9223372036854775807, 9223372036854775807", "AUTOCORKING_SIZE, 4294967295, 4294967295",
        "BUSY_POLL_US, 1000, 1000", "BUSY_POLL_US, 007, 7", "BUSY_POLL_US, ' 5 ', 5", "PENDING_HANDSHAKES, 1, 1",
        "HANDSHAKE_TIMEOUT_MS, 10, 10",
    })
    void shouldReadNumber(Tunable tunable, String text, long expected) {
        final Sysctl sysctl = sysctl(tunable.key(), text);
        assertEquals(List.of(), sysctl.warnings());
        assertEquals(expected, sysctl.number(tunable));
        assertEquals(Long.toString(expected), sysctl.text(tunable));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', value = {
        "true ! true", "TRUE ! true", "on ! true", "yes ! true", "1 ! true", "false ! false", "off ! false",
        "No ! false", "0 ! false", "' true ' ! true",
    })
    void shouldReadFlag(String text, boolean expected) {
        final Sysctl sysctl = sysctl("smc.enabled", text, "smc.netty_native", text);
        assertEquals(List.of(), sysctl.warnings());
        assertEquals(expected, sysctl.flag(Tunable.ENABLED));
        assertEquals(expected, sysctl.flag(Tunable.NETTY_NATIVE));
        assertEquals(Boolean.toString(expected), sysctl.text(Tunable.ENABLED));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', value = {
        "UEID ! A ! A", "UEID ! ABCDEFGHIJKLMNOPQRSTUVWXYZ.-0123 ! ABCDEFGHIJKLMNOPQRSTUVWXYZ.-0123",
        "UEID ! 'A, B  C,,0.-' ! 'A, B  C,,0.-'", "PEER_UIDS ! '0, 1000 4294967295' ! '0, 1000 4294967295'",
        "LOG ! DEBUG ! debug", "LOG ! off ! off", "SUMMARY ! stderr ! stderr", "SUMMARY ! /tmp/a b ! /tmp/a b",
        "CONNECT ! 'deny *' ! 'deny *'", "UEID ! '' ! ''",
    })
    void shouldReadText(Tunable tunable, String text, String expected) {
        final Sysctl sysctl = sysctl(tunable.key(), text);
        assertEquals(List.of(), sysctl.warnings());
        assertEquals(expected, sysctl.text(tunable));
    }

    @Test
    void shouldReadRules() {
        final Sysctl sysctl = sysctl("smc.accept", "deny 10.0.0.0/8");
        assertFalse(sysctl.rules(Tunable.ACCEPT).allows(new byte[] {10, 0, 0, 1}, 80));
        assertTrue(sysctl.rules(Tunable.CONNECT).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', value = {
        "WMEM ! 16383 ! '16383' is not within 16384 to 1073741823 bytes; using the default 65536",
        "WMEM ! 1g ! '1g' is not within 16384 to 1073741823 bytes; using the default 65536",
        "WMEM ! k ! 'k' is not a whole number with an optional k, m or g; using the default 65536",
        "WMEM ! 64kb ! '64kb' is not a whole number with an optional k, m or g; using the default 65536",
        "WMEM ! 64 k ! '64 k' is not a whole number with an optional k, m or g; using the default 65536",
        "WMEM ! -1 ! '-1' is not a whole number with an optional k, m or g; using the default 65536",
        "SWITCH_AFTER_BYTES ! 9223372036854775808 ! '9223372036854775808' is not within 0 to 9223372036854775807 bytes;"
                + " using the default 131072",
        "SWITCH_AFTER_BYTES ! 8589934592g ! '8589934592g' is not within 0 to 9223372036854775807 bytes;"
                + " using the default 131072",
        "SWITCH_AFTER_BYTES ! 99999999999999999999999999 ! '99999999999999999999999999' is not within 0 to"
                + " 9223372036854775807 bytes; using the default 131072",
        "BUSY_POLL_US ! 1001 ! '1001' is not within 0 to 1000 µs; using the default 0",
        "BUSY_POLL_US ! 1k ! '1k' is not a whole number; using the default 0",
        "BUSY_POLL_US ! '' ! '' is not a whole number; using the default 0",
        "BUSY_POLL_US ! 0x10 ! '0x10' is not a whole number; using the default 0",
        "HANDSHAKE_TIMEOUT_MS ! 9 ! '9' is not within 10 to 60000 ms; using the default 6000",
        "PENDING_HANDSHAKES ! 0 ! '0' is not within 1 to 65536; using the default 1024",
        "ENABLED ! maybe ! 'maybe' is neither true nor false; using the default true",
        "ENABLED ! '' ! '' is neither true nor false; using the default true",
        "LOG ! trace ! 'trace' is not one of off, error, warn, info, debug; using the default warn",
        "SUMMARY ! '' ! '' is neither off, nor stderr, nor a file; using the default off",
        "UEID ! a ! 'a' is not a UEID: 1 to 32 of A-Z 0-9 . - and the first a letter or digit;"
                + " using the default (empty)",
        "UEID ! A .B ! '.B' is not a UEID: 1 to 32 of A-Z 0-9 . - and the first a letter or digit;"
                + " using the default (empty)",
        "UEID ! ABCDEFGHIJKLMNOPQRSTUVWXYZ.-01234 ! 'ABCDEFGHIJKLMNOPQRSTUVWXYZ.-01234' is not a UEID: 1 to 32 of"
                + " A-Z 0-9 . - and the first a letter or digit; using the default (empty)",
        "UEID ! A B C D E F ! more than 4 UEIDs, 'E' is one too many; using the default (empty)",
        "PEER_UIDS ! 1000,root ! 'root' is not a numeric user id; using the default (empty)",
        "PEER_UIDS ! 4294967296 ! '4294967296' is not a numeric user id; using the default (empty)",
        "PEER_UIDS ! -1 ! '-1' is not a numeric user id; using the default (empty)",
        "SIDEBAND_BIND ! localhost ! 'localhost' is no numeric address (names are not resolved); using the default (empty)",
        "SIDEBAND_PORT ! 65536 ! '65536' is not within 0 to 65535; using the default 0",
        "CONNECT ! allow *, drop * ! rule 'drop *': must begin with allow or deny; using the default (empty)",
    })
    void shouldWarnAndUseDefaultWhenValueIsBad(Tunable tunable, String text, String warning) {
        final Sysctl sysctl = sysctl(tunable.key(), text);
        assertEquals(List.of("property " + tunable.key() + ": " + warning), sysctl.warnings());
        assertEquals(tunable.defaultText(), sysctl.text(tunable));
        assertEquals("default", sysctl.source(tunable));
        assertTrue(sysctl.isRejected(tunable));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 7f000001", "::ffff:10.1.2.3, 0a010203", "fd00::1:2, fd000000000000000000000000010002"})
    void shouldReadAddress(String text, String expected) {
        final Sysctl sysctl = sysctl("smc.sideband.bind", text);
        assertEquals(expected, HexFormat.of().formatHex(sysctl.address(Tunable.SIDEBAND_BIND)));
        assertFalse(sysctl.isRejected(Tunable.SIDEBAND_BIND));
        assertNull(sysctl().address(Tunable.SIDEBAND_BIND));
    }

    @Test
    void shouldChangeAtRunTime() {
        final Sysctl sysctl = sysctl("smc.busy_poll_us", "10");
        sysctl.set(Tunable.BUSY_POLL_US, " 20 ");
        sysctl.set(Tunable.ENABLED, "off");
        sysctl.set(Tunable.LOG, "Info");
        assertEquals(20, sysctl.number(Tunable.BUSY_POLL_US));
        assertEquals("20", sysctl.text(Tunable.BUSY_POLL_US));
        assertEquals("run time", sysctl.source(Tunable.BUSY_POLL_US));
        assertFalse(sysctl.flag(Tunable.ENABLED));
        assertEquals("info", sysctl.text(Tunable.LOG));
        assertEquals(6000, sysctl.number(Tunable.HANDSHAKE_TIMEOUT_MS));
    }

    @ParameterizedTest
    @EnumSource(Tunable.class)
    void shouldRefuseChangeWhenOnlyReadAtStart(Tunable tunable) {
        final Sysctl sysctl = sysctl();
        if (tunable.changesAtRunTime()) {
            sysctl.set(tunable, tunable.defaultText());
            assertEquals("run time", sysctl.source(tunable));
        } else {
            final String message = assertThrows(IllegalArgumentException.class,
                    () -> sysctl.set(tunable, tunable.defaultText())).getMessage();
            assertEquals(tunable.key() + " cannot change at run time", message);
            assertEquals("default", sysctl.source(tunable));
        }
    }

    @Test
    void shouldKeepValueWhenChangeIsBad() {
        final Sysctl sysctl = sysctl("smc.busy_poll_us", "10");
        assertEquals("smc.busy_poll_us: '1001' is not within 0 to 1000 µs", assertThrows(IllegalArgumentException.class,
                () -> sysctl.set(Tunable.BUSY_POLL_US, "1001")).getMessage());
        assertEquals("smc.busy_poll_us: no value given", assertThrows(IllegalArgumentException.class,
                () -> sysctl.set(Tunable.BUSY_POLL_US, null)).getMessage());
        assertEquals(10, sysctl.number(Tunable.BUSY_POLL_US));
        assertEquals("property", sysctl.source(Tunable.BUSY_POLL_US));
        assertEquals(List.of(), sysctl.warnings());
    }

    @Test
    void shouldNotLetCallersChangeWarnings() {
        assertThrows(UnsupportedOperationException.class, () -> sysctl().warnings().add("x"));
    }

    private static Sysctl sysctl(String... properties) {
        final Properties map = new Properties();
        for (int i = 0; i < properties.length; i += 2) {
            map.setProperty(properties[i], properties[i + 1]);
        }
        return Sysctl.of(null, map, Map.of(), null);
    }
}
