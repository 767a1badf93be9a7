package org.smc4j.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.Ports;

/** {@code java -jar smc-agent.jar …} against running JVMs. */
@Timeout(180)
class CommandLineTest {
    @Test
    void shouldShowConnectionsAndCountersWhenTheyUseSmc() throws Exception {
        int port = Ports.free();
        try (Observation run = new Observation("smc")) {
            JavaProcess server = run.server(run.java("server", "Echo").options(Observation.AT_ONCE), port);
            JavaProcess client = run.client(run.java("client", "Echo").options(Observation.AT_ONCE), port, 1234, 4321);
            Observation.Result all = run.command("ss", "-a");
            assertEquals(1, all.lines("State   UID").size(), all.text());
            String listener = rows(all, server).stream().filter(row -> row.startsWith("LISTEN")).findFirst()
                    .orElseThrow();
            assertTrue(listener.matches("LISTEN +\\d+ +" + server.pid() + " +127\\.0\\.0\\.1:" + port + " +\\* .*"),
                    listener);
            assertSmc(all, server, ".*127\\.0\\.0\\.1:" + port + " +127\\.0\\.0\\.1:\\d+ .*");
            assertSmc(all, client, ".*127\\.0\\.0\\.1:\\d+ +127\\.0\\.0\\.1:" + port + " .*");
            assertEquals(2, rows(run.command("ss"), server).size(), "connections without the listener");
            List<String> listeners = rows(run.command("ss", "-l"), server);
            assertEquals(1, listeners.size(), listeners.toString());
            String stats = block(run.command("stats"), server);
            assertTrue(stats.matches("(?s).*Total connections handled +2 \\(client 0, server 2\\).*"), stats);
            assertTrue(stats.matches("(?s).*SMC-D Connections Summary\\s+SMC connections +2 \\(client 0, server 2\\).*"
                    + "SMC-R Connections Summary\\s+SMC connections +0 .*"), stats);
            assertTrue(stats.matches("(?s).*TCP fallback +0 \\(client 0, server 0\\).*"), stats);
            assertTrue(stats.matches("(?s).*SMC-D .*RX Stats\\s+Data transmitted \\(Bytes\\) +5555 .*Bufs 256KB +2\\s.*"
                    + "TX Stats\\s+Data transmitted \\(Bytes\\) +5555 .*SMC-R .*"),
                    stats);
        }
    }

    private static void assertSmc(Observation.Result result, JavaProcess process, String addresses) {
        List<String> rows = rows(result, process).stream().filter(row -> row.startsWith("ACTIVE")).toList();
        assertEquals(2, rows.size(), result.text());
        for (int i = 0; i < 2; i++) {
            String bytes = i == 0 ? "1234" : "4321";
            assertTrue(rows.get(i).matches(addresses), rows.get(i));
            assertTrue(rows.get(i).matches(".* +" + bytes + " +" + bytes + " +0 +0 +- +- +- +- +SMCD"), rows.get(i));
        }
    }

    @Test
    void shouldShowTheReasonWhenAConnectionIsTcp() throws Exception {
        int port = Ports.free();
        try (Observation run = new Observation("tcp")) {
            run.server(run.plain("server", "Echo"), port);
            JavaProcess client = run.client(run.java("client", "Echo").options(Observation.AT_ONCE), port, 100);
            List<String> rows = rows(run.command("ss"), client);
            assertEquals(1, rows.size(), rows.toString());
            assertTrue(rows.getFirst()
                    .matches(".* 0 +0 +100 +100 +- +- +- +- +TCP 0x03010000 PEERNOSMC \\(peer did not signal SMC\\)"),
                    rows.getFirst());
            String stats = block(run.command("stats"), client);
            assertTrue(stats.matches("(?s).*TCP fallback +1 \\(client 1, server 0\\)\\s+"
                    + "0x03010000 peer did not signal SMC +1\\s.*SMC connections +0 .*SMC connections +0 .*"), stats);
        }
    }

