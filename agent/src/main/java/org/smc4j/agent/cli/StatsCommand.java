package org.smc4j.agent.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import org.smc4j.diag.ReasonCode;
import org.smc4j.sideband.SidebandQuery;
import org.smc4j.status.Counters;

/** {@code stats}: what each JVM counted, in the words of {@code smcd stats}. */
record StatsCommand(PrintStream out, PrintStream err) {
    private static final int LABEL_WIDTH = 44;
    private static final int VALUE_WIDTH = 14;
    private static final String UNITS = "KMGTPE";

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
        out.println("SMC-D Connections Summary");
        line("  Total connections handled", counters.totalConnections(),
                sides(counters.clientConnections(), counters.serverConnections()));
        line("  SMC connections", counters.smcdConnections(), sides(counters.smcdClient(), counters.smcdServer()));
        line("  TCP fallback", counters.tcpConnections(), sides(counters.clientConnections() - counters.smcdClient(),
                counters.serverConnections() - counters.smcdServer()));
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
        out.println("RX Stats");
        line("  Data transmitted (Bytes)", counters.rxBytes(), human(counters.rxBytes()));
        out.println("TX Stats");
        line("  Data transmitted (Bytes)", counters.txBytes(), human(counters.txBytes()));
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
        return unit < 0 ? "" : String.format(java.util.Locale.ROOT, "(%.2f%c)", value, UNITS.charAt(unit));
    }
}
