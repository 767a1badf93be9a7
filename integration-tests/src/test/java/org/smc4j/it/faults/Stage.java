package org.smc4j.it.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.smc4j.it.support.JavaProcess;

/**
 * An honest server and an honest client for a liar to attack, both with the agent. The client has connections that stay and
 * makes new ones all the time; whatever the liar does, its rounds have to go on without an error.
 */
final class Stage implements AutoCloseable {
    private static final Duration ROUND_LIMIT = Duration.ofSeconds(30);
    private static final String ROUND = "^round (\\d+) good.*$";

    final Scene scene;
    final JavaProcess server;
    final JavaProcess client;
    final int streamPort = Scene.freePort();
    final int channelPort = Scene.freePort();
    private final Map<String, Integer> descriptors;

    Stage(String name) throws Exception {
        this(name, 0);
    }

    /** With a port, the client also connects to it again and again, whatever happens there. */
    Stage(String name, int liarPort) throws Exception {
        scene = new Scene(name);
        // Not so long: a liar's connection would make the server wait for the end of its handshake in every read.
        server = scene.echoServer("server", streamPort, channelPort, "-Dsmc.switch_wait_ms=100");
        JavaProcess.Builder builder = scene.java("client", SteadyClient.class).args(streamPort, channelPort);
        client = scene.start(liarPort == 0 ? builder : builder.options("-Dsmc.switch_wait_ms=100").args(liarPort));
        awaitRounds(3);
        descriptors = Procfs.socketDescriptors(server.pid());
    }

    /** Waits for that many more rounds of the honest client. */
    void awaitRounds(int more) throws Exception {
        int before = client.lines(ROUND).size();
        Scene.await("rounds of the honest client:\n" + tail(client.output()), ROUND_LIMIT,
                () -> client.lines(ROUND).size() >= before + more || !client.process().isAlive());
        assertUnharmed();
    }

    /** After an attack: the honest are unharmed, new connections are switched, and nothing of the liar's is left. */
    void assertRecovered() throws Exception {
        awaitRounds(2);
        Scene.await("the old connections over SMC: " + Sideline.status(server.pid()), ROUND_LIMIT,
                () -> Sideline.status(server.pid()).stream().filter(line -> line.contains("\tSMCD\t")).count() >= 2);
        try {
            // Between rounds the honest have their two old connections only.
            Scene.await("descriptors of the start", ROUND_LIMIT,
                    () -> descriptors.equals(Procfs.socketDescriptors(server.pid())));
        } catch (AssertionError e) {
            throw new AssertionError("left behind: " + descriptors + " -> " + Procfs.socketDescriptors(server.pid()) + "\n"
                    + Procfs.descriptors(server.pid()) + Sideline.status(server.pid()), e);
        }
        Scene.await("mappings of two connections and no more", ROUND_LIMIT, () -> Procfs.dmbMappings(server.pid()) <= 4);
    }

    void assertUnharmed() {
        assertEquals(List.of(), client.lines("^.*FAILED.*$"), "failures of the honest client");
        assertTrue(client.process().isAlive(), "the honest client ended: " + client.output());
        assertTrue(server.process().isAlive(), "the server ended: " + server.output());
        Scene.assertHealthy(server);
        Scene.assertHealthy(client);
    }

    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - 500));
    }

    @Override
    public void close() {
        scene.close();
    }
}
