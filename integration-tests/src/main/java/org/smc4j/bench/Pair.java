package org.smc4j.bench;

import java.util.Map;
import org.smc4j.bench.plain.Api;

/** A client JVM and a server JVM; started when first asked, and started anew after a failure. */
final class Pair implements AutoCloseable {
    private static final int START_SECONDS = 20;
    private static final int GRACE_SECONDS = 15;

    private final Lab lab;
    private final Mode clientMode;
    private final Mode serverMode;
    private final String section;
    private Child client;
    private Child server;
    private Map<String, String> targets;
    private long sent;

    Pair(Lab lab, Mode clientMode, Mode serverMode, String section) {
        this.lab = lab;
        this.clientMode = clientMode;
        this.serverMode = serverMode;
        this.section = section;
    }

    Pair(Lab lab, Mode mode, String section) {
        this(lab, mode, mode, section);
    }

    Child client() {
        return client;
    }

    Child server() {
        return server;
    }

    /** Where the server listens for this API. */
    String target(Api api) throws BenchFailure {
        start();
        return targets.get(api.label());
    }

    /** Asks the client; {@code @} in the command stands for the listener of the API. */
    Map<String, String> ask(Api api, String command) throws BenchFailure {
        start();
        try {
            return client.ask(command.replace("@", targets.get(api.label())), GRACE_SECONDS);
        } catch (BenchFailure e) {
            kill();
            throw e;
        }
    }

    void collectGarbage() throws BenchFailure {
        start();
        client.ask("gc", GRACE_SECONDS);
        server.ask("gc", GRACE_SECONDS);
    }

    /** Bytes that the clients of this pair sent until their orderly end. */
    long sent() {
        return sent;
    }

    private void start() throws BenchFailure {
        if (client != null) {
            return;
        }
        try {
            server = lab.server(serverMode, section + " server");
            client = lab.client(clientMode, section + " client");
            targets = server.answer("start", "ready", START_SECONDS);
            client.answer("start", "ready", START_SECONDS);
        } catch (BenchFailure e) {
            kill();
            throw e;
        }
    }

    private void kill() {
        if (client != null) {
            client.kill();
        }
        if (server != null) {
            server.kill();
        }
        client = null;
        server = null;
    }

    @Override
    public void close() {
        if (client == null) {
            return;
        }
        try {
            sent += Long.parseLong(client.ask("total", GRACE_SECONDS).get("sent"));
            client.close();
            server.close();
        } catch (BenchFailure e) {
            kill();
        }
        client = null;
        server = null;
    }
}
