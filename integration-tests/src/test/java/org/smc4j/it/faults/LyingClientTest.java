package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** A client that lies in shared memory, about connections that are not its own, and by numbers; see also {@link WrongMessagesTest}. */
class LyingClientTest extends AttackedStage {
    private static final int CHAOS_RUNS = Scene.size("smc.it.chaos", 8);
    private static final int FLOOD = 100_000;
    private static final long MAX_GROWTH_KILOBYTES = 96 * 1024;
    private static final int SILENT = 300;

    LyingClientTest() {
        super("lying-client");
    }

    @Test
    void shouldResetTheConnectionWhenACursorIsImpossible() throws Exception {
        for (Map.Entry<String, Ring.Lie> lie : Ring.lies().entrySet()) {
            for (int port : new int[] {stage.streamPort, stage.channelPort}) {
                try (LyingClient liar = new LyingClient(port).switched()) {
                    lie.getValue().tell(liar.ring());
                    write(liar, "hello");
                    if (lie.getKey().contains("/")) {
                        assertEnds(liar, lie.getKey() + " to port " + port);
                    } else {
                        Thread.sleep(20);
                    }
                } catch (IllegalStateException e) {
                    throw new IllegalStateException(lie.getKey(), e);
                }
            }
        }
        stage.assertUnharmed();
    }

    @Test
    void shouldSurviveWhenAllSharedMemoryChangesAllTheTime() throws Exception {
        long seed = Scene.seed();
        System.out.println("chaos seed: " + seed);
        for (int i = 0; i < CHAOS_RUNS; i++) {
            int port = i % 2 == 0 ? stage.streamPort : stage.channelPort;
            try (LyingClient liar = new LyingClient(port).switched()) {
                long runSeed = seed + i;
                Thread chaos = new Thread(() -> liar.ring().chaos(runSeed));
                chaos.start();
                while (chaos.isAlive()) {
                    write(liar, "hello");
                    Thread.sleep(5);
                }
                chaos.join();
            }
        }
    }

    @Test
    void shouldNoticeTheEndWhenThePeerHasStolenTheWaitRequests() throws Exception {
        for (boolean byTcp : new boolean[] {true, false}) {
            try (LyingClient liar = new LyingClient(stage.streamPort).switched()) {
                Ring ring = liar.ring();
                ring.switchAt(1);
                Scene.await("a waiting reader", Scene.LIMIT, ring::isPeerWaitingForData);
                Thread.sleep(50);
                ring.stealRequests();
                String port = ":" + liar.socket.getLocalPort() + "\t";
                if (byTcp) {
                    liar.socket.close();
                } else {
                    liar.line.close();
                }
                Scene.await("the end of the connection at the server, by " + (byTcp ? "TCP" : "link"), Scene.LIMIT,
                        () -> Sideline.status(stage.server.pid()).stream().noneMatch(line -> line.contains(port)));
            }
        }
    }

    @Test
    void shouldDeclineWhenTheConnectionIsAnotherOnesAndSwitched() throws Exception {
        try (LyingClient liar = new LyingClient(stage.streamPort)) {
            int proposed = 0;
            for (String line : Sideline.status(stage.server.pid())) {
                String[] fields = line.split("\t");
                if (fields[1].equals("SERVER") && fields[4].equals("SMCD")) {
                    liar.line.send(Wire.PROPOSAL, ++proposed, Wire.tuple(address(fields[3]), address(fields[2])),
                            Wire.proposal());
                    Sideline.Received answer = liar.line.receive(2000);
                    assertNotNull(answer, "no answer for " + line);
                    assertEquals(Wire.DECLINE, answer.envelope().type(), line);
                }
            }
            assertTrue(proposed >= 2, "foreign connections: " + proposed);
            assertEchoesOverTcp(liar, "after foreign proposals");
        }
    }

