package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.diag.ReasonCode;
import org.smc4j.it.support.JavaProcess;

/** Limits that the process reaches in the middle of a handshake: descriptors, memory. */
@Tag("faults")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class LimitTest {
    private static final int CONNECTIONS = 4;
    private static final int MOST_DESCRIPTORS = 12;
    private static final long SHORT_MILLIS = 300;
    /** Less than a DMB with its device page; log files stay below. */
    private static final long FILE_SIZE = 65536;

    @Test
    void shouldServeOverTcpWhenTheServerRunsOutOfDescriptors() throws Exception {
        try (Stage stage = new Stage("descriptors-server")) {
            runOutOfDescriptors(stage, stage.server);
        }
    }

    @Test
    void shouldConnectOverTcpWhenTheClientRunsOutOfDescriptors() throws Exception {
        try (Stage stage = new Stage("descriptors-client")) {
            runOutOfDescriptors(stage, stage.client);
        }
    }

    /** With one descriptor left, two, and so on, each step of a handshake is once the one that fails. */
    private static void runOutOfDescriptors(Stage stage, JavaProcess process) throws Exception {
        for (int left = 0; left <= MOST_DESCRIPTORS; left++) {
            Native.limit(process.pid(), Native.RLIMIT_NOFILE, Procfs.limitFor(process.pid(), left));
            Thread.sleep(SHORT_MILLIS);
            Native.unlimit(process.pid(), Native.RLIMIT_NOFILE);
            stage.awaitRounds(1);
        }
        stage.assertRecovered();
        stage.scene.assertServesNewcomer("newcomer", stage.streamPort);
        stage.scene.stop();
    }

    @Test
    void shouldRecoverWhenTheFirstHandshakeFindsNoDescriptors() throws Exception {
        for (int left = 0; left <= 7; left++) {
            int port = Scene.freePort();
            try (Scene scene = new Scene("descriptors-first-" + left)) {
                JavaProcess server = scene.echoServer("server", port, Scene.freePort());
                Path go = scene.directory().resolve("go");
                JavaProcess client = scene.start(scene.echoClient("client", port, 1, 50_000)
                    .options("-Dfaults.go=" + go));
                Native.limit(server.pid(), Native.RLIMIT_NOFILE, Procfs.limitFor(server.pid(), left));
                Files.createFile(go);
                // It writes the rest only when its handshake has ended.
                client.awaitLine("^written$", Scene.LIMIT);
                Native.unlimit(server.pid(), Native.RLIMIT_NOFILE);
                assertTrue(client.awaitSuccess(Scene.LIMIT).contains("echo 1/1 good"), client.output());
                try (LyingClient honest = new LyingClient(port).switched()) {
                    assertNotNull(honest.peer, "with " + left + " descriptors");
                }
                scene.stop();
            }
        }
    }

    @Test
    void shouldBePublishedWhenDescriptorsAreThereAgain() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("descriptors-start")) {
            Path go = scene.directory().resolve("go");
            JavaProcess server = scene.start(scene.java("server", EchoServer.class).options("-Dfaults.go=" + go).args(port));
            Scene.await("an agent that has started", Scene.LIMIT, () -> Procfs.descriptors(server.pid()).values().stream()
                    .anyMatch(target -> target.endsWith(".jar")));
            Thread.sleep(1000);
            // One for the listener.
            Native.limit(server.pid(), Native.RLIMIT_NOFILE, Procfs.limitFor(server.pid(), 1));
            Files.createFile(go);
            server.awaitPort(port, Scene.LIMIT);
            Thread.sleep(SHORT_MILLIS);
            Native.unlimit(server.pid(), Native.RLIMIT_NOFILE);
            Procfs.awaitPublished(port);
            scene.assertServesNewcomer("newcomer", port);
            scene.stop();
        }
    }

    @Test
    void shouldServeOverTcpWhenTheServerHasNoMemoryForADmb() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("memory-server")) {
            JavaProcess server = scene.echoServer("server", port, Scene.freePort());
            Native.limit(server.pid(), Native.RLIMIT_FSIZE, FILE_SIZE);
            JavaProcess client = scene.start(scene.echoClient("client", port, CONNECTIONS, 50_000));
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains("echo 4/4 good"), client.output());
            assertEquals(CONNECTIONS, client.summary().fallbacks(ReasonCode.PEERDECL.number()), client.summary().toString());
            Native.unlimit(server.pid(), Native.RLIMIT_FSIZE);
            scene.assertServesNewcomer("newcomer", port);
            scene.stop();
            assertEquals(CONNECTIONS, server.summary().fallbacks(ReasonCode.MEM.number()), server.summary().toString());
        }
    }

    @Test
    void shouldConnectOverTcpWhenTheClientHasNoMemoryForADmb() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("memory-client")) {
            JavaProcess server = scene.echoServer("server", port, Scene.freePort());
            Path go = scene.directory().resolve("go");
            JavaProcess client = scene.start(scene.echoClient("client", port, CONNECTIONS, 50_000)
                    .options("-Dfaults.go=" + go));
            Native.limit(client.pid(), Native.RLIMIT_FSIZE, FILE_SIZE);
            Files.createFile(go);
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains("echo 4/4 good"), client.output());
            assertEquals(CONNECTIONS, client.summary().fallbacks(ReasonCode.MEM.number()), client.summary().toString());
            scene.assertServesNewcomer("newcomer", port);
            scene.stop();
            assertEquals(CONNECTIONS, server.summary().fallbacks(ReasonCode.PEERDECL.number()), server.summary().toString());
        }
    }
}
