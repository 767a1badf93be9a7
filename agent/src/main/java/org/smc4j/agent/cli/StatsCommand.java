package org.smc4j.agent.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import org.smc4j.diag.ReasonCode;
import org.smc4j.sideband.SidebandQuery;
import org.smc4j.status.Counters;
import org.smc4j.status.ModeCounters;
import org.smc4j.status.StreamCounts;

/** {@code stats}: what each JVM counted, in the words of {@code smcd stats} and {@code smcr stats}. */
record StatsCommand(PrintStream out, PrintStream err) {
    private static final int LABEL_WIDTH = 44;
    private static final int VALUE_WIDTH = 14;
    private static final String UNITS = "KMGTPE";
    private static final String BYTES = "    Data transmitted (Bytes)";
    private static final String REQUESTS = "    Total requests";
    private static final String FULL = "    Buffer full";
    private static final int KIBI = 1 << 10;
    private static final int MEBI = 1 << 20;

    int run() throws IOException {
        Processes processes = Processes.ask(SidebandQuery.Topic.COUNTERS, err);
        processes.each(answer -> {
            print(answer, Counters.decode(answer.lines()));
            out.println();
        });
        return processes.status();
    }

    private void print(Processes.Answer answer, Counters counters) {
        out.println("Process " + answer.pid() + " of user " + Integer.toUnsignedString(answer.uid()));
        out.println("Connections Summary");
        line("  Total connections handled", counters.totalConnections(),
                sides(counters.clientConnections(), counters.serverConnections()));
        ModeCounters smcd = counters.smcd();
        ModeCounters smcr = counters.smcr();
        line("  TCP fallback", counters.tcpConnections(), sides(counters.clientConnections() - smcd.client() - smcr.client(),
                counters.serverConnections() - smcd.server() - smcr.server()));
        long undecided = counters.tcpConnections();
        for (Map.Entry<Integer, Long> entry : counters.fallbacks().entrySet()) {
            ReasonCode known = ReasonCode.of(entry.getKey());
            line("    " + ReasonCode.hex(entry.getKey()) + ' ' + (known == null ? "(unknown reason)" : known.words()),
                    entry.getValue(), "");
            undecided -= entry.getValue();
        }
        if (undecided > 0) {
            line("    no handshake (yet)", undecided, "");
        }
        line("  Open connections", counters.openConnections(), "");
        print("SMC-D", smcd);
        print("SMC-R", smcr);
    }

    private void print(String name, ModeCounters counters) {
        StreamCounts traffic = counters.traffic();
        out.println(name + " Connections Summary");
        line("  SMC connections", counters.connections(), sides(counters.client(), counters.server()));
        out.println("  RX Stats");
        line(BYTES, traffic.rxBytes(), human(traffic.rxBytes()));
        line(REQUESTS, traffic.rxCalls(), "");
        line(FULL, traffic.rxFull(), share(traffic.rxFull(), traffic.rxCalls()));
        buffers(counters.receiveBuffers());
        out.println("  TX Stats");
        line(BYTES, traffic.txBytes(), human(traffic.txBytes()));
        line(REQUESTS, traffic.txCalls(), "");
        line(FULL, traffic.txFull(), share(traffic.txFull(), traffic.txCalls()));
        line("    Buffer full (remote)", traffic.txFullPeer(), share(traffic.txFullPeer(), traffic.txCalls()));
        buffers(counters.sendBuffers());
    }

    private void buffers(Map<Integer, Long> counts) {
        counts.forEach((size, count) -> line("    Bufs " + (size < MEBI ? size / KIBI + "KB" : size / MEBI + "MB"), count, ""));
    }

    private static String share(long part, long whole) {
        return part == 0 || whole == 0 ? "" : String.format(Locale.ROOT, "(%.2f%%)", 100.0 * part / whole);
    }

    private void line(String label, long value, String more) {
        String number = Long.toString(value);
        String padding = " ".repeat(Math.max(1, LABEL_WIDTH + VALUE_WIDTH - label.length() - number.length()));
        out.println((label + padding + number + ' ' + more).stripTrailing());
    }

    private static String sides(long client, long server) {
        return "(client " + client + ", server " + server + ')';
    }

    /** As smcd does: decimal units, none below a thousand. */
    private static String human(long bytes) {
        double value = bytes;
        int unit = -1;
        while (value >= 1000 && unit < UNITS.length() - 1) {
            value /= 1000;
            unit++;
        }
        return unit < 0 ? "" : String.format(Locale.ROOT, "(%.2f%c)", value, UNITS.charAt(unit));
    }
}
