package org.smc4j.it.apps;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;

/** Three ZooKeeper servers: sockets of java.net among them, channels to the client. */
class ZooKeeperTest extends ApplicationContract {
    private static final int SERVERS = 3;
    private static final int NODES = 500;

    @Override
    List<String> expected() {
        String good = " " + NODES + "/" + NODES + " good";
        return List.of("modes [follower, follower, leader]", "server 1" + good, "server 2" + good, "server 3" + good,
                "watch NodeDataChanged");
    }

    @Override
    List<String> results(Run run) throws Exception {
        List<Path> classPath = MavenArtifacts.classPath("zookeeper", "ZooKeeperClient.java", "Content.java");
        List<Object> arguments = new ArrayList<>(List.of(NODES));
        arguments.addAll(servers(run, classPath));
        JavaProcess client = run.start(java(run, "client", classPath)
                .main("ZooKeeperClient").args(arguments.toArray()));
        client.awaitSuccess(Run.LIMIT);
        return client.lines("^(?:modes|server|watch) .*$");
    }

    @Override
    void verifyCounters(Run run) {
        // Nodes are 1 to 5000 bytes long, 2500 on average; written once, read from each server.
        long written = NODES * 2000L;
        assertSmc(run, "client", written, SERVERS * written);
        for (int i = 1; i <= SERVERS; i++) {
            // From the client or the leader to this server, and from it to the client.
            assertSmc(run, "server" + i, written, written);
        }
    }

    private List<Integer> servers(Run run, List<Path> classPath) throws Exception {
        List<String> peers = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int i = 1; i <= SERVERS; i++) {
            peers.add("server." + i + "=127.0.0.1:" + Ports.free() + ":" + Ports.free());
            ports.add(Ports.free());
        }
        for (int i = 1; i <= SERVERS; i++) {
            Path data = Files.createDirectory(run.directory().resolve("data" + i));
            Files.writeString(data.resolve("myid"), Integer.toString(i));
            List<String> settings = new ArrayList<>(List.of("tickTime=1000", "initLimit=10", "syncLimit=5",
                    "dataDir=" + data, "clientPort=" + ports.get(i - 1), "clientPortAddress=127.0.0.1",
                    "admin.enableServer=false", "4lw.commands.whitelist=srvr"));
            settings.addAll(peers);
            Path file = Files.write(run.directory().resolve("zoo" + i + ".cfg"), settings);
            run.start(java(run, "server" + i, classPath)
                    .main("org.apache.zookeeper.server.quorum.QuorumPeerMain").args(file));
        }
        return ports;
    }

    /** A server or the client. */
    JavaProcess.Builder java(Run run, String name, List<Path> classPath) {
        return run.java(name, classPath).options("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    }
}
