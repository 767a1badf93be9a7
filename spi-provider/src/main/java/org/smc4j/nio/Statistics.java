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
import org.smc4j.status.ModeCounters;
import org.smc4j.status.StreamCounts;
import org.smc4j.stream.SmcStream;

/** Counters of this process, in the words of {@code smcd stats}. Any thread may count and read. */
final class Statistics {
    private final AtomicLong clientConnections = new AtomicLong();
    private final AtomicLong serverConnections = new AtomicLong();
    // Guarded by this: a stream that ends is counted either way at any moment.
    private final Mode smcd = new Mode();
    private final Mode smcr = new Mode();
    private final ConcurrentSkipListMap<Integer, AtomicLong> fallbacks = new ConcurrentSkipListMap<>();

    /** What was counted of one mode. */
    private static final class Mode {
        private final Set<SmcStream> live = new HashSet<>();
        private final Map<Integer, Long> sendBuffers = new TreeMap<>();
        private final Map<Integer, Long> receiveBuffers = new TreeMap<>();
        private long client;
        private long server;
        private StreamCounts ended = StreamCounts.ZERO;

        void count(boolean isClient, int change) {
            if (isClient) {
                client += change;
            } else {
                server += change;
            }
        }

        ModeCounters snapshot() {
            StreamCounts traffic = ended;
            for (SmcStream stream : live) {
                traffic = traffic.plus(stream.counts());
            }
            return new ModeCounters(client, server, traffic, new TreeMap<>(sendBuffers), new TreeMap<>(receiveBuffers));
        }
    }

    void connected() {
        clientConnections.incrementAndGet();
    }

    void accepted() {
        serverConnections.incrementAndGet();
    }

    synchronized void attached(boolean client, SmcStream stream) {
        Mode mode = mode(stream);
        mode.live.add(stream);
        mode.count(client, 1);
        mode.sendBuffers.merge(stream.sendBufferSize(), 1L, Long::sum);
        mode.receiveBuffers.merge(stream.receiveBufferSize(), 1L, Long::sum);
    }

    /** The connection is TCP after all. */
    synchronized void detached(boolean client, SmcStream stream) {
        mode(stream).count(client, -1);
    }

    private Mode mode(SmcStream stream) {
        return stream.mode() == SmcMode.SMCD ? smcd : smcr;
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
        Mode mode = mode(stream);
        mode.live.remove(stream);
        mode.ended = mode.ended.plus(stream.counts());
    }

    /** @param open how many connections are open now */
    synchronized Counters snapshot(int open) {
        Map<Integer, Long> reasons = new TreeMap<>();
        for (Map.Entry<Integer, AtomicLong> entry : fallbacks.entrySet()) {
            reasons.put(entry.getKey(), entry.getValue().get());
        }
        // In this order: a connection that is made meanwhile is not counted as one of SMC that was never made.
        // Before the totals: a connection that is made meanwhile is not counted as one of SMC that was never made.
        ModeCounters overDmbs = smcd.snapshot();
        ModeCounters overRnics = smcr.snapshot();
        return new Counters(clientConnections.get(), serverConnections.get(), overDmbs, overRnics, open, reasons);
    }

    static String summary(Counters counters) {
        StringBuilder line = new StringBuilder("smc4j pid=").append(ProcessHandle.current().pid())
                .append(" smcd=").append(counters.smcd().connections())
                .append(" smcr=").append(counters.smcr().connections())
                .append(" tcp=").append(counters.tcpConnections())
                .append(" smc_tx_bytes=").append(counters.traffic().txBytes())
                .append(" smc_rx_bytes=").append(counters.traffic().rxBytes());
        String separator = " tcp_fallback=";
        for (Map.Entry<Integer, Long> entry : counters.fallbacks().entrySet()) {
            line.append(separator).append(ReasonCode.hex(entry.getKey())).append(':').append(entry.getValue());
            separator = ",";
        }
        return line.toString();
    }
}
