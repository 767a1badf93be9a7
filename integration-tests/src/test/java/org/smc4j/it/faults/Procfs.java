package org.smc4j.it.faults;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the kernel says about a process: everything that may be left behind. */
final class Procfs {
    private Procfs() {
    }

    /** What the descriptors of a process refer to, by number. */
    static Map<Integer, String> descriptors(long pid) throws IOException {
        Map<Integer, String> found = new TreeMap<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path link : each) {
                try {
                    found.put(Integer.parseInt(link.getFileName().toString()), Files.readSymbolicLink(link).toString());
                } catch (IOException closedMeanwhile) {
                    continue;
                }
            }
        }
        return found;
    }

    /** The descriptors of the kinds that connections and handshakes use, counted by kind. */
    static Map<String, Integer> socketDescriptors(long pid) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (String target : descriptors(pid).values()) {
            String kind = target.replaceAll("[:\\[(/ ].*$", "") + (target.contains("[eventfd]") ? " eventfd" : "");
            if (!kind.isEmpty() && !target.startsWith("/dev/") && !target.endsWith(".jar")) {
                counts.merge(kind, 1, Integer::sum);
            }
        }
        return counts;
    }

    /** The value that RLIMIT_NOFILE must have for a process to be able to open {@code more} descriptors. */
    static int limitFor(long pid, int more) throws IOException {
        Map<Integer, String> taken = descriptors(pid);
        int number = 0;
        for (int free = 0; ; number++) {
            if (!taken.containsKey(number) && free++ == more) {
                return number;
            }
        }
    }

    /** Mappings of DMBs. */
    static int dmbMappings(long pid) throws IOException {
        int count = 0;
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
            if (line.contains("memfd:smc-dmb")) {
                count++;
            }
        }
        return count;
    }

    /** Names of the threads that are not the JVM's own: of the agent and of the program. */
    static int threads(long pid) throws IOException {
        int count = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    if (!name.matches("(C[12] Compiler.*|GC Thread.*|G1 .*|VM .*|process reaper|Common-Cleaner|"
                            + "ForkJoinPool.*|.*-Unparker|Read-Poller.*|Write-Poller.*|Monitor Deflati|Service Thread)")) {
                        count++;
                    }
                } catch (IOException endedMeanwhile) {
                    continue;
                }
            }
        }
        return count;
    }

    static long residentKilobytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D+", ""));
            }
        }
        throw new IOException("no VmRSS of process " + pid);
    }

    /** Whether the process is stopped by a signal. */
    static boolean isStopped(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    }

    /** Waits up to 10 s until an agent has published the listener on that port. */
    static void awaitPublished(int port) throws IOException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (abstractNames().stream().noneMatch(name -> name.endsWith(":" + port))) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("port " + port + " is not published");
            }
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The abstract names of agents, with one entry a socket. */
    static List<String> abstractNames() throws IOException {
        List<String> names = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/net/unix"))) {
            int name = line.indexOf("@smc4j/");
            if (name >= 0) {
                names.add(line.substring(name + 1));
            }
        }
        return names;
    }
}
