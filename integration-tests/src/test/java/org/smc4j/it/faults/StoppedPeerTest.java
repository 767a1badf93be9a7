package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.diag.ReasonCode;
import org.smc4j.it.support.JavaProcess;

/** A process that SIGSTOP stops at any point of a handshake, and SIGCONT continues. */
@Tag("faults")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StoppedPeerTest {
    private static final int CONNECTIONS = 5;
    private static final int BACKLOG = 700;
    private static final int STOPS = Scene.size("smc.it.stops", 12);

    @Test
    void shouldGoOnOverTcpWhenTheServerIsStoppedBeforeTheHandshake() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("stopped-server")) {
            JavaProcess server = scene.echoServer("server", port, Scene.freePort());
            stop(server);
            JavaProcess client = scene.start(scene.echoClient("client", port, CONNECTIONS, 60_000));
            // As always with TCP: the kernel connects, and keeps what is written.
            client.awaitLine("^written$", Scene.LIMIT);
            Native.kill(server.pid(), Native.SIGCONT);
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains("echo 5/5 good"), client.output());
            assertEquals(CONNECTIONS, client.summary().fallbacks(ReasonCode.TIMEOUT_CL.number()), client.summary().toString());
            scene.assertServesNewcomer("newcomer", port);
            scene.stop();
        }
    }

    @Test
    void shouldKeepSwitchedConnectionsWhenAStoppedServerGetsManyProposals() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("stopped-backlog")) {
            JavaProcess server = scene.echoServer("server", port, Scene.freePort(), "-Dsmc.switch_wait_ms=0");
            Path go = scene.directory().resolve("go");
            JavaProcess client = scene.start(scene.java("client", BacklogClient.class)
                    .options("-Dfaults.go=" + go, "-Dsmc.switch_wait_ms=0").args(port, BACKLOG));
            client.awaitLine("^one connected$", Scene.LIMIT);
            Scene.await("a switched connection", Scene.LIMIT, () -> Sideline.status(server.pid()).stream()
                    .anyMatch(line -> line.contains("\tSMCD\t")));
            Files.createFile(go);
            client.awaitLine("^going$", Scene.LIMIT);
            stop(server);
            Files.createFile(Path.of(go + BacklogClient.SERVER_STOPPED));
            client.awaitLine("^all connected$", Scene.LIMIT);
            // Long enough for all handshakes to end.
            Thread.sleep(3 * Scene.HANDSHAKE_TIMEOUT_MILLIS);
            Native.kill(server.pid(), Native.SIGCONT);
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains("all good"), client.output());
            assertTrue(client.summary().smcd() > 0, client.summary().toString());
            scene.assertServesNewcomer("newcomer", port);
            scene.stop();
        }
    }

    @Test
    void shouldLoseNothingWhenTheServerIsStoppedAgainAndAgain() throws Exception {
        try (Stage stage = new Stage("stopped-again-server")) {
            stopAgainAndAgain(stage, stage.server);
        }
    }

    @Test
    void shouldLoseNothingWhenTheClientIsStoppedAgainAndAgain() throws Exception {
        try (Stage stage = new Stage("stopped-again-client")) {
            stopAgainAndAgain(stage, stage.client);
        }
    }

    private static void stopAgainAndAgain(Stage stage, JavaProcess process) throws Exception {
        long seed = Scene.seed();
        System.out.println("stop seed: " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < STOPS; i++) {
            Thread.sleep(random.nextInt(60));
            stop(process);
            // Shorter than the handshake may take, or longer.
            Thread.sleep(random.nextInt(2 * Scene.HANDSHAKE_TIMEOUT_MILLIS));
            Native.kill(process.pid(), Native.SIGCONT);
            stage.awaitRounds(1);
        }
        stage.assertRecovered();
        stage.scene.assertServesNewcomer("newcomer", stage.channelPort);
        stage.scene.stop();
    }

    private static void stop(JavaProcess process) throws Exception {
        Native.kill(process.pid(), Native.SIGSTOP);
        Scene.await("a stopped process", Scene.LIMIT, () -> Procfs.isStopped(process.pid()));
    }
}
