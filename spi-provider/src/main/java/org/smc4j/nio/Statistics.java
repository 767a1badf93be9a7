package org.smc4j.nio;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.smc4j.stream.SmcStream;

/** Counters of this process, in the words of {@code smcd stats}. Any thread may count and read. */
public final class Statistics {
    private final AtomicLong clientConnections = new AtomicLong();
    private final AtomicLong serverConnections = new AtomicLong();
    private final AtomicLong smcdConnections = new AtomicLong();
    private final AtomicLong endedTxBytes = new AtomicLong();
    private final AtomicLong endedRxBytes = new AtomicLong();
    private final ConcurrentSkipListMap<Integer, AtomicLong> fallbacks = new ConcurrentSkipListMap<>();

    void connected() {
        clientConnections.incrementAndGet();
    }

    void accepted() {
        serverConnections.incrementAndGet();
    }

    void attached() {
        smcdConnections.incrementAndGet();
    }

    void fallback(int reasonCode) {
        AtomicLong count = fallbacks.get(reasonCode);
        if (count == null) {
            AtomicLong added = new AtomicLong();
            AtomicLong present = fallbacks.putIfAbsent(reasonCode, added);
            count = present == null ? added : present;
        }
        count.incrementAndGet();
    }

    void ended(SmcStream stream) {
        endedTxBytes.addAndGet(stream.bytesSent());
        endedRxBytes.addAndGet(stream.bytesReceived());
    }

    public long totalConnections() {
        return clientConnections.get() + serverConnections.get();
    }

    public long clientConnections() {
        return clientConnections.get();
    }

    public long serverConnections() {
        return serverConnections.get();
    }

    public long smcdConnections() {
        return smcdConnections.get();
    }

    public long tcpConnections() {
        return totalConnections() - smcdConnections.get();
    }

    /** Connections by the reason code that kept them on TCP, in the order of the codes; a snapshot. */
    public Map<Integer, AtomicLong> fallbacks() {
        return fallbacks;
    }

    long txBytes(List<SmcSocket> open) {
        long bytes = endedTxBytes.get();
        for (SmcSocket socket : open) {
            SmcStream stream = socket.stream();
            bytes += stream == null || stream.isClosed() ? 0 : stream.bytesSent();
        }
        return bytes;
    }

    long rxBytes(List<SmcSocket> open) {
        long bytes = endedRxBytes.get();
        for (SmcSocket socket : open) {
            SmcStream stream = socket.stream();
            bytes += stream == null || stream.isClosed() ? 0 : stream.bytesReceived();
        }
        return bytes;
    }

    String summary(List<SmcSocket> open) {
        StringBuilder line = new StringBuilder("smc4j pid=").append(ProcessHandle.current().pid())
                .append(" smcd=").append(smcdConnections())
                .append(" smcr=0 tcp=").append(tcpConnections())
                .append(" smcd_tx_bytes=").append(txBytes(open))
                .append(" smcd_rx_bytes=").append(rxBytes(open));
        Iterator<Map.Entry<Integer, AtomicLong>> each = fallbacks.entrySet().iterator();
        String separator = " tcp_fallback=";
        while (each.hasNext()) {
            Map.Entry<Integer, AtomicLong> entry = each.next();
            line.append(separator).append(hex(entry.getKey())).append(':').append(entry.getValue());
            separator = ",";
        }
        return line.toString();
    }

    static String hex(int reasonCode) {
        String digits = Integer.toHexString(reasonCode);
        return "0x" + "00000000".substring(digits.length()) + digits;
    }
}
