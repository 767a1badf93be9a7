package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.TwoHosts;
import org.smc4j.it.support.TwoHosts.Host;

/**
 * The only link between two hosts is lost under streams of data: the connections go on over the TCP connections that they began on, and
 * every byte arrives, once and in its place. Later connections use SMC-R again.
 */
@Tag("faults")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LastLinkTest {
    private static final int CONNECTIONS = 6;
    private static final int PORT = 5000;
    private static final int SHORT_CONNECTIONS = 1_500;
    private static final String AT_ONCE = "-Dsmc.switch_after_bytes=0";
    /** The kernel's SMC_CLC_DECL_NOACTLINK. */
    private static final int NO_ACTIVE_LINK = 0x030A0000;
    private static final Duration LOSS = Duration.ofSeconds(40);
    private static final Duration END = Duration.ofSeconds(60);
    private static final int OUTAGE_MILLIS = 2_000;
    private static final int TRAFFIC_MILLIS = 1_500;
    private static final String TOLD_BY_TCP = "^smc4j: the peer of link group \\w+ \\(\\w+\\) has gone back to TCP$";
    private static final String LEAVING_TCP = "^smc4j: SMC-R: the last link of a connection is lost before it has left TCP at both ends.*$";
    private static final String OVER_TCP = "^smc4j: SMC-R: the last link of a connection is lost, it goes on over TCP$";

    @BeforeEach
    void needNetworkNamespaces() {
        TwoHosts.assumeAvailable();
    }

    /** A cable is pulled: both ends see that. */
    @Test
    void shouldGoOnOverTcpWhenTheCableIsPulled() throws Exception {
        run("last-link-cable", 1, false);
    }

    /** A port fails: the other end gives up the path some time later. */
    @Test
    void shouldGoOnOverTcpWhenAPortFails() throws Exception {
        run("last-link-port", 2, false);
    }

    /** Nobody sends anything, so the other end would not find out for long: it is told by TCP. */
    @Test
    void shouldGoOnOverTcpWhenOnlyOneEndHasSeenTheLoss() throws Exception {
        run("last-link-idle", 2, true);
    }

    /** The reader has not yet read what came before the switch, and what came behind it lies in the ring; then TCP goes on. */
    @Test
    void shouldReadAllThreePartsOfTheStreamAtLast() throws Exception {
        late("last-link-late", false);
    }

    /** What the client had written when it was killed is with its TCP. */
    @Test
    void shouldReadWhatAProcessHadWrittenBeforeItWasKilledOnTcp() throws Exception {
        late("last-link-kill", true);
    }

    /** Links come and go while connections do: each is SMC-R, or TCP, or goes from one to the other, and no byte is lost in any. */
    @Test
    void shouldServeShortConnectionsWhileTheOnlyLinkComesAndGoes() throws Exception {
        long seed = Scene.seed();
        Random random = new Random(seed);
        System.out.println("last-link-short: seed " + seed);
        try (TwoHosts hosts = new TwoHosts(); Scene scene = new Scene("last-link-short")) {
            JavaProcess server = scene.start(program(scene, "server", EchoServer.class, hosts, Host.ONE)
                    .options(Place.option(Host.ONE.address()), AT_ONCE).args(PORT));
            server.awaitLine("^ready$", Scene.LIMIT);
            JavaProcess client = scene.start(program(scene, "client", ShortClient.class, hosts, Host.TWO)
                    .options(Place.option(Host.ONE.address()), AT_ONCE).args(PORT, SHORT_CONNECTIONS, seed));
            int cuts = 0;
            for (; client.process().isAlive(); cuts++) {
                Thread.sleep(TRAFFIC_MILLIS + random.nextInt(TRAFFIC_MILLIS));
                // Not the client's: it could not connect.
                hosts.set(Host.ONE, 0, false);
                Thread.sleep(random.nextInt(TRAFFIC_MILLIS));
                hosts.set(Host.ONE, 0, true);
            }
            System.out.println("last-link-short: " + cuts + " cuts, " + client.lines(OVER_TCP).size() + " went back to TCP");
            System.out.println(client.summary());
            List<String> bad = client.lines("^BAD .*$");
            assertTrue(client.output().contains(SHORT_CONNECTIONS - bad.size() + " good"), "seed " + seed + "\n" + client.output());
            // A limit that README names: the moment in which one end has left TCP, and does not know of the other.
            int resets = client.lines(LEAVING_TCP).size() + server.lines(LEAVING_TCP).size();
            assertTrue(bad.size() <= Math.min(resets, cuts), "seed " + seed + ", " + resets + " resets, " + bad);
            assertTrue(bad.stream().allMatch(line -> line.contains("onnection reset")), bad::toString);
        }
    }

    private void late(String name, boolean kill) throws Exception {
        try (TwoHosts hosts = new TwoHosts(); Scene scene = new Scene(name)) {
            Path start = scene.directory().resolve("start");
            Path enough = scene.directory().resolve("enough");
            JavaProcess server = scene.start(program(scene, "server", LateReader.class, hosts, Host.ONE).args("server", PORT, start));
            server.awaitLine("^ready$", Scene.LIMIT);
            JavaProcess client = scene.start(program(scene, "client", LateReader.class, hosts, Host.TWO).args("client",
                    Host.ONE.address(), PORT, enough));
            Scene.await("a link is up", Scene.LIMIT, () -> LinkStates.of(client).areUp(1));
            Thread.sleep(TRAFFIC_MILLIS);
            hosts.set(Host.TWO, 0, false);
            Thread.sleep(OUTAGE_MILLIS);
            hosts.set(Host.TWO, 0, true);
            Scene.await("both go on over TCP", LOSS, () -> server.lines(OVER_TCP).size() == 1 && client.lines(OVER_TCP).size() == 1);
            Thread.sleep(TRAFFIC_MILLIS);
            if (kill) {
                client.process().destroyForcibly();
            } else {
                Files.createFile(enough);
            }
            Files.createFile(start);
            Matcher heard = server.awaitLine("^heard (\\d+) (.*)$", END);
            assertEquals(List.of(), server.lines("^BAD .*$"));
            assertEquals("end", heard.group(2));
            long least = client.lines("^said \\d+$").stream().mapToLong(line -> Long.parseLong(line.substring("said ".length()))).max()
                    .orElseThrow();
            assertTrue(Long.parseLong(heard.group(1)) >= least, heard.group() + ", said " + least);
            if (!kill) {
                String all = heard.group(1);
                assertTrue(client.awaitSuccess(END).contains("said " + all + " in all, answer " + all), client.output());
                scene.stop();
                assertEquals(1, server.summary().smcr(), server.summary().toString());
            }
        }
    }

    private void run(String name, int interfaces, boolean quiet) throws Exception {
        long seed = Scene.seed();
        Random random = new Random(seed);
        System.out.println(name + ": seed " + seed);
        try (TwoHosts hosts = new TwoHosts(interfaces); Scene scene = new Scene(name)) {
            JavaProcess server = scene.start(program(scene, "server", LinkStreams.class, hosts, Host.ONE).args("server", PORT));
            server.awaitLine("^ready$", Scene.LIMIT);
            Path enough = scene.directory().resolve("enough");
            JavaProcess client = client(scene, "client", hosts, enough);
            Thread.sleep(random.nextInt(TRAFFIC_MILLIS));
            if (quiet) {
                Files.createFile(quietFile(scene));
                Thread.sleep(TRAFFIC_MILLIS);
            }
            Host host = Host.values()[random.nextInt(Host.values().length)];
            hosts.set(host, 0, false);
            Thread.sleep(quiet ? 0 : OUTAGE_MILLIS);
            hosts.set(host, 0, true);
            Scene.await("all connections go on over TCP", LOSS, () -> server.lines(OVER_TCP).size() == CONNECTIONS
                    && client.lines(OVER_TCP).size() == CONNECTIONS);
            if (quiet) {
                assertEquals(1, (host == Host.ONE ? client : server).lines(TOLD_BY_TCP).size());
                Files.delete(quietFile(scene));
            }
            Thread.sleep(TRAFFIC_MILLIS);
            Files.createFile(enough);
            client.awaitSuccess(END);
            assertNothingBad(server, client, CONNECTIONS);

            Path enoughAgain = scene.directory().resolve("enough-again");
            JavaProcess again = client(scene, "again", hosts, enoughAgain);
            Thread.sleep(TRAFFIC_MILLIS);
            Files.createFile(enoughAgain);
            again.awaitSuccess(END);
            assertNothingBad(server, again, 2 * CONNECTIONS);
            scene.stop();
            assertEquals(2 * CONNECTIONS, server.summary().smcr(), "all were SMC-R: " + server.summary());
            assertEquals(CONNECTIONS, again.summary().smcr(), again.summary().toString());
            for (JavaProcess end : List.of(server, client)) {
                assertEquals(Map.of(NO_ACTIVE_LINK, (long) CONNECTIONS), end.summary().tcpFallback(), end.summary().toString());
            }
            assertEquals(Map.of(), again.summary().tcpFallback(), again.summary().toString());
            assertEquals(0, again.lines(OVER_TCP).size());
        }
    }

    private static JavaProcess client(Scene scene, String name, TwoHosts hosts, Path enough) throws Exception {
        JavaProcess client = scene.start(program(scene, name, LinkStreams.class, hosts, Host.TWO).args("client", Host.ONE.address(),
                PORT, CONNECTIONS, enough));
        client.awaitLine("^connected$", Scene.LIMIT);
        Scene.await("a link is up", Scene.LIMIT, () -> LinkStates.of(client).areUp(1));
        // The handshakes of the last ones may still be under way.
        Thread.sleep(TRAFFIC_MILLIS);
        return client;
    }

    private static Path quietFile(Scene scene) {
        return scene.directory().resolve("quiet");
    }

    private static JavaProcess.Builder program(Scene scene, String name, Class<?> main, TwoHosts hosts, Host host) {
        return scene.java(name, main).on(hosts.on(host)).options("-Dsmc.sideband.port=18990", "-Dsmc.rnic="
                + TwoHosts.device(0), "-Dsmc.log=info", "-Dquiet=" + quietFile(scene), "-Dsmc.handshake_timeout_ms=10000");
    }

    private static void assertNothingBad(JavaProcess server, JavaProcess client, int streams) throws Exception {
        Scene.await("the server's ends", END, () -> CutLinksTest.streams(server).size() >= CONNECTIONS
                && server.lines("^(STREAM|BAD) .*$").size() == streams);
        List<String> bad = new ArrayList<>(client.lines("^BAD .*$"));
        bad.addAll(server.lines("^BAD .*$"));
        assertEquals(List.of(), bad);
        CutLinksTest.check(CutLinksTest.streams(client), CutLinksTest.streams(server));
        assertTrue(CutLinksTest.streams(client).values().stream().allMatch(amounts -> amounts.heard() > 0));
    }
}
