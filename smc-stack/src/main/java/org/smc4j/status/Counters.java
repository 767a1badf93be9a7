package org.smc4j.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a process counted since its start, at one moment.
 *
 * @param clientConnections connections that it opened
 * @param serverConnections connections that it accepted
 * @param smcd              of those that reached SMC-D
 * @param smcr              of those that reached SMC-R
 * @param openConnections   connections of all kinds that are open now
 * @param fallbacks         connections whose handshake ended on TCP, by reason code in ascending order
 */
public record Counters(long clientConnections, long serverConnections, ModeCounters smcd, ModeCounters smcr, long openConnections,
        Map<Integer, Long> fallbacks) {
    private static final String CLIENT = "client";
    private static final String SERVER = "server";
    private static final String SMCD = "smcd_";
    private static final String SMCR = "smcr_";
    private static final String OPEN = "open";
    private static final String FALLBACK = "fallback_";

    public long totalConnections() {
        return clientConnections + serverConnections;
    }

    /** Connections that are or were TCP to their end, or whose handshake has not ended yet. */
    public long tcpConnections() {
        return totalConnections() - smcd.connections() - smcr.connections();
    }

    /** Everything that went over SMC. */
    public StreamCounts traffic() {
        return smcd.traffic().plus(smcr.traffic());
    }

    /** Lines {@code name=value}. */
    public List<String> encode() {
        List<String> lines = new ArrayList<>();
        lines.add(CLIENT + '=' + clientConnections);
        lines.add(SERVER + '=' + serverConnections);
        smcd.encode(SMCD, lines);
        smcr.encode(SMCR, lines);
        lines.add(OPEN + '=' + openConnections);
        for (Map.Entry<Integer, Long> entry : fallbacks.entrySet()) {
            lines.add(FALLBACK + Integer.toHexString(entry.getKey()) + '=' + entry.getValue());
        }
        return lines;
    }

    /** @throws IllegalArgumentException if a line is not {@code name=number}; a counter that is missing is 0 */
    public static Counters decode(List<String> lines) {
        Map<String, Long> values = new TreeMap<>();
        Map<Integer, Long> fallbacks = new TreeMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("not a counter: '" + line + "'");
            }
            String name = line.substring(0, equals);
            long value = Long.parseLong(line.substring(equals + 1));
            if (name.startsWith(FALLBACK)) {
                fallbacks.put(Integer.parseUnsignedInt(name.substring(FALLBACK.length()), 16), value);
            } else {
                values.put(name, value);
            }
        }
        return new Counters(values.getOrDefault(CLIENT, 0L), values.getOrDefault(SERVER, 0L), ModeCounters.decode(SMCD, values),
                ModeCounters.decode(SMCR, values), values.getOrDefault(OPEN, 0L), fallbacks);
    }
}
