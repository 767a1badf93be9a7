import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;

/**
 * {@code N ADDRESS:PORT...}: waits until the servers have a leader, makes N nodes through the first and reads them
 * through each of them; then a change through the last must reach a watcher at the first.
 */
final class ZooKeeperClient {
    private static final int SESSION_MILLIS = 20_000;
    private static final int LONGEST = 5_000;
    private static final int TRIES = 100;

    private ZooKeeperClient() {
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        List<String> servers = Arrays.stream(args).skip(1).toList();
        List<String> modes = new ArrayList<>();
        for (String server : servers) {
            modes.add(mode(server));
        }
        System.out.println("modes " + modes.stream().sorted().toList());
        try (ZooKeeper first = connect(servers.getFirst())) {
            write(first, count);
            for (int i = 0; i < servers.size(); i++) {
                System.out.println("server " + (i + 1) + " " + read(servers.get(i), count) + "/" + count + " good");
            }
            System.out.println("watch " + watch(first, servers.getLast()));
        }
    }

    private static String mode(String server) throws Exception {
        String[] address = server.split(":");
        for (int i = 0; i < TRIES; i++) {
            try {
                for (String line : FourLetterWordMain.send4LetterWord(address[0], Integer.parseInt(address[1]), "srvr")
                        .split("\n")) {
                    if (line.startsWith("Mode: ")) {
                        return line.substring("Mode: ".length());
                    }
                }
            } catch (java.io.IOException e) {
                // Not listening yet: the next round will tell.
                System.out.println(server + ": " + e.getMessage());
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException("the server at " + server + " serves nobody");
    }

    private static ZooKeeper connect(String server) throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper client = new ZooKeeper(server, SESSION_MILLIS, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.complete(null);
            }
        });
        connected.get(SESSION_MILLIS, TimeUnit.MILLISECONDS);
        return client;
    }

    private static byte[] content(int node) {
        return Content.of(node, 1 + node * 7919 % LONGEST);
    }

    private static void write(ZooKeeper client, int count) throws Exception {
        client.create("/smc", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        List<CompletableFuture<String>> created = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CompletableFuture<String> node = new CompletableFuture<>();
            client.create("/smc/" + i, content(i), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT,
                    (result, path, context, name) -> {
                        if (result == KeeperException.Code.OK.intValue()) {
                            node.complete(name);
                        } else {
                            node.completeExceptionally(KeeperException.create(KeeperException.Code.get(result), path));
                        }
                    }, null);
            created.add(node);
        }
        for (CompletableFuture<String> node : created) {
            node.get(SESSION_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static int read(String server, int count) throws Exception {
        int good = 0;
        try (ZooKeeper client = connect(server)) {
            client.sync("/smc");
            if (client.getChildren("/smc", false).size() != count) {
                throw new IllegalStateException("wrong number of nodes");
            }
            for (int i = 0; i < count; i++) {
                if (Arrays.equals(content(i), client.getData("/smc/" + i, false, null))) {
                    good++;
                }
            }
        }
        return good;
    }

    private static String watch(ZooKeeper first, String server) throws Exception {
        CompletableFuture<Watcher.Event.EventType> seen = new CompletableFuture<>();
        first.getData("/smc/0", event -> seen.complete(event.getType()), null);
        try (ZooKeeper client = connect(server)) {
            client.setData("/smc/0", new byte[] {1, 2, 3}, -1);
        }
        return seen.get(SESSION_MILLIS, TimeUnit.MILLISECONDS).toString();
    }
}
