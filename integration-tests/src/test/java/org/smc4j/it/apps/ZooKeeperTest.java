package org.smc4j.it.apps;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.smc4j.it.support.JavaProcess;
import org.smc4j.it.support.MavenArtifacts;
import org.smc4j.it.support.Ports;
import org.smc4j.it.support.TwoHosts.Host;

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
        JavaProcess client = run.start(java(run, "client", Host.TWO, classPath)
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

    private List<String> servers(Run run, List<Path> classPath) throws Exception {
        List<String> peers = new ArrayList<>();
        List<String> servers = new ArrayList<>();
        for (int i = 1; i <= SERVERS; i++) {
            String address = run.address(host(i));
            peers.add("server." + i + "=" + address + ":" + Ports.free() + ":" + Ports.free());
            servers.add(address + ":" + Ports.free());
        }
        for (int i = 1; i <= SERVERS; i++) {
            String[] client = servers.get(i - 1).split(":");
            Path data = Files.createDirectory(run.directory().resolve("data" + i));
            Files.writeString(data.resolve("myid"), Integer.toString(i));
            List<String> settings = new ArrayList<>(List.of("tickTime=1000", "initLimit=10", "syncLimit=5",
                    "dataDir=" + data, "clientPort=" + client[1], "clientPortAddress=" + client[0],
                    "admin.enableServer=false", "4lw.commands.whitelist=srvr"));
            settings.addAll(peers);
            Path file = Files.write(run.directory().resolve("zoo" + i + ".cfg"), settings);
            run.start(java(run, "server" + i, host(i), classPath)
                    .main("org.apache.zookeeper.server.quorum.QuorumPeerMain").args(file));
        }
        return servers;
    }

    /** The client's neighbour is one of three, so that servers and client have peers on both hosts. */
    private static Host host(int server) {
        return server == 2 ? Host.TWO : Host.ONE;
    }

    /** A server or the client. */
    JavaProcess.Builder java(Run run, String name, Host host, List<Path> classPath) {
        return run.java(name, host, classPath).options("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    }
}
