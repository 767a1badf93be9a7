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
 * @param smcdClient        of those opened, how many reached SMC-D
 * @param smcdServer        of those accepted, how many reached SMC-D
 * @param smcrClient        of those opened, how many reached SMC-R
 * @param smcrServer        of those accepted, how many reached SMC-R
 * @param openConnections   connections of both kinds that are open now
 * @param txBytes           bytes sent over SMC
 * @param rxBytes           bytes received over SMC
 * @param fallbacks         connections whose handshake ended on TCP, by reason code in ascending order
 */
public record Counters(long clientConnections, long serverConnections, long smcdClient, long smcdServer,
        long smcrClient, long smcrServer, long openConnections, long txBytes, long rxBytes, Map<Integer, Long> fallbacks) {
    private static final String CLIENT = "client";
    private static final String SERVER = "server";
    private static final String SMCD_CLIENT = "smcd_client";
    private static final String SMCD_SERVER = "smcd_server";
    private static final String SMCR_CLIENT = "smcr_client";
    private static final String SMCR_SERVER = "smcr_server";
    private static final String OPEN = "open";
    private static final String TX_BYTES = "tx_bytes";
    private static final String RX_BYTES = "rx_bytes";
    private static final String FALLBACK = "fallback_";

    public long totalConnections() {
        return clientConnections + serverConnections;
    }

    public long smcdConnections() {
        return smcdClient + smcdServer;
    }

    public long smcrConnections() {
        return smcrClient + smcrServer;
    }

    /** Connections that are or were TCP to their end, or whose handshake has not ended yet. */
    public long tcpConnections() {
        return totalConnections() - smcdConnections() - smcrConnections();
    }

    /** Lines {@code name=value}. */
    public List<String> encode() {
        List<String> lines = new ArrayList<>();
        lines.add(CLIENT + '=' + clientConnections);
        lines.add(SERVER + '=' + serverConnections);
        lines.add(SMCD_CLIENT + '=' + smcdClient);
        lines.add(SMCD_SERVER + '=' + smcdServer);
        lines.add(SMCR_CLIENT + '=' + smcrClient);
        lines.add(SMCR_SERVER + '=' + smcrServer);
        lines.add(OPEN + '=' + openConnections);
        lines.add(TX_BYTES + '=' + txBytes);
        lines.add(RX_BYTES + '=' + rxBytes);
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
        return new Counters(values.getOrDefault(CLIENT, 0L), values.getOrDefault(SERVER, 0L),
                values.getOrDefault(SMCD_CLIENT, 0L), values.getOrDefault(SMCD_SERVER, 0L),
                values.getOrDefault(SMCR_CLIENT, 0L), values.getOrDefault(SMCR_SERVER, 0L), values.getOrDefault(OPEN, 0L),
                values.getOrDefault(TX_BYTES, 0L), values.getOrDefault(RX_BYTES, 0L), fallbacks);
    }
}
