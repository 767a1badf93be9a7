package org.smc4j.sysctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where values come from: precedence, the syntax of each source, what is not known. */
@Timeout(30)
class SourcesTest {
    @ParameterizedTest
    @CsvSource({
        // property, argument, environment, file: the value each gives; then the winner
        "1, 2, 3, 4, 1, property", ", 2, 3, 4, 2, argument", ", , 3, 4, 3, environment", ", , , 4, 4, file",
        ", , , , 0, default",
        "1, , , 4, 1, property", "1, , 3, , 1, property", ", 2, , 4, 2, argument", "x, 2, 3, 4, 0, default",
        "1, x, y, z, 1, property",
    })
    void shouldPreferTheStrongerSource(String property, String argument, String environment, String file, long value,
            String source) {
        final Properties properties = new Properties();
        if (property != null) {
            properties.setProperty("smc.busy_poll_us", property);
        }
        final Sysctl sysctl = Sysctl.of(argument == null ? null : "smc.busy_poll_us=" + argument, properties,
                environment == null ? Map.of() : Map.of("SMC_BUSY_POLL_US", environment),
                file == null ? null : "smc.busy_poll_us=" + file);
        assertEquals(value, sysctl.number(Tunable.BUSY_POLL_US));
        assertEquals(source, sysctl.source(Tunable.BUSY_POLL_US));
        assertEquals("x".equals(property) ? 1 : 0, sysctl.warnings().size(), "only what would count is looked at");
    }

