package org.smc4j.it.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;

/**
 * Two hosts joined by a cable, or with several interfaces each that are plugged into one switch, as far as programs can tell:
 * network namespaces with pairs of virtual interfaces. Needs root and the {@code ip} command; all are gone when it is closed.
 */
public final class TwoHosts implements AutoCloseable {
    private static final int COMMAND_SECONDS = 10;
    private static final long CARRIER_POLL_MILLIS = 20;
    private static final int MOST_INTERFACES = 2;
    private static final String BRIDGE = "bridge";

    private final String prefix = "smc4j-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime() & 0xFFFF);

    /** One of the two. */
    public enum Host {
        ONE, TWO;

        /** That of its first interface. */
        public String address() {
            return address(0);
        }

        /** That of one of its interfaces; there is a subnet for each pair of them. */
        public String address(final int index) {
            return network(index) + (1 + ordinal());
        }

        public Host other() {
            return this == ONE ? TWO : ONE;
        }
    }

    /** Joined by one cable. */
    public TwoHosts() throws IOException, InterruptedException {
        this(1);
    }

    /** With so many interfaces each, of which any reaches any: one alone is joined by a cable, several are by a switch. */
    public TwoHosts(final int interfaces) throws IOException, InterruptedException {
        try {
            for (Host host : Host.values()) {
                ip("netns", "add", name(host));
                ip("-n", name(host), "link", "set", "lo", "up");
            }
            if (interfaces == 1) {
                ip("link", "add", device(0), "netns", name(Host.ONE), "type", "veth", "peer", "name", device(0), "netns", name(Host.TWO));
            } else {
                plugIn(interfaces);
            }
            for (Host host : Host.values()) {
                for (int i = 0; i < interfaces; i++) {
                    ip("-n", name(host), "address", "add", host.address(i) + "/24", "dev", device(i));
                    set(host, i, true);
                }
            }
            for (Host host : Host.values()) {
                for (int i = 0; i < interfaces; i++) {
                    awaitCarrier(host, i);
                }
            }
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
        }
    }

    private void plugIn(final int interfaces) throws IOException, InterruptedException {
        ip("netns", "add", networkSwitch());
        ip("-n", networkSwitch(), "link", "add", BRIDGE, "type", "bridge");
        ip("-n", networkSwitch(), "link", "set", BRIDGE, "up");
        for (Host host : Host.values()) {
            for (int i = 0; i < interfaces; i++) {
                final String port = "port" + host.ordinal() + i;
                ip("link", "add", device(i), "netns", name(host), "type", "veth", "peer", "name", port, "netns", networkSwitch());
                ip("-n", networkSwitch(), "link", "set", port, "master", BRIDGE, "up");
            }
            // An address belongs to its interface, and is not answered for by others.
            run("ip", "netns", "exec", name(host), "sh", "-ec", "cd /proc/sys/net/ipv4/conf/all; echo 1 > arp_ignore; "
                    + "echo 2 > arp_announce; echo 0 > rp_filter");
        }
    }

    private String networkSwitch() {
        return prefix + "-switch";
    }

    private static String network(final int index) {
        return "10.77." + index + ".";
    }

    /** The kernel takes up to a second to see what has been switched on, and until then no RNIC has a port there. */
    private void awaitCarrier(final Host host, final int index) throws IOException, InterruptedException {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMMAND_SECONDS);
        while (!ip("-n", name(host), "-oneline", "link", "show", "dev", device(index)).contains(" state UP ")) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(device(index) + " of " + name(host) + " does not get up");
            }
            Thread.sleep(CARRIER_POLL_MILLIS);
        }
    }

    /** The name of an interface, at either host. */
    public static String device(final int index) {
        return "eth" + index;
    }

    /** Switches a host's interface off or on. While it is off, the other subnets are reached by the interfaces that are left. */
    public void set(final Host host, final int index, final boolean up) throws IOException, InterruptedException {
        ip("-n", name(host), "link", "set", device(index), up ? "up" : "down");
        for (int other = 0; up && other < MOST_INTERFACES; other++) {
            if (other != index) {
                // Routes go with their interface; those of its own subnet come back by themselves.
                ip("-n", name(host), "route", "replace", network(other) + "0/24", "dev", device(index), "metric", "100");
            }
        }
    }

    /** Why there cannot be two hosts on this machine; null if there can. */
    public static String unavailable() {
        try {
            new TwoHosts().close();
            return null;
        } catch (IOException e) {
            return "no network namespaces (root and iproute2 needed): " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Skips the calling test, and says why, where there cannot be two hosts. */
    public static void assumeAvailable() {
        final String unavailable = unavailable();
        Assumptions.assumeTrue(unavailable == null, unavailable);
    }

    /** What a command line has to begin with to run on that host. */
    public List<String> on(final Host host) {
        return List.of("ip", "netns", "exec", name(host));
    }

    private String name(final Host host) {
        return prefix + "-" + host.ordinal();
    }

    private static String ip(final String... arguments) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private static String run(final String... command) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        for (String name : List.of(name(Host.ONE), name(Host.TWO), networkSwitch())) {
            try {
                ip("netns", "delete", name);
            } catch (IOException e) {
                // Not made, or gone.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
