package org.smc4j.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The line that the agent appends to the file of {@code smc.summary} when its JVM exits.
 *
 * @param pid         process id of the JVM
 * @param smcd        connections that ended up in SMC-D
 * @param smcr        connections that ended up in SMC-R
 * @param tcp         connections that stayed on TCP
 * @param smcTxBytes  payload bytes sent over SMC-D and SMC-R
 * @param smcRxBytes  payload bytes received over SMC-D and SMC-R
 * @param tcpFallback connections on TCP by reason code, empty when none
 */
public record AgentSummary(long pid, long smcd, long smcr, long tcp, long smcTxBytes, long smcRxBytes,
        Map<Integer, Long> tcpFallback) {
    /** Reason "the peer did not indicate SMC" (the kernel's SMC_CLC_DECL_PEERNOSMC). */
    public static final int PEER_NO_SMC = 0x03010000;

    private static final String PREFIX = "smc4j";

    public AgentSummary {
        tcpFallback = Map.copyOf(tcpFallback);
    }

    /** Connections on TCP because of {@code reason}, 0 when there were none. */
    public long fallbacks(int reason) {
        return tcpFallback.getOrDefault(reason, 0L);
    }

    /**
     * Parses one line. Keys may come in any order and unknown ones are ignored; of the known ones only the reasons may
     * be missing.
     *
     * @throws IllegalArgumentException if this is no such line
     */
    public static AgentSummary parse(String line) {
        String[] words = line.strip().split("\\s+");
        if (!words[0].equals(PREFIX)) {
            throw new IllegalArgumentException("not a summary line: " + line);
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("not key=value: " + words[i] + " in: " + line);
            }
            values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return new AgentSummary(number(values, "pid", line), number(values, "smcd", line),
                number(values, "smcr", line), number(values, "tcp", line), number(values, "smc_tx_bytes", line),
                number(values, "smc_rx_bytes", line), reasons(values.getOrDefault("tcp_fallback", "")));
    }

    /** All summaries in the file, in the order in which the JVMs exited; none if the file does not exist. */
    public static List<AgentSummary> read(Path file) {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<AgentSummary> summaries = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                if (!line.isBlank()) {
                    summaries.add(parse(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return summaries;
    }

    private static long number(Map<String, String> values, String key, String line) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in: " + line);
        }
        return Long.parseLong(value);
    }

    private static Map<Integer, Long> reasons(String text) {
        Map<Integer, Long> reasons = new TreeMap<>();
        if (!text.isEmpty()) {
            for (String entry : text.split(",")) {
                int colon = entry.indexOf(':');
                if (colon < 0) {
                    throw new IllegalArgumentException("not reason:count: " + entry);
                }
                // parseUnsignedInt: the upper half of the reason codes does not fit a signed int.
                reasons.put(Integer.parseUnsignedInt(entry.substring(entry.startsWith("0x") ? 2 : 0, colon), 16),
                        Long.parseLong(entry.substring(colon + 1)));
            }
        }
        return reasons;
    }
}
