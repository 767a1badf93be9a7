package org.smc4j.status;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a process counted of SMC-D, or of SMC-R.
 *
 * @param client         connections that it opened and that reached this mode
 * @param server         connections that it accepted and that reached this mode
 * @param traffic        of all of them
 * @param sendBuffers    how many connections had one of so many bytes, by size in ascending order
 * @param receiveBuffers likewise; RMBs of SMC-R, DMBs of SMC-D
 */
public record ModeCounters(long client, long server, StreamCounts traffic, Map<Integer, Long> sendBuffers,
        Map<Integer, Long> receiveBuffers) {
    private static final String CLIENT = "client";
    private static final String SERVER = "server";
    private static final String TX_BYTES = "tx_bytes";
    private static final String RX_BYTES = "rx_bytes";
    private static final String TX_CALLS = "tx_calls";
    private static final String RX_CALLS = "rx_calls";
    private static final String TX_FULL = "tx_full";
    private static final String TX_FULL_PEER = "tx_full_peer";
    private static final String RX_FULL = "rx_full";
    private static final String SEND_BUFFER = "send_buffer_";
    private static final String RECEIVE_BUFFER = "receive_buffer_";

    public static final ModeCounters ZERO = new ModeCounters(0, 0, StreamCounts.ZERO, Map.of(), Map.of());

    public long connections() {
        return client + server;
    }

    void encode(String prefix, List<String> lines) {
        add(lines, prefix + CLIENT, client);
        add(lines, prefix + SERVER, server);
        add(lines, prefix + TX_BYTES, traffic.txBytes());
        add(lines, prefix + RX_BYTES, traffic.rxBytes());
        add(lines, prefix + TX_CALLS, traffic.txCalls());
        add(lines, prefix + RX_CALLS, traffic.rxCalls());
        add(lines, prefix + TX_FULL, traffic.txFull());
        add(lines, prefix + TX_FULL_PEER, traffic.txFullPeer());
        add(lines, prefix + RX_FULL, traffic.rxFull());
        sendBuffers.forEach((size, count) -> add(lines, prefix + SEND_BUFFER + size, count));
        receiveBuffers.forEach((size, count) -> add(lines, prefix + RECEIVE_BUFFER + size, count));
    }

    private static void add(List<String> lines, String name, long value) {
        lines.add(name + '=' + value);
    }

    static ModeCounters decode(String prefix, Map<String, Long> values) {
        return new ModeCounters(value(values, prefix + CLIENT), value(values, prefix + SERVER),
                new StreamCounts(value(values, prefix + TX_BYTES), value(values, prefix + RX_BYTES), value(values, prefix + TX_CALLS),
                        value(values, prefix + RX_CALLS), value(values, prefix + TX_FULL), value(values, prefix + TX_FULL_PEER),
                        value(values, prefix + RX_FULL)),
                sizes(values, prefix + SEND_BUFFER), sizes(values, prefix + RECEIVE_BUFFER));
    }

    private static long value(Map<String, Long> values, String name) {
        return values.getOrDefault(name, 0L);
    }

    private static Map<Integer, Long> sizes(Map<String, Long> values, String prefix) {
        Map<Integer, Long> sizes = new TreeMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                sizes.put(Integer.parseInt(name.substring(prefix.length())), value);
            }
        });
        return sizes;
    }
}
