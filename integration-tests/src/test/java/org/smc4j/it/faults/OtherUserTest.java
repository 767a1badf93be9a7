package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.it.support.Agent;
import org.smc4j.it.support.AgentSummary;
import org.smc4j.it.support.JavaProcess;

/** Processes of another user on the sideband; only root can start them. */
@Tag("faults")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OtherUserTest {
    private static final int NOBODY = 65534;
    private static final int CONNECTIONS = 4;

    /** Readable by everybody, as the build's folders need not be. */
    private Path shared;

    @BeforeEach
    void copy() throws IOException {
        Assumptions.assumeTrue(Linux.uid() == 0 && Files.exists(Path.of("/usr/bin/setpriv")), "not root, or no setpriv");
        shared = Files.createTempDirectory("smc-faults");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.copy(Agent.jar(), shared.resolve("agent.jar"));
        int index = 0;
        for (Path entry : Scene.classPath()) {
            copy(entry, shared.resolve("entry" + index++));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    @AfterEach
    void delete() throws IOException {
        if (shared != null) {
            try (Stream<Path> all = Files.walk(shared)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private JavaProcess.Builder asNobody(Scene scene, Class<?> main, List<String> options, Object... arguments) {
        List<Object> command = new ArrayList<>(List.of("--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java"), "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of(Scene.options()));
        command.addAll(options);
        int entries = Scene.classPath().size();
        StringBuilder classPath = new StringBuilder();
        for (int i = 0; i < entries; i++) {
            classPath.append(i == 0 ? "" : ":").append(shared.resolve("entry" + i));
        }
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        return JavaProcess.program("nobody", scene.directory(), "/usr/bin/setpriv").args(command.toArray());
    }

    private AgentSummary echoAsNobody(Scene scene, int port, String... options) throws Exception {
        List<String> all = new ArrayList<>(Agent.options(shared.resolve("summary")));
        all.set(0, "-javaagent:" + shared.resolve("agent.jar"));
        all.add("-Dsmc.switch_wait_ms=20000");
        all.addAll(List.of(options));
        JavaProcess client = scene.start(asNobody(scene, EchoClient.class, all, port, CONNECTIONS, 50_000));
        assertTrue(client.awaitSuccess(Scene.LIMIT).contains("echo 4/4 good"), client.output());
        Scene.assertHealthy(client);
        return AgentSummary.read(shared.resolve("summary")).getFirst();
    }

    @Test
    void shouldStayOnTcpWhenTheClientIsAnotherUser() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("other-user")) {
            scene.echoServer("server", port, Scene.freePort());
            AgentSummary summary = echoAsNobody(scene, port);
            assertEquals(CONNECTIONS, summary.fallbacks(AgentSummary.PEER_NO_SMC), summary.toString());
            scene.assertServesNewcomer("newcomer", port);
        }
    }

    @Test
    void shouldRefuseTheLinkWhenOnlyTheClientTrustsTheOther() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("other-user-link")) {
            JavaProcess server = scene.echoServer("server", port, Scene.freePort(), "-Dsmc.log=debug");
            AgentSummary summary = echoAsNobody(scene, port, "-Dsmc.peer_uids=0");
            assertEquals(CONNECTIONS, summary.fallbacks(AgentSummary.PEER_NO_SMC), summary.toString());
            assertTrue(server.output().contains("refused a sideband connection"), server.output());
            scene.assertServesNewcomer("newcomer", port);
        }
    }

    @Test
    void shouldUseSmcWhenBothTrustTheOther() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("trusted-user")) {
            scene.echoServer("server", port, Scene.freePort(), "-Dsmc.peer_uids=" + NOBODY);
            assertEquals(CONNECTIONS, echoAsNobody(scene, port, "-Dsmc.peer_uids=0").smcd());
        }
    }

    @Test
    void shouldStayOnTcpWhileAnotherUserHoldsTheName() throws Exception {
        int port = Scene.freePort();
        try (Scene scene = new Scene("squatted")) {
            JavaProcess squatter = scene.start(asNobody(scene, Squatter.class, List.of(), Wire.listener(port)));
            squatter.awaitLine("^holding$", Scene.LIMIT);
            scene.echoServer("server", port, Scene.freePort());
            JavaProcess client = scene.start(scene.echoClient("client", port, CONNECTIONS, 50_000));
            assertTrue(client.awaitSuccess(Scene.LIMIT).contains("echo 4/4 good"), client.output());
            assertEquals(CONNECTIONS, client.summary().fallbacks(AgentSummary.PEER_NO_SMC), client.summary().toString());
            assertEquals(1, client.lines("^smc4j: .*not used$").size(), "warnings in " + client.output());
            squatter.process().destroyForcibly();
            squatter.awaitExit(Scene.LIMIT);
            Procfs.awaitPublished(port);
            scene.assertServesNewcomer("newcomer", port);
        }
    }
}
