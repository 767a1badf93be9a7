package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.TwoHosts;
import org.smc4j.it.support.TwoHosts.Host;

/**
 * Streams between two hosts with two RNICs each, one of which is cut off and restored again and again: the connections go on by the
 * other link, and every byte arrives, once and in its place.
 */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CutLinksTest {
    private static final int INTERFACES = 2;
    private static final int CONNECTIONS = 6;
    private static final int PORT = 5000;
    private static final int LONGEST_PAUSE_MILLIS = 700;
    /** A path without an answer is given up after some seconds, and a link is added again after that. */
    private static final Duration CHANGE = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofSeconds(60);
    private static final Pattern STREAM = Pattern.compile("^STREAM (\\d+) said=(\\d+) heard=(\\d+)$", Pattern.MULTILINE);

    private final Random random = new Random();

    /** How much one end of a connection has written and read. */
    record Amounts(long said, long heard) {
        Amounts ofPeer() {
            return new Amounts(heard, said);
        }
    }

    @BeforeEach
    void needNetworkNamespaces() {
        TwoHosts.assumeAvailable();
    }

    @Test
    void shouldLoseNothingWhenLinksAreCutAndRestored() throws Exception {
        run("cut-links", 20, 2);
    }

    @Test
    @Tag("long")
    void shouldLoseNothingWhenLinksAreCutAndRestoredForFiveMinutes() throws Exception {
        run("cut-links-long", 300, 20);
    }

    /** @param leastMoves how often connections have to have gone on by another link, at either end */
    private void run(String name, int seconds, int leastMoves) throws Exception {
        long seed = Scene.seed();
        random.setSeed(seed);
        System.out.println(name + ": " + seconds + " s, seed " + seed);
        try (TwoHosts hosts = new TwoHosts(INTERFACES); Scene scene = new Scene(name)) {
            Path enough = scene.directory().resolve("enough");
            JavaProcess server = scene.start(program(scene, "server", hosts, Host.ONE).args("server", PORT));
            server.awaitLine("^ready$", Scene.LIMIT);
            JavaProcess client = scene.start(program(scene, "client", hosts, Host.TWO).args("client", Host.ONE.address(), PORT,
                    CONNECTIONS, enough));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            client.awaitLine("^connected$", Scene.LIMIT);
            int cuts = 0;
            awaitLinks(server, client);
            while (System.nanoTime() - end < 0) {
                cut(hosts, server, client);
                cuts++;
                awaitLinks(server, client);
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
            }
            Files.createFile(enough);
            client.awaitSuccess(END);
            Scene.await("the server's ends", END, () -> streams(server).size() == CONNECTIONS);
            List<String> bad = new ArrayList<>(client.lines("^BAD .*$"));
            bad.addAll(server.lines("^BAD .*$"));
            assertEquals(List.of(), bad, "seed " + seed);
            check(streams(client), streams(server));
            LinkStates atServer = LinkStates.of(server);
            LinkStates atClient = LinkStates.of(client);
            System.out.println(name + ": " + cuts + " cuts; server: " + atServer + "; client: " + atClient);
            assertTrue(atServer.moves().size() >= leastMoves, () -> "server: " + atServer);
            assertTrue(atClient.moves().size() >= leastMoves, () -> "client: " + atClient);
            scene.stop();
            check(server.summary(), streams(server));
            check(client.summary(), streams(client));
        }
    }

    private static JavaProcess.Builder program(Scene scene, String name, TwoHosts hosts, Host host) {
        return scene.java(name, LinkStreams.class).on(hosts.on(host)).options("-Dsmc.sideband.port=18990", "-Dsmc.rnic="
                + TwoHosts.device(0) + "," + TwoHosts.device(1), "-Dsmc.log=info", "-Dsmc.handshake_timeout_ms=10000");
    }

    /** Cuts one interface off until both ends know. */
    private void cut(TwoHosts hosts, JavaProcess server, JavaProcess client) throws Exception {
        Host host = Host.values()[random.nextInt(Host.values().length)];
        int cut = random.nextInt(INTERFACES);
        int atServer = LinkStates.of(server).losses();
        int atClient = LinkStates.of(client).losses();
        hosts.set(host, cut, false);
        try {
            Scene.await("both ends have lost a link", CHANGE, () -> LinkStates.of(server).losses() > atServer
                    && LinkStates.of(client).losses() > atClient);
            Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
        } finally {
            hosts.set(host, cut, true);
        }
    }

    private static void awaitLinks(JavaProcess server, JavaProcess client) throws Exception {
        Scene.await("a link on each interface, at both ends", CHANGE, () -> LinkStates.of(server).areUp(INTERFACES)
                && LinkStates.of(client).areUp(INTERFACES));
    }

    static TreeMap<Integer, Amounts> streams(JavaProcess process) {
        TreeMap<Integer, Amounts> streams = new TreeMap<>();
        Matcher line = STREAM.matcher(process.output());
        while (line.find()) {
            streams.put(Integer.parseInt(line.group(1)), new Amounts(Long.parseLong(line.group(2)), Long.parseLong(line.group(3))));
        }
        return streams;
    }

    static void check(TreeMap<Integer, Amounts> client, TreeMap<Integer, Amounts> server) {
        TreeMap<Integer, Amounts> expected = new TreeMap<>();
        client.forEach((id, amounts) -> expected.put(id, amounts.ofPeer()));
        assertEquals(expected, server);
        assertEquals(CONNECTIONS, server.size());
    }

    /** All of it went by SMC-R. */
    private static void check(AgentSummary summary, TreeMap<Integer, Amounts> streams) {
        System.out.println(summary);
        assertEquals(CONNECTIONS, summary.smcr(), summary.toString());
        long said = streams.values().stream().mapToLong(Amounts::said).sum();
        assertTrue(said > 0 && summary.smcTxBytes() >= said, () -> said + " bytes written, " + summary);
    }
}