    @Test
    void shouldDeclineInTimeWhenThereIsNoSuchConnection() throws Exception {
        InetAddress host = InetAddress.getLoopbackAddress();
        try (LyingClient liar = new LyingClient(stage.streamPort)) {
            InetSocketAddress self = (InetSocketAddress) liar.socket.getLocalSocketAddress();
            InetSocketAddress server = (InetSocketAddress) liar.socket.getRemoteSocketAddress();
            List<byte[]> tuples = List.of(Wire.tuple(server, self), Wire.tuple(self, self), Wire.tuple(server, server),
                    Wire.tuple(new InetSocketAddress(host, 1), server), new byte[36],
                    Wire.tuple(self, new InetSocketAddress(InetAddress.getByName("127.0.0.2"), server.getPort())),
                    Wire.tuple(self, new InetSocketAddress(InetAddress.getByName("::1"), server.getPort())),
                    Wire.tuple(self, new InetSocketAddress(host, stage.channelPort)));
            for (int i = 0; i < tuples.size(); i++) {
                liar.line.send(Wire.PROPOSAL, 100 + i, tuples.get(i), Wire.proposal());
            }
            for (int i = 0; i < tuples.size(); i++) {
                Sideline.Received answer = liar.line.receive(Scene.HANDSHAKE_TIMEOUT_MILLIS * 4L);
                assertNotNull(answer, "only " + i + " answers");
                assertEquals(Wire.DECLINE, answer.envelope().type());
            }
            assertEchoesOverTcp(liar, "after wrong tuples");
        }
    }

    @Test
    void shouldKeepTheMemoryBoundedAndServeOthersWhenProposalsFlood() throws Exception {
        long before = Procfs.residentKilobytes(stage.server.pid());
        try (LyingClient liar = new LyingClient(stage.streamPort)) {
            Thread flood = new Thread(() -> flood((InetSocketAddress) liar.socket.getRemoteSocketAddress()));
            flood.start();
            stage.scene.assertServesNewcomer("newcomer-in-flood", stage.streamPort);
            flood.join();
            assertEchoesOverTcp(liar, "after the flood");
        }
        long growth = Procfs.residentKilobytes(stage.server.pid()) - before;
        assertTrue(growth < MAX_GROWTH_KILOBYTES, "the server grew by " + growth + " KiB");
        try (LyingClient honest = new LyingClient(stage.streamPort).switched()) {
            assertNotNull(honest.peer);
        }
    }

    /** As fast as the server takes them, with a new link whenever it has enough of the old one. */
    private static void flood(InetSocketAddress server) {
        Sideline line = Sideline.connect(Wire.listener(server.getPort()));
        for (int i = 0; i < FLOOD; i++) {
            byte[] nowhere = Wire.tuple(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1 + i % 1000), server);
            if (!line.send(Wire.PROPOSAL, 1000 + i, nowhere, Wire.proposal())) {
                line.close();
                line = Sideline.connect(Wire.listener(server.getPort()));
            }
            if (i % 8 == 0) {
                line.drain();
            }
        }
        line.close();
    }

    @Test
    void shouldServeOthersWhenTheFloodDoesNotReadItsAnswers() throws Exception {
        try (LyingClient liar = new LyingClient(stage.streamPort)) {
            for (int i = 0; i < 10_000 && liar.line.send(Wire.PROPOSAL, i % 7, liar.tuple, new byte[0]); i++) {
                continue;
            }
        }
        try (LyingClient liar = new LyingClient(stage.streamPort)) {
            byte[] status = Wire.message(Wire.STATUS, 0, new byte[36], new byte[0]);
            for (int i = 0; i < 10_000 && liar.line.send(status); i++) {
                continue;
            }
        }
    }

    @Test
    void shouldServeOthersWhenManyConnectAndSayNothing() throws Exception {
        List<Sideline> silent = new ArrayList<>();
        try {
            for (int i = 0; i < SILENT; i++) {
                silent.add(Sideline.connect(Wire.listener(i % 2 == 0 ? stage.streamPort : stage.channelPort)));
                if (i % 50 == 0) {
                    Thread.sleep(20);
                }
            }
            stage.awaitRounds(2);
            stage.scene.assertServesNewcomer("newcomer-among-silent", stage.streamPort);
        } finally {
            silent.forEach(Sideline::close);
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    static void write(LyingClient liar, String text) {
        try {
            liar.socket.getOutputStream().write(text.getBytes());
        } catch (IOException e) {
            // The server has reset the connection, which is what liars get.
            return;
        }
    }

    private static void assertEnds(LyingClient liar, String what) {
        try {
            while (liar.socket.getInputStream().read() >= 0) {
                continue;
            }
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("the server goes on: " + what, e);
        } catch (IOException e) {
            return;
        }
    }

    static void assertEchoesOverTcp(LyingClient liar, String what) throws IOException {
        liar.socket.getOutputStream().write("ping".getBytes());
        try {
            assertEquals("ping", new String(liar.socket.getInputStream().readNBytes(4)), what);
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("TCP does not go on: " + what, e);
        }
    }
}
