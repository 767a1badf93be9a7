package org.smc4j.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.smc4j.carrier.Carrier;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.ffi.linux.UnixSocket;
import org.smc4j.sysctl.AddressRules;
import org.smc4j.time.EventLoop;

/** Real processes of two hosts, which are addresses of the loopback interface. */
@Timeout(120)
class ProxyTest {
    private static final String HOST_A = "127.0.0.31";
    private static final String HOST_B = "127.0.0.32";
    private static final int NOBODY = 65534;

    @TempDir
    private Path directory;
    private final List<Child> children = new ArrayList<>();
    private int port;

    @BeforeEach
    void choosePort() throws IOException {
        port = freePort();
    }

    @AfterEach
    void killAll() {
        children.forEach(Child::close);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress("0.0.0.0", 0));
            return socket.getLocalPort();
        }
    }

    private Child start(String name, String address, Object secretFile, String... options) throws IOException {
        Child child = Child.start(List.of(), null, name, address,
                PeerProcess.options(address, port, secretFile.toString(), options));
        children.add(child);
        return child;
    }

    /** The two processes of a host: first the one that is the proxy. */
    private List<Child> host(String name, String address, Object secretFile) throws Exception {
        Child proxy = start(name + "1", address, secretFile);
        proxy.awaitDescription("proxy");
        Child member = start(name + "2", address, secretFile);
        member.awaitDescription("member, the proxy is process " + proxy.pid());
        return List.of(proxy, member);
    }

    private Path secret(String name, String content) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** A handshake about a new connection; the two ends say who they are. */
    private static void handshake(Child client, int number, Child server, String serverName, String host, int port)
            throws Exception {
        client.tell("connect " + number + " " + host + " " + port).await("connected " + number);
        client.tell("propose " + number);
        client.await("client " + number + " ACCEPT accept of " + serverName);
        client.await("client " + number + " READY ready of " + serverName);
        server.await("server CONFIRM confirm of .*");
    }

    /** A handshake as soon as the hosts find each other again. */
    private static void eventualHandshake(Child client, int firstNumber, String serverName, String host, int port)
            throws Exception {
        String outcome = "";
        for (int number = firstNumber; number < firstNumber + 200; number++) {
            client.tell("connect " + number + " " + host + " " + port).await("connected " + number);
            client.tell("propose " + number);
            outcome = client.await("client " + number + " (READY|ended) .*");
            if (outcome.equals("client " + number + " READY ready of " + serverName)) {
                return;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("no handshake any more, last: " + outcome);
    }

    @Test
    void shouldKeepTheHandshakesOfAllProcessesApart() throws Exception {
        Path secret = secret("secret", "a secret that both hosts have");
        List<Child> a = host("a", HOST_A, secret);
        List<Child> b = host("b", HOST_B, secret);
        int[] ports = {freePort(), freePort()};
        for (int i = 0; i < 2; i++) {
            b.get(i).tell("listen " + ports[i]).await("listens " + ports[i]);
        }
        // Every process counts its ids from 1, so they collide all the time.
        for (int round = 0; round < 3; round++) {
            for (int client = 0; client < 2; client++) {
                for (int server = 0; server < 2; server++) {
                    int number = round * 10 + server;
                    handshake(a.get(client), number, b.get(server), "b" + (server + 1), HOST_B, ports[server]);
                }
            }
        }
        // A client that gives up before it had an answer: the process is found by the client's id alone.
        int silent = freePort();
        b.get(1).tell("listen-silently " + silent).await("listens .*");
        Child client = a.get(1).tell("connect 90 " + HOST_B + " " + silent);
        client.await("connected 90");
        client.tell("propose 90");
        b.get(1).await("heard PROPOSAL proposal of a2 for " + silent);
        client.tell("abandon 90");
        b.get(1).await("server ended TIMEOUT");
        assertFalse(b.get(0).said("server ended .*"));

        client.tell("check " + HOST_B + " " + ports[0]).await("client 0 READY .*");
        client.tell("check " + HOST_B + " " + freePort()).await("client 0 ended NO_LISTENER");
    }

    @Test
    void shouldFailWhatIsUnderWayAndServeWhatComesLaterWhenAProxyIsKilled() throws Exception {
        List<Child> a = host("a", HOST_A, "");
        List<Child> b = host("b", HOST_B, "");
        int answering = freePort();
        int silent = freePort();
        b.get(1).tell("listen " + answering).await("listens .*");
        b.get(1).tell("listen-silently " + silent).await("listens .*");
        Child client = a.get(1);
        handshake(client, 1, b.get(1), "b2", HOST_B, answering);

        client.tell("connect 2 " + HOST_B + " " + silent).await("connected 2");
        client.tell("propose 2");
        b.get(1).await("heard PROPOSAL proposal of a2 for " + silent);
        b.get(0).kill();
        client.await("client 2 ended PEER_GONE");
        b.get(1).await("server ended PROXY_GONE");
        b.get(1).awaitDescription("proxy");
        eventualHandshake(client, 100, "b2", HOST_B, answering);

        client.tell("connect 3 " + HOST_B + " " + silent).await("connected 3");
        client.tell("propose 3");
        b.get(1).await("heard PROPOSAL proposal of a2 for " + silent);
        a.get(0).kill();
        client.await("client 3 ended PROXY_GONE");
        b.get(1).await("server ended PEER_GONE");
        client.awaitDescription("proxy");
        eventualHandshake(client, 400, "b2", HOST_B, answering);
    }

    @Test
    void shouldMoveTheRoleOnWhenSeveralRaceForIt() throws Exception {
        List<Child> b = new ArrayList<>(host("b", HOST_B, ""));
        b.add(start("b3", HOST_B, ""));
        b.get(2).awaitDescription("member, .*");
        for (int i = 0; i < 2; i++) {
            b.removeFirst().kill();
            // The new proxy is the first or the second of those who are left.
            b.getFirst().awaitDescription("proxy|member, .*");
            if (b.size() > 1) {
                boolean first = b.getFirst().tell("describe").await("is .*").equals("is proxy");
                Child proxy = b.get(first ? 0 : 1);
                Child member = b.get(first ? 1 : 0);
                proxy.awaitDescription("proxy");
                member.awaitDescription("member, the proxy is process " + proxy.pid());
                b.clear();
                b.addAll(List.of(proxy, member));
            }
        }
        b.getFirst().awaitDescription("proxy");
    }

    @Test
    void shouldAcceptNothingWithoutTheRightSecret() throws Exception {
        Path right = secret("right", "a secret that is the right one");
        Path wrong = secret("wrong", "a secret that is another one");
        Child server = start("b1", HOST_B, right);
        server.awaitDescription("proxy");
        int answering = freePort();
        server.tell("listen " + answering).await("listens .*");

        Child turnedAway = start("b2", HOST_B, wrong);
        turnedAway.await("smc4j: process " + server.pid() + " has the sideband port with another secret .*");
        Child stranger = start("a1", HOST_A, wrong);
        stranger.awaitDescription("proxy");
        stranger.tell("connect 1 " + HOST_B + " " + answering).await("connected 1");
        stranger.tell("propose 1").await("client 1 ended SECRET");
        assertTrue(stranger.said("smc4j: sideband to " + HOST_B + ": SECRET, has another secret.*"));
        assertFalse(server.said("heard .*"));
    }

    @Test
    void shouldRefuseProposalsForTheConnectionsOfAnotherHost() throws Exception {
        Child server = start("b1", HOST_B, "");
        server.awaitDescription("proxy");
        int answering = freePort();
        server.tell("listen " + answering).await("listens .*");
        LinkedBlockingQueue<HandshakeMessage> answers = new LinkedBlockingQueue<>();
        byte[] forger = {127, 0, 0, 33};
        byte[] victim = InetAddress.getByName(HOST_A).getAddress();
        byte[] target = InetAddress.getByName(HOST_B).getAddress();
        try (EventLoop loop = new EventLoop("test-forger")) {
            loop.start();
            loop.execute(() -> {
                Carrier carrier = new Carrier(loop, new Carrier.Settings(new Address(forger, port), AddressRules.parse(""),
                        1_000_000_000L, null), new Answers(answers));
                int peer = carrier.peerFor(new FourTuple(forger, 1, target, answering));
                carrier.send(peer, new HandshakeMessage(HandshakeMessage.Type.PROPOSAL, null, 1, 0,
                        new FourTuple(victim, 1, target, answering), new byte[0]));
            });
            assertEquals(DeclineReason.INVALID_ADDRESS, answers.poll(20, TimeUnit.SECONDS).reason());
        }
        assertFalse(server.said("heard .*"));
    }

    private record Answers(LinkedBlockingQueue<HandshakeMessage> queue) implements Carrier.Events {
        @Override
        public void received(int peer, InetAddress host, HandshakeMessage message) {
            queue.add(message);
        }

        @Override
        public void gone(int peer, DeclineReason reason) {
            queue.add(HandshakeMessage.decline(reason, 0, 1, new FourTuple(new byte[4], 0, new byte[4], 0)));
        }
    }

    @Test
    void shouldRefuseProcessesOfAnotherUser() throws Exception {
        assumeTrue(Linux.uid() == 0 && Files.exists(Path.of("/usr/bin/setpriv")), "not root, or no setpriv");
        Child proxy = start("b1", HOST_B, "", "-Dsmc.log=debug");
        proxy.awaitDescription("proxy");
        List<String> asNobody =
                List.of("/usr/bin/setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
        Path shared = Files.createTempDirectory("smc-proxy");
        try {
            Child other = Child.start(asNobody, readable(shared), "nobody", HOST_B, PeerProcess.options(HOST_B, port, ""));
            children.add(other);
            other.awaitDescription("proxy without the port, errno 98");
            byte[] address = InetAddress.getByName(HOST_B).getAddress();
            other.tell("intrude " + ProxyName.of(0, new Address(address, port))).await("hung up on");
            proxy.await("smc4j: sideband proxy: refused Credentials\\[pid=" + other.pid() + ", uid=" + NOBODY + "\\]");
            // And the other way round.
            String othersName = ProxyName.of(NOBODY, new Address(address, port));
            proxy.tell("intrude " + othersName).await("hung up on");
            proxy.awaitDescription("proxy");
        } finally {
            deleteAll(shared);
        }
    }

    /** A copy of the class path that everybody can read, as the build's folders need not be. */
    private static String readable(Path shared) throws IOException {
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        StringBuilder classPath = new StringBuilder();
        int index = 0;
        for (String entry : Child.classPath().split(File.pathSeparator)) {
            Path from = Path.of(entry);
            if (!entry.contains("smc-stack") && !entry.contains("native")) {
                continue;
            }
            Path to = shared.resolve("entry" + index++);
            try (Stream<Path> all = Files.walk(from)) {
                for (Path path : all.toList()) {
                    Files.copy(path, to.resolve(from.relativize(path).toString()));
                }
            }
            classPath.append(classPath.isEmpty() ? "" : File.pathSeparator).append(to);
        }
        return classPath.toString();
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void shouldHaveNameOfUserAddressAndPort() {
        assertEquals("smc4j/1/4294967295/proxy/7f00001f:7000", ProxyName.of(-1, new Address(new byte[] {127, 0, 0, 31}, 7000)));
        assertNotNull(ProxyName.of(0, new Address(new byte[16], 65535)));
        assertTrue(ProxyName.of(-1, new Address(new byte[16], 65535)).length() <= UnixSocket.MAX_NAME);
    }
}