    @Test
    void shouldSayWhetherAConnectionWouldBeSmcWhenChecked() throws Exception {
        int port = Ports.free();
        int plain = Ports.free();
        int nobody = Ports.free();
        try (Observation run = new Observation("check")) {
            JavaProcess server = run.server(run.java("server", "Echo"), port);
            run.server(run.plain("plain", "Echo"), plain);
            Observation.Result yes = run.command("check", "127.0.0.1", "" + port);
            // The listener is published a moment after it listens.
            for (int tries = 0; tries < 20 && yes.status() != 0; tries++) {
                yes = run.command("check", "127.0.0.1", "" + port);
            }
            assertEquals(0, yes.status(), yes.text());
            assertTrue(yes.text().contains(": SMCD; the server is process " + server.pid()), yes.text());
            assertNo(run.command("check", "127.0.0.1", "" + plain), "0x03010000", "without the agent");
            assertNo(run.command("check", "127.0.0.1", "" + nobody), "0x03010000", "nothing listens there");
            assertNo(run.command("check", "192.0.2.1", "" + port), "0x03010000", "not an address of this host");
            assertNo(run.command(List.of("-Dsmc.connect=deny 127.0.0.0/8 " + port), "check", "127.0.0.1", "" + port),
                    "0x03000000", "smc.connect");
            assertNo(run.command(List.of("-Dsmc.ueid=ANOTHER.CLUSTER"), "check", "127.0.0.1", "" + port), "0x0303000",
                    "would decline");
            String stats = block(run.command("stats"), server);
            assertTrue(stats.matches("(?s).*Total connections handled +0 .*"), "a check makes no connection: " + stats);
        }
    }

    @Test
    void shouldAnswerWithinBoundsWhenAProcessIsStopped() throws Exception {
        int port = Ports.free();
        try (Observation run = new Observation("stopped")) {
            JavaProcess server = run.server(run.java("server", "Echo").options(Observation.AT_ONCE), port);
            JavaProcess client = run.client(run.java("client", "Echo").options(Observation.AT_ONCE), port, 100);
            signal("STOP", server);
            try {
                Observation.Result sockets = run.command("ss");
                assertEquals(1, sockets.status());
                assertEquals(List.of("smc4j: process " + server.pid() + " does not answer (stopped?)"),
                        sockets.lines("process " + server.pid()));
                assertEquals(1, rows(sockets, client).size(), sockets.text());
                Observation.Result check = run.command("check", "127.0.0.1", "" + port);
                assertNo(check, "0x02010000", "does not answer");
            } finally {
                signal("CONT", server);
            }
            assertEquals(1, rows(run.command("ss"), server).size());
        }
    }

    @Test
    void shouldAnswerInOneLineWhenTheWordsMakeNoSense() throws Exception {
        try (Observation run = new Observation("words")) {
            assertOneLine(run.command("sss"), 2);
            assertOneLine(run.command(), 2);
            assertOneLine(run.command("ss", "-x"), 2);
            assertOneLine(run.command("linkgroup", "-x"), 2);
            assertOneLine(run.command("device", "-l"), 2);
            assertOneLine(run.command("check", "127.0.0.1"), 2);
            assertOneLine(run.command("check", "127.0.0.1", "http"), 2);
            assertOneLine(run.command("check", "127.0.0.1", "65536"), 2);
            assertOneLine(run.command("check", "no-such-host.invalid", "80"), 1);
            Observation.Result version = run.command("version");
            assertEquals(0, version.status());
            assertTrue(version.text().matches("smc4j \\d+\\.\\d+\\S*, SMC-D v2\\.1 and SMC-R v2\\.1; Java .*\\R"), version.text());
            Observation.Result help = run.command("help");
            assertEquals(0, help.status());
            assertTrue(help.text().contains("check HOST PORT"), help.text());
        }
    }

    private static void assertOneLine(Observation.Result result, int status) {
        assertEquals(status, result.status(), result.text());
        assertEquals(1, result.text().lines().count(), result.text());
        assertTrue(result.text().startsWith("smc4j: "), result.text());
    }

    private static void assertNo(Observation.Result result, String code, String detail) {
        assertEquals(1, result.status(), result.text());
        assertEquals(1, result.text().lines().count(), result.text());
        assertTrue(result.text().contains(": TCP " + code) && result.text().contains(detail), result.text());
        assertFalse(result.text().contains("\tat "), result.text());
    }

    private static List<String> rows(Observation.Result result, JavaProcess process) {
        return result.text().lines().filter(line -> line.matches("[A-Z0-9]+ +\\d+ +" + process.pid() + " .*")).toList();
    }

    private static String block(Observation.Result result, JavaProcess process) {
        int start = result.text().indexOf("Process " + process.pid() + " ");
        assertTrue(start >= 0, result.text());
        int end = result.text().indexOf("\nProcess ", start);
        return result.text().substring(start, end < 0 ? result.text().length() : end);
    }

    private static void signal(String name, JavaProcess process) throws Exception {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor());
    }
}
