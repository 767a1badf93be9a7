package org.smc4j.it.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two hosts joined by a cable, as far as programs can tell: two network namespaces with a pair of virtual interfaces. Needs root
 * and the {@code ip} command; both are gone when it is closed.
 */
public final class TwoHosts implements AutoCloseable {
    private static final int COMMAND_SECONDS = 10;

    private final String prefix = "smc4j-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime() & 0xFFFF);

    /** One of the two. */
    public enum Host {
        ONE("10.77.0.1"), TWO("10.77.0.2");

        private final String address;

        Host(final String address) {
            this.address = address;
        }

        /** Its address on the network between them. */
        public String address() {
            return address;
        }

        public Host other() {
            return this == ONE ? TWO : ONE;
        }
    }

    public TwoHosts() throws IOException, InterruptedException {
        try {
            for (Host host : Host.values()) {
                ip("netns", "add", name(host));
                ip("-n", name(host), "link", "set", "lo", "up");
            }
            ip("link", "add", "eth0", "netns", name(Host.ONE), "type", "veth", "peer", "name", "eth0", "netns", name(Host.TWO));
            for (Host host : Host.values()) {
                ip("-n", name(host), "address", "add", host.address() + "/24", "dev", "eth0");
                ip("-n", name(host), "link", "set", "eth0", "up");
            }
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
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

    /** What a command line has to begin with to run on that host. */
    public List<String> on(final Host host) {
        return List.of("ip", "netns", "exec", name(host));
    }

    private String name(final Host host) {
        return prefix + "-" + host.ordinal();
    }

    private static void ip(final String... arguments) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        for (Host host : Host.values()) {
            try {
                ip("netns", "delete", name(host));
            } catch (IOException e) {
                // Not made, or gone.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
