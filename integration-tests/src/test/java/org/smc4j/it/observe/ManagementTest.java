package org.smc4j.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.JavaProcess;

/** The MXBean {@code org.smc4j:type=Smc}. */
@Timeout(180)
class ManagementTest {
    @Test
    void shouldShowConnectionsAndTakeSettingsWhenAskedByJmx() throws Exception {
        try (Observation run = new Observation("jmx")) {
            JavaProcess process = run.start(run.java("managed", "Managed").options(Observation.AT_ONCE));
            String output = process.awaitSuccess(Observation.LIMIT);
            assertLines(output, "first ACTIVE SMCD 1000 0 ",
                    "second ACTIVE TCP 0 1000 0x03000000 CNFERR (configuration error)",
                    "first again true ACTIVE SMCD 2000 0 ", "third ACTIVE SMCD 1000 0 ", "TotalConnections 6",
                    "ClientConnections 3", "ServerConnections 3", "SmcdConnections 4", "SmcrConnections 0", "TcpConnections 2",
                    "group SMCD 2 2 true", "device smc4j-ism 2", "SmcdTraffic 6000 true", "SmcrTraffic 0 0",
                    "OpenConnections 6",
                    "TxBytes 6000", "RxBytes 6000", "fallback 0x03000000 1 configuration error",
                    "refused: no setting has the name 'smc.nonsense'", "refused: smc.ueid cannot change at run time",
                    "refused: smc.busy_poll_us: 'many' is not a whole number",
                    "tunable net.smc.rmem=262144 default false true",
                    "tunable smc.enabled=true run time true true",
                    "tunable smc.switch_after_bytes=0 property true true",
                    "tunable smc.log=off run time true true", "platform interfaces of ours: 0");
            assertFalse(process.lines("^summary: smc4j pid=" + process.pid() + " smcd=4 smcr=0 tcp=2 ").isEmpty(),
                    output);
            assertEquals(1, process.lines("^smc4j: published smc4j/1/").size(), "the log level, for as long as set: "
                    + output);
        }
    }

    @Test
    void shouldBeThereWhenTheServerIsMadeBeforeAnySocket() throws Exception {
        try (Observation run = new Observation("jmx-early")) {
            JavaProcess process = run.start(run.java("managed", "Managed").options(Observation.AT_ONCE).args("early"));
            assertLines(process.awaitSuccess(Observation.LIMIT), "first ACTIVE SMCD 1000 0 ");
        }
    }

    @Test
    void shouldBeThereWhenTheJvmIsStartedForRemoteJmx() throws Exception {
        try (Observation run = new Observation("jmx-remote")) {
            JavaProcess process = run.start(run.java("managed", "Managed").options(Observation.AT_ONCE)
                    .options("-Dcom.sun.management.jmxremote"));
            assertLines(process.awaitSuccess(Observation.LIMIT), "first ACTIVE SMCD 1000 0 ");
        }
    }

    @Test
    void shouldLoadNothingOfJmxWhenTheApplicationDoesNot() throws Exception {
        try (Observation run = new Observation("no-jmx")) {
            JavaProcess process = run.start(run.java("hello", "Hello").options(Observation.AT_ONCE)
                    .options("-Xlog:class+load:stdout"));
            process.awaitSuccess(Observation.LIMIT);
            assertFalse(process.lines("sun\\.nio\\.ch\\.SocketHooks").isEmpty(), "the agent was active");
            assertEquals(List.of(), process.lines(" (javax\\.management\\S*|sun\\.management\\.spi\\S*) source"));
        }
    }

    private static void assertLines(String output, String... lines) {
        List<String> all = output.lines().toList();
        for (String line : lines) {
            assertTrue(all.contains(line), "no line '" + line + "' in:\n" + output);
        }
    }
}
