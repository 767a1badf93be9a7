package org.smc4j.it.support;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** TCP ports of this host. */
public final class Ports {
    /*
     * Below the kernel's default ephemeral range (32768 and up): a port from there could be taken by any outgoing
     * connection between the moment it is found free and the moment the server binds it.
     */
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final int LISTEN = 0x0A;

    private static int next = ThreadLocalRandom.current().nextInt(COUNT);

    private Ports() {
    }

    /**
     * A port in 20000 to 31999 that nothing is bound to, different from those returned shortly before.
     *
     * @throws IllegalStateException if every port is taken
     */
    public static synchronized int free() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + next;
            next = (next + 1) % COUNT;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port in " + FIRST + " to " + (FIRST + COUNT - 1));
    }

    /**
     * Whether a socket listens on the port, on any address of the host that the process is on; found without connecting to it.
     * False when the process is gone.
     */
    public static boolean isListening(long pid, int port) {
        Path tables = Path.of("/proc", Long.toString(pid), "net");
        return listens(tables.resolve("tcp"), port) || listens(tables.resolve("tcp6"), port);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    // Columns: number, local address:port, remote address:port, state (proc(5)), all in hexadecimal.
    private static boolean listens(Path table, int port) {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        try {
            List<String> lines = Files.readAllLines(table);
            for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
                String[] columns = line.strip().split("\\s+");
                if (columns[1].endsWith(suffix) && Integer.parseInt(columns[3], 16) == LISTEN) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            // No such process any more, or no IPv6.
            return false;
        }
    }
}
