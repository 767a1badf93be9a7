package org.smc4j.nio;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.status.Counters;
import org.smc4j.stream.SmcStream;

/** Counters of this process, in the words of {@code smcd stats}. Any thread may count and read. */
final class Statistics {
    private final AtomicLong clientConnections = new AtomicLong();
    private final AtomicLong serverConnections = new AtomicLong();
    private final AtomicLong smcdClient = new AtomicLong();
    private final AtomicLong smcdServer = new AtomicLong();
    private final AtomicLong smcrClient = new AtomicLong();
    private final AtomicLong smcrServer = new AtomicLong();
    // Guarded by this: a stream that ends is counted either way at any moment.
    private final Set<SmcStream> live = new HashSet<>();
    private long endedTxBytes;
    private long endedRxBytes;
    private final ConcurrentSkipListMap<Integer, AtomicLong> fallbacks = new ConcurrentSkipListMap<>();

    void connected() {
        clientConnections.incrementAndGet();
    }

    void accepted() {
        serverConnections.incrementAndGet();
    }

    synchronized void attached(boolean client, SmcStream stream) {
        live.add(stream);
        counter(client, stream).incrementAndGet();
    }

    /** The connection is TCP after all. */
    synchronized void detached(boolean client, SmcStream stream) {
        counter(client, stream).decrementAndGet();
    }

    private AtomicLong counter(boolean client, SmcStream stream) {
        if (stream.mode() == SmcMode.SMCD) {
            return client ? smcdClient : smcdServer;
        }
        return client ? smcrClient : smcrServer;
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

    synchronized void ended(SmcStream stream) {
        live.remove(stream);
        endedTxBytes += stream.bytesSent();
        endedRxBytes += stream.bytesReceived();
    }

    /** @param open how many connections are open now */
    synchronized Counters snapshot(int open) {
        long sent = endedTxBytes;
        long received = endedRxBytes;
        for (SmcStream stream : live) {
            sent += stream.bytesSent();
            received += stream.bytesReceived();
        }
        Map<Integer, Long> reasons = new TreeMap<>();
        for (Map.Entry<Integer, AtomicLong> entry : fallbacks.entrySet()) {
            reasons.put(entry.getKey(), entry.getValue().get());
        }
        // In this order: a connection that is made meanwhile is not counted as one of SMC that was never made.
        long smcdOfClient = smcdClient.get();
        long smcdOfServer = smcdServer.get();
        long smcrOfClient = smcrClient.get();
        long smcrOfServer = smcrServer.get();
        return new Counters(clientConnections.get(), serverConnections.get(), smcdOfClient, smcdOfServer, smcrOfClient,
                smcrOfServer, open, sent, received, reasons);
    }

    static String summary(Counters counters) {
        StringBuilder line = new StringBuilder("smc4j pid=").append(ProcessHandle.current().pid())
                .append(" smcd=").append(counters.smcdConnections())
                .append(" smcr=").append(counters.smcrConnections())
                .append(" tcp=").append(counters.tcpConnections())
                .append(" smc_tx_bytes=").append(counters.txBytes())
                .append(" smc_rx_bytes=").append(counters.rxBytes());
        String separator = " tcp_fallback=";
        for (Map.Entry<Integer, Long> entry : counters.fallbacks().entrySet()) {
            line.append(separator).append(ReasonCode.hex(entry.getKey())).append(':').append(entry.getValue());
            separator = ",";
        }
        return line.toString();
    }
}
