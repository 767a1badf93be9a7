package org.smc4j.proxy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.ffi.linux.Linux;

/** Real processes in two network namespaces with a cable between them; only root can make those. */
@Timeout(120)
class NamespacesTest {
    private static final int PORT = 7411;
    private static final int LISTENER = 9092;
    private static final String[] IPV4 = {"10.209.77.1", "10.209.77.2"};
    private static final String[] IPV6 = {"fd09:77::1", "fd09:77::2"};

    private final String[] names = new String[2];
    private final List<Child> children = new ArrayList<>();

    @BeforeEach
    void makeNamespaces() throws Exception {
        assumeTrue(Linux.uid() == 0 && Files.exists(Path.of("/usr/sbin/ip")), "not root, or no iproute2");
        String suffix = Long.toString(ProcessHandle.current().pid());
        for (int i = 0; i < 2; i++) {
            names[i] = "smcp" + i + "-" + suffix;
            assumeTrue(ip("netns", "add", names[i]), "no namespaces here");
        }
        must("link", "add", "smcv0", "netns", names[0], "type", "veth", "peer", "name", "smcv1", "netns", names[1]);
        for (int i = 0; i < 2; i++) {
            must("-n", names[i], "addr", "add", IPV4[i] + "/24", "dev", "smcv" + i);
            must("-n", names[i], "addr", "add", IPV6[i] + "/64", "dev", "smcv" + i, "nodad");
            must("-n", names[i], "link", "set", "smcv" + i, "up");
        }
    }

    @AfterEach
    void removeNamespaces() throws Exception {
        children.forEach(Child::close);
        for (String name : names) {
            if (name != null) {
                ip("netns", "del", name);
            }
        }
    }

    private static boolean ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/usr/sbin/ip"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    private static void must(String... arguments) throws IOException, InterruptedException {
        if (!ip(arguments)) {
            throw new IllegalStateException("ip " + String.join(" ", arguments));
        }
    }

    private Child start(int host, String name, String address) throws IOException {
        Child child = Child.start(List.of("/usr/sbin/ip", "netns", "exec", names[host]), null, name, address,
                PeerProcess.options("", PORT, ""));
        children.add(child);
        return child;
    }

    @Test
    void shouldFindEachOtherOverBothFamiliesOfAddresses() throws Exception {
        Child client = start(0, "a1", IPV4[0]);
        Child server = start(1, "b1", IPV4[1]);
        client.awaitDescription("proxy");
        server.awaitDescription("proxy");
        Child client6 = start(0, "a2", IPV6[0]);
        Child server6 = start(1, "b2", IPV6[1]);
        client6.awaitDescription("member, .*");
        server6.awaitDescription("member, .*");
        server.tell("listen " + LISTENER).await("listens .*");
        server6.tell("listen " + LISTENER).await("listens .*");

        client.tell("connect 1 " + IPV4[1] + " " + LISTENER).await("connected 1");
        client.tell("propose 1").await("client 1 ACCEPT accept of b1");
        client.await("client 1 READY ready of b1");
        client6.tell("connect 1 " + IPV6[1] + " " + LISTENER).await("connected 1");
        client6.tell("propose 1").await("client 1 ACCEPT accept of b2");
        client6.await("client 1 READY ready of b2");
    }
}
