package org.smc4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the agents of some JVMs say their connections were: the sum of the lines they leave at exit
 * ({@code smc4j pid=1 smcd=12 smcr=0 tcp=3 smc_tx_bytes=4 smc_rx_bytes=5 tcp_fallback=0x03010000:2}).
 */
final class Summary {
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private int jvms;
    private int silent;

    /** Adds the lines of one JVM's file; a missing or empty file counts as a silent JVM. */
    void add(Path file) {
        jvms++;
        final List<String> lines = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("smc4j ")) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            lines.clear();
        }
        if (lines.isEmpty()) {
            silent++;
        }
        lines.forEach(this::add);
    }

    private void add(String line) {
        for (String word : line.split(" ")) {
            final int equals = word.indexOf('=');
            if (equals < 0 || word.startsWith("pid=")) {
                continue;
            }
            final String name = word.substring(0, equals);
            final String value = word.substring(equals + 1);
            if (name.equals("tcp_fallback")) {
                addReasons(value);
            } else {
                counts.merge(name, number(value), Long::sum);
            }
        }
    }

    private void addReasons(String list) {
        for (String reason : list.split(",")) {
            final int colon = reason.lastIndexOf(':');
            if (colon > 0) {
                reasons.merge(reason.substring(0, colon), number(reason.substring(colon + 1)), Long::sum);
            }
        }
    }

    private static long number(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    /** One line for the table. */
    String text() {
        if (jvms == 0) {
            return "no JVM with the agent";
        }
        final StringBuilder text = new StringBuilder();
        text.append("SMC-D ").append(count("smcd")).append(", SMC-R ").append(count("smcr"))
            .append(", TCP ").append(count("tcp"));
        if (!reasons.isEmpty()) {
            text.append(" (reason:connections");
            reasons.forEach((reason, connections) -> text.append(' ').append(reason).append(':').append(connections));
            text.append(')');
        }
        if (silent > 0) {
            text.append("; ").append(silent).append(" of ").append(jvms).append(" JVMs left no summary");
        }
        return text.toString();
    }
}
