package org.smc4j.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.TwoHosts;
import org.smc4j.it.support.TwoHosts.Host;

/** What the views show of SMC-R between two hosts, against what was run. The server is on host one, clients are on host two. */
@Timeout(240)
class TwoHostsObservationTest {
    private static final String SIDEBAND = "-Dsmc.sideband.port=18990";
    private static final int PORT = 5000;
    private static final Duration CHANGE = Duration.ofSeconds(40);
    private static final long POLL_MILLIS = 200;
    /** What every connection has by default. */
    private static final int SEND_BUFFER = 64 << 10;
    private static final int RMB = 256 << 10;

    private Observation run;
    private TwoHosts hosts;

    /** A test of two hosts. */
    private interface Body {
        void run() throws Exception;
    }

    @BeforeEach
    void needNetworkNamespaces() {
        TwoHosts.assumeAvailable();
    }

    private void onHosts(String name, int interfaces, Body body) throws Exception {
        try (TwoHosts two = new TwoHosts(interfaces); Observation observation = new Observation(name)) {
            hosts = two;
            run = observation;
            body.run();
        }
    }

    private static String rnics(int count) {
        List<String> devices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(TwoHosts.device(i));
        }
        return "-Dsmc.rnic=" + String.join(",", devices);
    }

    private JavaProcess.Builder java(String name, Host host, int interfaces, String... options) {
        return run.java(name, "Between").on(hosts.on(host)).options(Observation.AT_ONCE).options(SIDEBAND, rnics(interfaces),
                "-Dsmc.handshake_timeout_ms=20000", "-Dsmc.switch_wait_ms=30000").options(options);
    }

    private JavaProcess server(int interfaces, String... options) throws Exception {
        return run.server(java("server", Host.ONE, interfaces, options), PORT);
    }

    /** A client all of whose bytes have come back right. */
    private JavaProcess client(String name, int seed, JavaProcess.Builder builder, int... bytes) throws Exception {
        builder.args("client", Host.ONE.address(), PORT, seed);
        for (int n : bytes) {
            builder.args(n);
        }
        JavaProcess client = run.start(builder);
        client.awaitLine("^done$", Observation.LIMIT);
        assertEquals(bytes.length, client.lines("^right \\d+ (\\d+)$").size(), client.output());
        return client;
    }

    private List<Map<String, String>> table(Host host, String... words) throws Exception {
        Observation.Result result = command(host, List.of(), words);
        assertEquals(0, result.status(), result.text());
        return result.table();
    }

    private Observation.Result command(Host host, List<String> options, String... words) throws IOException, InterruptedException {
        return run.commandOn(hosts.on(host), options, words);
    }

    private static List<Map<String, String>> of(JavaProcess process, List<Map<String, String>> rows) {
        return rows.stream().filter(row -> row.get("PID").equals(Long.toString(process.pid()))).toList();
    }

    private static List<Map<String, String>> smcr(List<Map<String, String>> rows) {
        return rows.stream().filter(row -> row.get("Mode").equals("SMCR")).toList();
    }

    private static Set<String> values(List<Map<String, String>> rows, String column) {
        return rows.stream().map(row -> row.get(column)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static int sum(List<Map<String, String>> rows, String column) {
        return rows.stream().mapToInt(row -> Integer.parseInt(row.get(column))).sum();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + CHANGE.toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() - deadline < 0, () -> "not within " + CHANGE + ": " + what);
            Thread.sleep(POLL_MILLIS);
        }
    }

    @Test
    void shouldShowTwoClientsOfAHostAsTheyAre() throws Exception {
        onHosts("two-clients", 2, () -> {
            JavaProcess server = server(2);
            JavaProcess first = client("first", 1, java("first", Host.TWO, 2), 700_000, 5_000, 1);
            JavaProcess second = client("second", 2, java("second", Host.TWO, 2), 300_000, 20_000);
            await("two links", () -> table(Host.ONE, "linkgroup").stream().allMatch(row -> row.get("LG-Type").equals("SYM")));
            List<Map<String, String>> groups = smcr(table(Host.ONE, "linkgroup"));
            checkSockets(server, first, second);
            checkGroups(groups);
            checkLinks(server, first, second);
            checkDevices(server, first);
            checkStats(server, 5, "client 0, server 5", 1_025_001);
            checkStats(first, 3, "client 3, server 0", 705_001);
            checkBean(first, 3, 705_001);

            hosts.set(Host.TWO, 1, false);
            await("every connection is on the port that is left", () -> values(smcr(table(Host.TWO, "ss")), "IB-Dev")
                    .equals(Set.of("smc4j-eth0")) && sum(table(Host.TWO, "linkgroup", "-l"), "#Conns") == 5);
            List<Map<String, String>> devices = of(first, table(Host.TWO, "device"));
            assertEquals(List.of("ACTIVE", "INACTIVE"), column(devices, "smc4j-eth\\d", "IB-State"));
            assertEquals(List.of("Yes", "No"), column(devices, "smc4j-eth\\d", "Crit"));
            assertTrue(Set.of("SINGLE", "ASYML").containsAll(values(table(Host.TWO, "linkgroup"), "LG-Type")));

            first.close();
            await("the group of a client that is gone is gone", () -> smcr(table(Host.ONE, "linkgroup")).size() == 1);
            assertEquals(2, smcr(table(Host.ONE, "ss")).size());
        });
    }

    private static List<String> column(List<Map<String, String>> rows, String device, String column) {
        return rows.stream().filter(row -> row.get("IB-Dev").matches(device)).map(row -> row.get(column)).toList();
    }

    /** Each end of each connection, with its bytes; those of one client are in one link group, those of another in another one. */
    private void checkSockets(JavaProcess server, JavaProcess first, JavaProcess second) throws Exception {
        List<Map<String, String>> atServer = of(server, table(Host.ONE, "ss"));
        List<Map<String, String>> atClients = table(Host.TWO, "ss");
        assertEquals(5, atServer.size());
        assertEquals(5, atClients.size());
        Map<JavaProcess, Set<String>> groups = new TreeMap<>(Comparator.comparing(JavaProcess::name));
        for (JavaProcess client : List.of(first, second)) {
            for (String line : client.lines("^right (\\d+ \\d+)$")) {
                String bytes = line.split(" ")[0];
                String address = Host.TWO.address() + ":" + line.split(" ")[1];
                for (boolean isServer : new boolean[] {true, false}) {
                    Map<String, String> row = (isServer ? atServer : of(client, atClients)).stream()
                            .filter(r -> r.get(isServer ? "Peer Address" : "Local Address").equals(address)).findFirst().orElseThrow();
                    assertEquals("SMCR", row.get("Mode"), row.toString());
                    assertEquals(List.of(bytes, bytes, "0", "0"), List.of(row.get("SMC Tx"), row.get("SMC Rx"), row.get("TCP Tx"),
                            row.get("TCP Rx")), row.toString());
                    assertTrue(row.get("IB-Dev").matches("smc4j-eth[01]") && row.get("IB-P").equals("1")
                            && row.get("Link").matches("[1-9]"), row.toString());
                    if (isServer) {
                        groups.computeIfAbsent(client, c -> new TreeSet<>()).add(row.get("LG-ID"));
                    }
                }
            }
        }
        assertEquals(1, groups.get(first).size(), groups.toString());
        assertEquals(1, groups.get(second).size(), groups.toString());
        assertNotEquals(groups.get(first), groups.get(second));
    }

    private void checkGroups(List<Map<String, String>> atServer) throws Exception {
        List<Map<String, String>> atClients = smcr(table(Host.TWO, "linkgroup"));
        for (List<Map<String, String>> groups : List.of(atServer, atClients)) {
            assertEquals(2, groups.size(), groups.toString());
            assertEquals(Set.of("2.1"), values(groups, "Version"));
            assertEquals(Set.of("SYM"), values(groups, "LG-Type"));
            assertEquals(Set.of("2", "3"), values(groups, "#Conns"));
            assertEquals(Set.of("SMC4J"), values(groups, "PNET-ID"));
            for (Map<String, String> group : groups) {
                int connections = Integer.parseInt(group.get("#Conns"));
                assertEquals(connections + "/" + connections, group.get("Sndbufs"), group.toString());
                assertEquals(connections * SEND_BUFFER, Integer.parseInt(group.get("Sndbuf")), group.toString());
                assertEquals(connections + "/" + connections, group.get("RMBs"), group.toString());
                assertEquals(connections * RMB, Integer.parseInt(group.get("RMB")), group.toString());
            }
        }
        assertEquals(Set.of("SERV"), values(atServer, "LG-Role"));
        assertEquals(Set.of("CLNT"), values(atClients, "LG-Role"));
        assertEquals(2, values(atServer, "Peer").size(), "two systems: " + atServer);
        assertEquals(1, values(atClients, "Peer").size(), "one system: " + atClients);
    }

    /** Each link of the server is one of a client, seen from the other end. */
    private void checkLinks(JavaProcess server, JavaProcess first, JavaProcess second) throws Exception {
        List<Map<String, String>> atServer = of(server, table(Host.ONE, "linkgroup", "--links"));
        List<Map<String, String>> atClients = table(Host.TWO, "linkgroup", "-l");
        assertEquals(4, atServer.size(), atServer.toString());
        assertEquals(2, of(first, atClients).size(), atClients.toString());
        assertEquals(2, of(second, atClients).size(), atClients.toString());
        assertEquals(5, sum(atServer, "#Conns"));
        Map<String, String> byQueuePair = new TreeMap<>();
        for (Map<String, String> link : atServer) {
            assertEquals("LINK_ACTIVE", link.get("Link-State"));
            assertEquals("smc4j-" + link.get("Net-Dev"), link.get("IB-Dev"));
            assertEquals(gid(Host.ONE, link.get("Net-Dev").equals("eth0") ? 0 : 1), link.get("Local-GID"));
            byQueuePair.put(link.get("QP") + link.get("Peer-QP"), seen(link, "Link-UID", "Peer-UID", "Local-GID", "Peer-GID"));
        }
        for (Map<String, String> link : atClients) {
            assertEquals(byQueuePair.remove(link.get("Peer-QP") + link.get("QP")),
                    seen(link, "Peer-UID", "Link-UID", "Peer-GID", "Local-GID"), link.toString());
        }
        assertEquals(Map.of(), byQueuePair);
    }

    private static String seen(Map<String, String> link, String uid, String otherUid, String gid, String otherGid) {
        return String.join(" ", link.get("Link"), link.get("#Conns"), link.get(uid), link.get(otherUid), link.get(gid),
                link.get(otherGid));
    }

    /** The IPv4 address as it is mapped into an IPv6 one. */
    private static String gid(Host host, int index) {
        String[] bytes = host.address(index).split("\\.");
        return String.format("0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x", Integer.parseInt(bytes[0]), Integer.parseInt(bytes[1]),
                Integer.parseInt(bytes[2]), Integer.parseInt(bytes[3]));
    }

    private void checkDevices(JavaProcess server, JavaProcess client) throws Exception {
        List<Map<String, String>> atServer = of(server, table(Host.ONE, "device"));
        assertEquals(List.of("smc4j-eth0", "smc4j-eth1", "smc4j-ism"), column(atServer, ".*", "IB-Dev"));
        assertEquals(List.of("eth0", "eth1", "-"), column(atServer, ".*", "Net-Dev"));
        assertEquals(List.of("RNIC", "RNIC", "ISM"), column(atServer, ".*", "Type"));
        assertEquals(Set.of("ACTIVE"), values(atServer, "IB-State"));
        assertEquals(Set.of("No"), values(atServer, "Crit"));
        assertEquals(List.of("2", "2", "0"), column(atServer, ".*", "#LGs"));
        assertEquals(List.of("2", "2", "-"), column(atServer, ".*", "#Links"));
        assertEquals(List.of("SMC4J", "SMC4J", "-"), column(atServer, ".*", "PNET-ID"));
        for (int i = 0; i < 2; i++) {
            assertTrue(atServer.get(i).get("GID").contains(gid(Host.ONE, i)), atServer.get(i).toString());
        }
        assertEquals(List.of("1", "1", "0"), column(of(client, table(Host.TWO, "device")), ".*", "#LGs"));
    }

    private void checkStats(JavaProcess process, int connections, String sides, int bytes) throws Exception {
        Observation.Result result = command(process.name().equals("server") ? Host.ONE : Host.TWO, List.of(), "stats");
        assertEquals(0, result.status(), result.text());
        String stats = result.text().substring(result.text().indexOf("Process " + process.pid() + " of user "));
        String buffers = "(?: *Bufs (?!64KB|256KB).*\\R)*";
        assertTrue(stats.matches("(?s)Process \\d+ of user \\d+\\RConnections Summary\\R"
                + " +Total connections handled +" + connections + " \\(" + sides + "\\)\\R"
                + " +TCP fallback +0 \\(client 0, server 0\\)\\R +Open connections +" + connections + "\\R"
                + "SMC-D Connections Summary\\R +SMC connections +0 .*"
                + "SMC-R Connections Summary\\R +SMC connections +" + connections + " \\(" + sides + "\\)\\R"
                + " +RX Stats\\R +Data transmitted \\(Bytes\\) +" + bytes + " .*?Total requests +[1-9]\\d*\\R"
                + " +Buffer full +\\d+.*?\\R" + buffers + " +Bufs 256KB +" + connections + "\\R"
                + " +TX Stats\\R +Data transmitted \\(Bytes\\) +" + bytes + " .*?Total requests +[1-9]\\d*\\R"
                + " +Buffer full +\\d+.*?Buffer full \\(remote\\) +\\d+.*?\\R" + buffers + " +Bufs 64KB +" + connections + "\\R.*"), stats);
    }

    private static void checkBean(JavaProcess client, int connections, int bytes) {
        List<String> lines = client.output().lines().toList();
        assertTrue(lines.contains("SmcrConnections " + connections), client.output());
        assertTrue(lines.contains("SmcrTraffic " + bytes + " " + bytes), client.output());
        assertEquals(connections, client.lines("^socket SMCR group 256 link [12] smc4j-eth[01] 1$").size(), client.output());
        assertEquals(1, client.lines("^group SMCR 256 CLNT \\w+ " + connections + "$").size(), client.output());
        assertTrue(client.lines("^link 256 LINK_\\w+ smc4j-eth0$").size() == 1, client.output());
    }

    @Test
    void shouldSayWhetherAConnectionToAnotherHostWouldBeSmcr() throws Exception {
        onHosts("check-hosts", 1, () -> {
            JavaProcess server = server(1, "-Dsmc.accept=deny * 6000; allow *");
            JavaProcess other = run.server(java("denied", Host.ONE, 1, "-Dsmc.accept=deny *"), PORT + 1);
            run.server(run.plain("plain", "Between").on(hosts.on(Host.ONE)), PORT + 2);
            String[] settings = {SIDEBAND, rnics(1)};
            await("the server says so", () -> check(PORT, settings).status() == 0);
            assertVerdict(check(PORT, settings), 0, ": SMCR; the server agrees, from here over smc4j-eth0 port 1");
            assertVerdict(check(PORT + 1, settings), 1, ": TCP 0x03000000 CNFERR (configuration error); the server would decline");
            assertVerdict(check(PORT + 2, settings), 1, ": TCP 0x03010000 PEERNOSMC (peer did not signal SMC); no process with the"
                    + " agent listens there");
            assertVerdict(check(PORT), 1, "without smc.sideband.port and smc.rnic on this side");
            assertVerdict(check(PORT, SIDEBAND, "-Dsmc.rnic=nothing0"), 1, "no RNIC of smc.rnic is active on this side");
            assertVerdict(check(PORT, SIDEBAND, rnics(1), "-Dsmc.ueid=ANOTHER.CLUSTER"), 1, "the server would decline");
            assertVerdict(check(PORT, SIDEBAND, rnics(1), "-Dsmc.sideband.peers=deny *"), 1, "smc.sideband.peers denies that host");
            assertVerdict(check(PORT, "-Dsmc.sideband.port=18991", rnics(1)), 1, "nothing listens on the sideband port of that host");
            assertEquals(List.of(), table(Host.ONE, "ss"), "a check makes no connection");
            assertEquals(List.of(), of(server, table(Host.ONE, "linkgroup")));
            assertEquals(List.of(), of(other, table(Host.ONE, "linkgroup")));
        });
    }

    private Observation.Result check(int port, String... settings) throws Exception {
        return command(Host.TWO, List.of(settings), "check", Host.ONE.address(), Integer.toString(port));
    }

    private static void assertVerdict(Observation.Result result, int status, String text) {
        assertTrue(result.text().contains(text), result.text());
        assertEquals(status, result.status(), result.text());
    }

    @Test
    void shouldShowTheReasonWhenAConnectionBetweenHostsIsTcp() throws Exception {
        onHosts("tcp-hosts", 1, () -> {
            JavaProcess server = server(1);
            JavaProcess client = client("client", 1, java("client", Host.TWO, 1, "-Dsmc.ueid=ANOTHER.CLUSTER"), 1000);
            Map<String, String> atClient = of(client, table(Host.TWO, "ss")).getFirst();
            assertEquals("TCP 0x05000000 PEERDECL (peer declined)", atClient.get("Mode"));
            assertEquals(List.of("-", "-", "-", "-", "1000"), List.of(atClient.get("LG-ID"), atClient.get("Link"), atClient.get("IB-Dev"),
                    atClient.get("IB-P"), atClient.get("TCP Tx")));
            assertTrue(of(server, table(Host.ONE, "ss")).getFirst().get("Mode").startsWith("TCP 0x03"));
            assertTrue(command(Host.TWO, List.of(), "stats").text().matches("(?s).*TCP fallback +1 \\(client 1, server 0\\)\\R"
                    + " +0x05000000 .* 1\\R.*SMC-R Connections Summary\\R +SMC connections +0 .*"));
            assertEquals(List.of(), of(client, smcr(table(Host.TWO, "linkgroup"))));
        });
    }

    @Test
    void shouldShowThatAConnectionIsBackOnTcpWhenItsLastLinkIsLost() throws Exception {
        onHosts("back-on-tcp", 1, () -> {
            JavaProcess server = server(1);
            JavaProcess client = client("client", 1, java("client", Host.TWO, 1), 30_000);
            assertEquals(Set.of("SMCR"), values(table(Host.ONE, "ss"), "Mode"));
            hosts.set(Host.TWO, 0, false);
            hosts.set(Host.TWO, 0, true);
            for (Host host : Host.values()) {
                await("it is TCP for want of a link", () -> table(host, "ss").getFirst().get("Mode")
                        .equals("TCP 0x030a0000 NOACTLINK (no active link in the link group)"));
            }
            Files.createFile(run.directory().resolve("again"));
            client.awaitLine("^again 777$", Observation.LIMIT);
            for (Host host : Host.values()) {
                Map<String, String> row = table(host, "ss").getFirst();
                assertEquals(List.of("-", "-", "-"), List.of(row.get("LG-ID"), row.get("Link"), row.get("IB-Dev")));
                assertEquals(List.of("30000", "30000", "777", "777"), List.of(row.get("SMC Tx"), row.get("SMC Rx"), row.get("TCP Tx"),
                        row.get("TCP Rx")), row.toString());
            }
            assertEquals(List.of(), table(Host.TWO, "linkgroup", "-l"));
            checkCountedAsSmcr(server);
            checkCountedAsSmcr(client);
        });
    }

    private void checkCountedAsSmcr(JavaProcess process) throws Exception {
        Host host = process.name().equals("server") ? Host.ONE : Host.TWO;
        String stats = command(host, List.of(), "stats").text();
        assertTrue(stats.matches("(?s).*SMC-R Connections Summary\\R +SMC connections +1 .*Data transmitted \\(Bytes\\) +30000 .*"), stats);
    }

    @Test
    void shouldKeepToTheLimitsOfLinkGroups() throws Exception {
        onHosts("limits", 2, () -> {
            server(2, "-Dnet.smc.smcr_max_links_per_lgr=1", "-Dnet.smc.smcr_max_conns_per_lgr=20");
            int[] bytes = new int[17];
            Arrays.fill(bytes, 40_000);
            client("client", 1, java("client", Host.TWO, 2, "-Dnet.smc.smcr_max_conns_per_lgr=16", "-Dnet.smc.smcr_max_send_wr=2",
                    "-Dnet.smc.smcr_max_recv_wr=3"), bytes);
            for (Host host : Host.values()) {
                List<Map<String, String>> groups = smcr(table(host, "linkgroup"));
                assertEquals(List.of("16", "1"), groups.stream().map(row -> row.get("#Conns")).toList());
                assertEquals(Set.of("SINGLE"), values(groups, "LG-Type"));
                List<Map<String, String>> links = table(host, "linkgroup", "-l");
                assertEquals(2, links.size());
                assertEquals(Set.of(host == Host.TWO ? "2" : "16"), values(links, "Snd-WR"));
                assertEquals(Set.of(host == Host.TWO ? "3" : "48"), values(links, "Rcv-WR"));
            }
        });
    }

    @Test
    void shouldMissAPeerThatIsSilentAfterTheTestLinkTime() throws Exception {
        onHosts("test-link", 1, () -> {
            JavaProcess server = server(1);
            client("client", 1, java("client", Host.TWO, 1, "-Dnet.smc.smcr_testlink_time=1"), 1000);
            assertEquals(1, smcr(table(Host.TWO, "linkgroup")).size());
            signal("STOP", server);
            try {
                // By default nobody asks in so little time.
                long begin = System.nanoTime();
                await("the link is lost", () -> table(Host.TWO, "linkgroup", "-l").isEmpty());
                assertTrue(System.nanoTime() - begin < Duration.ofSeconds(25).toNanos());
            } finally {
                signal("CONT", server);
            }
        });
    }

    private static void signal(String name, JavaProcess process) throws Exception {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor());
    }
}
