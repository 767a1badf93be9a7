package org.smc4j.it.apps;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;
import org.smc4j.it.support.TwoHosts.Host;

/** Jetty with the JDK's two HTTP clients: java.net.http on channels and HttpURLConnection on sockets. */
class JettyTest extends ApplicationContract {
    private static final int SMALL_BYTES = 100;
    private static final int SMALL_GETS = 400;
    private static final int LARGE_BYTES = 4 << 20;
    private static final int LARGE_GETS = 16;
    // By each of the two clients: the GETs from the server, and half as many POSTs both ways; headers not counted.
    private static final long POSTED = 2L * (SMALL_GETS / 2 * SMALL_BYTES + LARGE_GETS / 2 * (long) LARGE_BYTES);
    private static final long SERVED = 3 * POSTED;

    @Override
    List<String> expected() {
        List<String> lines = new ArrayList<>();
        for (String client : List.of("HttpClient", "HttpURLConnection")) {
            lines.add(client + " GET small.bin 400/400 good");
            lines.add(client + " POST small.bin 200/200 good");
            lines.add(client + " GET large.bin 16/16 good");
            lines.add(client + " POST large.bin 8/8 good");
        }
        return lines;
    }

    @Override
    List<String> results(Run run) throws Exception {
        Path folder = Files.createDirectory(run.directory().resolve("www"));
        Random random = new Random(1);
        for (String name : List.of("small.bin", "large.bin")) {
            byte[] content = new byte[name.startsWith("small") ? SMALL_BYTES : LARGE_BYTES];
            random.nextBytes(content);
            Files.write(folder.resolve(name), content);
        }
        int port = Ports.free();
        List<Path> jetty = MavenArtifacts.classPath("jetty", "JettyWeb.java");
        run.start(run.java("server", Host.ONE, jetty).main("JettyWeb").args(run.address(Host.ONE), port, folder)).awaitPort(port, Run.LIMIT);
        List<Path> load = MavenArtifacts.classPathOfSources("HttpLoad.java");
        JavaProcess client = run.start(run.java("client", Host.TWO, load).main("HttpLoad")
                .args(run.address(Host.ONE), port, folder.resolve("small.bin"), SMALL_GETS, folder.resolve("large.bin"), LARGE_GETS));
        client.awaitSuccess(Run.LIMIT);
        List<String> lines = new ArrayList<>(client.lines("^HttpClient .*$"));
        lines.addAll(client.lines("^HttpURLConnection .*$"));
        return lines;
    }

    @Override
    void verifyCounters(Run run) {
        assertOnlySmc(run, "client", POSTED, SERVED);
        assertOnlySmc(run, "server", SERVED, POSTED);
    }
}