    @ParameterizedTest
    @EnumSource(Tunable.class)
    void shouldReadEveryTunableFromEverySource(Tunable tunable) {
        final String text = sample(tunable);
        final Properties none = new Properties();
        final Properties properties = new Properties();
        properties.setProperty(tunable.key(), text);
        assertRead(tunable, "property", Sysctl.of(null, properties, Map.of(), ""));
        assertRead(tunable, "argument", Sysctl.of(tunable.key() + "=" + text, none, Map.of(), ""));
        assertRead(tunable, "environment", Sysctl.of(null, none, Map.of(tunable.environmentVariable(), text), ""));
        if (tunable != Tunable.CONFIGURATION_FILE) {
            assertRead(tunable, "file", Sysctl.of(null, none, Map.of(), tunable.key() + "=" + text));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`', value = {
        // arguments ! smc.busy_poll_us ! smc.connect ! smc.summary
        "smc.busy_poll_us=5 ! 5 ! `` ! off",
        "smc.busy_poll_us=5,smc.summary=stderr ! 5 ! `` ! stderr",
        "smc.busy_poll_us=5;smc.summary=stderr ! 5 ! `` ! stderr",
        "` smc.busy_poll_us = 5 ,; , smc.summary = stderr ; ` ! 5 ! `` ! stderr",
        "smc.busy_poll_us=5,smc.busy_poll_us=6 ! 6 ! `` ! off",
        "smc.connect='allow 10.0.0.0/8, deny *',smc.busy_poll_us=5 ! 5 ! allow 10.0.0.0/8, deny * ! off",
        "smc.connect=\"allow ::1; deny *\" ;smc.busy_poll_us=5 ! 5 ! allow ::1; deny * ! off",
        "smc.connect=deny * ! 0 ! deny * ! off",
        "smc.summary=/tmp/it's=here,smc.busy_poll_us=7 ! 7 ! `` ! /tmp/it's=here",
        "smc.summary=\"/tmp/it's,here\" ! 0 ! `` ! /tmp/it's,here",
        "smc.connect=,smc.busy_poll_us=7 ! 7 ! `` ! off",
        "smc.connect='' ! 0 ! `` ! off",
        "`` ! 0 ! `` ! off",
    })
    void shouldReadAgentArguments(String arguments, long busyPoll, String connect, String summary) {
        final Sysctl sysctl = Sysctl.of(arguments, new Properties(), Map.of(), null);
        assertEquals(List.of(), sysctl.warnings());
        assertEquals(busyPoll, sysctl.number(Tunable.BUSY_POLL_US));
        assertEquals(connect, sysctl.text(Tunable.CONNECT));
        assertEquals(summary, sysctl.text(Tunable.SUMMARY));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '"', value = {
        "debug,smc.busy_poll_us=5 ! agent argument 'debug': no '=' in it, ignored (a value with ',' or ';' in it needs"
                + " quotes)",
        "smc.busy_poll_us=5,smc.connect=allow ::1,deny * ! agent argument 'deny *': no '=' in it, ignored (a value with"
                + " ',' or ';' in it needs quotes)",
        "smc.bogus=1,smc.busy_poll_us=5,smc.bogus=2 ! agent argument smc.bogus: unknown setting, ignored",
        "enabled=0,smc.busy_poll_us=5 ! agent argument enabled: unknown setting, ignored",
        "=1,smc.busy_poll_us=5 ! agent argument : unknown setting, ignored",
        "smc.connect='a'b,smc.busy_poll_us=5 ! agent argument smc.connect: text after the closing quote, ignored",
        "smc.busy_poll_us=5,smc.connect='deny *,smc.log=off ! agent argument smc.connect: the quote that begins its"
                + " value is never closed, ignored with all that follows",
    })
    void shouldWarnAndGoOnWhenAgentArgumentIsMalformed(String arguments, String warning) {
        final Sysctl sysctl = Sysctl.of(arguments, new Properties(), Map.of(), null);
        assertEquals(List.of(warning), sysctl.warnings());
        assertEquals(5, sysctl.number(Tunable.BUSY_POLL_US));
        assertEquals("warn", sysctl.text(Tunable.LOG));
    }

    @Test
    void shouldReadFileContent() {
        final Sysctl sysctl = Sysctl.of(null, new Properties(), Map.of(), """
                # a comment, then an empty line

                  smc.busy_poll_us = 5\t
                smc.connect=allow 10.0.0.0/8, deny * # 1
                smc.accept=allow 10.0.0.0/8, deny *
                   # smc.log=off
                smc.summary=/tmp/a=b#c
                net.smc.wmem=128k\r
                net.smc.rmem=20000
                net.smc.rmem=30000""");
        assertEquals(5, sysctl.number(Tunable.BUSY_POLL_US));
        assertFalse(sysctl.rules(Tunable.ACCEPT).allows(new byte[] {11, 0, 0, 1}, 80));
        assertEquals("warn", sysctl.text(Tunable.LOG));
        assertEquals("/tmp/a=b#c", sysctl.text(Tunable.SUMMARY));
        assertEquals(131072, sysctl.number(Tunable.WMEM));
        assertEquals(30000, sysctl.number(Tunable.RMEM));
        assertEquals(List.of("smc.conf line 4: smc.connect: rule 'deny * # 1': has more than an address and a port;"
                + " using the default (empty)"), sysctl.warnings());
    }

    @Test
    void shouldWarnAndGoOnWhenFileIsMalformed() {
        final Sysctl sysctl = Sysctl.of(null, new Properties(), Map.of(), """
                smc.bogus=1
                smc.log
                smc.configuration_file=/etc/other.conf
                smc.switch_wait_ms=soon
                smc.busy_poll_us=5
                """);
        assertEquals(List.of(
                "smc.conf line 1: smc.bogus: unknown setting, ignored",
                "smc.conf line 2: no '=' in 'smc.log', ignored",
                "smc.conf line 3: smc.configuration_file: has no effect in the file itself, ignored",
                "smc.conf line 4: smc.switch_wait_ms: 'soon' is not a whole number; using the default 0"),
                sysctl.warnings());
        assertEquals(5, sysctl.number(Tunable.BUSY_POLL_US));
    }

    @Test
    void shouldReadTheFileThatASettingNames(@TempDir Path folder) throws IOException {
        final Path file = Files.writeString(folder.resolve("smc.conf"), "smc.busy_poll_us=5\nsmc.bogus=1\n");
        final Properties properties = new Properties();
        properties.setProperty("smc.configuration_file", file.toString());
        final List<Sysctl> all = List.of(
                Sysctl.of(null, properties, Map.of(), null),
                Sysctl.of("smc.configuration_file=" + file, new Properties(), Map.of(), null),
                Sysctl.of(null, new Properties(), Map.of("SMC_CONFIGURATION_FILE", file.toString()), null));
        for (final Sysctl sysctl : all) {
            assertEquals(5, sysctl.number(Tunable.BUSY_POLL_US));
            assertEquals("file", sysctl.source(Tunable.BUSY_POLL_US));
            assertEquals(List.of(file + " line 2: smc.bogus: unknown setting, ignored"), sysctl.warnings());
        }
    }

    @Test
    void shouldWarnWhenFileCannotBeRead(@TempDir Path folder) throws IOException {
        final Path large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);
        final String missing = folder.resolve("missing").toString();
        for (final String path : List.of(missing, folder.toString(), large.toString(), "a\0b")) {
            final Sysctl sysctl = Sysctl.of("smc.configuration_file=" + path, new Properties(), Map.of(), null);
            assertEquals(1, sysctl.warnings().size(), path);
            assertTrue(sysctl.warnings().get(0).startsWith("configuration file " + path), sysctl.warnings().get(0));
        }
    }

    @Test
    void shouldWarnOnceAboutEachUnknownProperty() {
        final Properties properties = new Properties();
        properties.setProperty("smc.bogus", "1");
        properties.setProperty("net.smc.bogus", "1");
        properties.setProperty("net.smcx", "1");
        properties.setProperty("smc", "1");
        properties.setProperty("other.smc.bogus", "1");
        properties.put(42, "not a string");
        properties.put("smc.busy_poll_us", 42);
        final Sysctl sysctl = Sysctl.of(null, properties, Map.of(), null);
        assertEquals(List.of("property net.smc.bogus: unknown setting, ignored",
                "property smc.bogus: unknown setting, ignored"), sysctl.warnings().stream().sorted().toList());
        assertEquals("default", sysctl.source(Tunable.BUSY_POLL_US));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "SMC_BOGUS", "NET_SMC_BOGUS", "SMC_", "SMC_DEBUGGER", "SMC_JDKS", "SMC_SUITES", "NET_SMC_DEBUG",
    })
    void shouldWarnAboutUnknownVariable(String name) {
        final Sysctl sysctl = Sysctl.of(null, new Properties(), Map.of(name, "1"), null);
        assertEquals(List.of("environment variable " + name + ": unknown setting, ignored"), sysctl.warnings());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "SMC_DEBUG", "SMC_RCVBUF", "SMC_SNDBUF", "SMC_JDK", "SMC_JAVA", "SMC_SUITES_CACHE", "SMC_SUITES_", "SMCX",
        "PATH", "smc_bogus", "XSMC_BOGUS", "NET_SMCX",
    })
    void shouldLeaveOtherVariablesAlone(String name) {
        assertEquals(List.of(), Sysctl.of(null, new Properties(), Map.of(name, "1"), null).warnings());
    }

    @Test
    void shouldUsePropertyDefaultsOfSubclasses() {
        final Properties defaults = new Properties();
        defaults.setProperty("smc.busy_poll_us", "5");
        assertEquals(5, Sysctl.of(null, new Properties(defaults), Map.of(), null).number(Tunable.BUSY_POLL_US));
    }

    @Test
    void shouldNotFailWhenPropertiesCannotBeEnumerated() {
        final Properties broken = new Properties() {
            private static final long serialVersionUID = 1;

            @Override
            public Enumeration<Object> keys() {
                throw new IllegalStateException("no keys");
            }
        };
        broken.setProperty("smc.busy_poll_us", "5");
        final Sysctl sysctl = Sysctl.of(null, broken, Map.of(), null);
        assertEquals(5, sysctl.number(Tunable.BUSY_POLL_US));
        assertEquals(List.of("the system properties could not be checked for unknown settings:"
                + " java.lang.IllegalStateException: no keys"), sysctl.warnings());
    }

    @Test
    void shouldNotFailWhenAnotherThreadChangesProperties() throws InterruptedException {
        final Properties properties = new Properties();
        final Thread writer = Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                properties.setProperty("other." + i % 1000, "x");
                properties.remove("other." + (i + 500) % 1000);
            }
        });
        try {
            for (int i = 0; i < 2000; i++) {
                assertEquals(List.of(), Sysctl.of(null, properties, Map.of(), null).warnings());
            }
        } finally {
            writer.interrupt();
            writer.join();
        }
    }

    @Test
    void shouldLoadFromTheProcess() {
        System.setProperty("smc.busy_poll_us", "77");
        try {
            assertEquals(77, Sysctl.load(null).number(Tunable.BUSY_POLL_US));
            assertEquals(77, Sysctl.load("smc.busy_poll_us=5").number(Tunable.BUSY_POLL_US));
        } finally {
            System.clearProperty("smc.busy_poll_us");
        }
        assertEquals(5, Sysctl.load("smc.busy_poll_us=5").number(Tunable.BUSY_POLL_US));
    }

    private static void assertRead(Tunable tunable, String source, Sysctl sysctl) {
        assertEquals(source, sysctl.source(tunable));
        assertEquals(sample(tunable), sysctl.text(tunable));
        assertEquals(List.of(), sysctl.warnings());
    }

    /** A valid value that is not the default. */
    private static String sample(Tunable tunable) {
        return switch (tunable) {
            case LOG -> "error";
            case UEID, SUMMARY, CONFIGURATION_FILE, SIDEBAND_SECRET_FILE, RNIC -> "SAMPLE";
            case PEER_UIDS -> "1000";
            case SMCR_MAX_LINKS_PER_LGR -> "1";
            case SMCR_MAX_CONNS_PER_LGR -> "16";
            case SIDEBAND_BIND -> "10.0.0.1";
            case CONNECT, ACCEPT, SIDEBAND_PEERS -> "deny 10.0.0.1 80-90";
            default -> tunable.kind() == Kind.FLAG
                    ? Boolean.toString(!Boolean.parseBoolean(tunable.defaultText()))
                    : Long.toString(Long.parseLong(tunable.defaultText()) + 1);
        };
    }
}
