package org.smc4j.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.smc4j.bench.Targets.Target;
import org.smc4j.bench.plain.Api;

/** The table on standard output. Counts the figures that had to be reached and were not. */
final class Report {
    private static final String HEAD = "%n%-40s %12s %12s %8s %15s %8s %8s%n";
    private static final String LINE = "  %-38s %12s %12s %8s %15s %8s %8s  %s%n";

    private final Settings settings;
    private final Results results;
    private final PrintStream out;
    private int missed;

    Report(Settings settings, Results results, PrintStream out) {
        this.settings = settings;
        this.results = results;
        this.out = out;
    }

    /** What is compared within a table: whether more is better, and whether the limit is a ratio or a difference. */
    private enum Sense {
        MORE, LESS, LESS_ADDED
    }

    int missed() {
        return missed;
    }

    void print() {
        final String column = settings.plainOnly() ? "plain again" : "SMC";
        if (settings.has("roundtrip")) {
            matrix("roundtrip", "round trip, us p50", column, Sense.LESS);
            out.printf("  p99, us%n");
            for (int size : MatrixSection.SIZES) {
                for (Api api : MatrixSection.APIS) {
                    row(label(api, size), MatrixSection.figure("roundtrip", api, size) + "/p99", Results.TCP,
                        Results.SMC, Sense.LESS, Target.NONE);
                }
            }
        }
        if (settings.has("oneway")) {
            matrix("oneway", "one way, MB/s at the receiver", column, Sense.MORE);
        }
        if (settings.has("connect")) {
            head("connect + echo + close, 1/s", "TCP", column);
            for (Api api : ConnectionSections.CONNECT_APIS) {
                final String figure = "connect/" + api.label();
                row(name(api), figure, Results.TCP, Results.SMC, Sense.MORE, Targets.of(figure));
            }
        }
        if (settings.has("selector1000")) {
            crowds(column);
        }
        if (settings.has("peer")) {
            peers();
        }
        if (settings.has("start") || settings.has("cold")) {
            head("processes, ms", "TCP", column);
            row("JVM start, hello world (added)", "start", Results.TCP, Results.SMC, Sense.LESS_ADDED, Targets.START);
            row("cold client, 1,000 requests", "cold", Results.TCP, Results.SMC, Sense.LESS, Targets.of("cold"));
        }
        if (settings.has("idle")) {
            head(String.format(Locale.ROOT, "per idle connection, of %.0f",
                results.median("idle/connections", Results.SMC)), "TCP", column);
            for (String end : ProcessSections.ENDS) {
                for (String figure : ProcessSections.IDLE_FIGURES) {
                    row(end + (figure.equals("fd") ? " descriptors" : " " + figure.toUpperCase(Locale.ROOT) + " KiB"),
                        "idle/" + end + '/' + figure, Results.TCP, Results.SMC, Sense.LESS, Target.NONE);
                }
            }
        }
    }

    private void matrix(String kind, String title, String column, Sense sense) {
        head(title, "TCP", column);
        for (int size : MatrixSection.SIZES) {
            for (Api api : MatrixSection.APIS) {
                final String figure = MatrixSection.figure(kind, api, size);
                row(label(api, size), figure, Results.TCP, Results.SMC, sense, Targets.of(figure));
                row(label(api, size) + " polling", figure, Results.TCP, Results.SMC_POLL, sense, Targets.POLLING);
            }
        }
        out.printf("  peers, beside blocking SocketChannel over TCP%n");
        for (int size : MatrixSection.SIZES) {
            final String figure = MatrixSection.figure(kind, Api.CHANNEL, size);
            row("JDK UNIX SocketChannel " + size(size), figure, Results.TCP, Results.UNIX, sense, Target.NONE);
            row("Aeron IPC, spinning    " + size(size), figure, Results.TCP, Results.AERON, sense, Target.NONE);
        }
    }

    private void crowds(String column) {
        head("echo through one selector, 1/s", "TCP", column);
        double must = Double.NaN;
        for (int connections : ConnectionSections.CROWDS) {
            final String figure = "selector1000/" + connections;
            row(connections + (connections == 1 ? " connection" : " connections"), figure, Results.TCP, Results.SMC,
                Sense.MORE, new Target(must, Double.NaN));
            // The promise for many connections is the ratio that one connection has.
            must = results.median(figure, Results.SMC) / results.median(figure, Results.TCP);
        }
    }

    private void peers() {
        for (String variant : List.of(Results.AGENT_CLIENT, Results.AGENT_SERVER)) {
            head("peer without agent", "plain", variant);
            for (ConnectionSections.PeerFigure figure : ConnectionSections.peerFigures(settings.quick())) {
                final boolean more = figure.higherIsBetter();
                final String unit = switch (figure.kind()) {
                    case "roundtrip" -> " ns";
                    case "oneway" -> " MB/s";
                    default -> " 1/s";
                };
                row(figure.kind() + ' ' + figure.api().label() + ' ' + size(figure.size()) + unit,
                    figure.figure(), Results.TCP, variant,
                    more ? Sense.MORE : Sense.LESS, more ? Targets.PEER : Targets.PEER_TIME);
            }
        }
    }

    private void head(String title, String base, String other) {
        out.printf(HEAD, title, base, other, "ratio", "rounds", "must", "aim");
    }

    private void row(String label, String figure, String base, String variant, Sense sense, Target target) {
        final double under = results.median(figure, base);
        final double over = results.median(figure, variant);
        if (Double.isNaN(over) && (Double.isNaN(under) || !variant.equals(Results.SMC))) {
            return;
        }
        final double value = sense == Sense.LESS_ADDED ? over - under : over / under;
        final double[] range = results.ratioRange(figure, variant, base);
        final String sign = sense == Sense.LESS_ADDED && value > 0 ? "+" : "";
        out.printf(LINE, label, number(under), number(over), sign + number(value),
            Double.isFinite(range[0]) ? number(range[0]) + ".." + number(range[1]) : "",
            limit(target.must(), sense), limit(target.aim(), sense), verdict(value, target, sense));
    }

    private String verdict(double value, Target target, Sense sense) {
        if (settings.plainOnly() || Double.isNaN(target.must()) && Double.isNaN(target.aim())) {
            return "";
        }
        if (Double.isNaN(value)) {
            missed++;
            return "NOT MEASURED";
        }
        if (reached(value, target.aim(), sense)) {
            return "aim reached";
        }
        if (Double.isNaN(target.must())) {
            return "aim missed";
        }
        if (reached(value, target.must(), sense)) {
            return "ok";
        }
        missed++;
        return "MISSED";
    }

    private static boolean reached(double value, double limit, Sense sense) {
        return sense == Sense.MORE ? value >= limit : value <= limit;
    }

    private static String limit(double limit, Sense sense) {
        return Double.isNaN(limit) ? "" : (sense == Sense.MORE ? ">=" : "<=") + number(limit);
    }

    private static String label(Api api, int size) {
        return String.format("%-20s %8s", name(api), size(size));
    }

    private static String name(Api api) {
        return switch (api) {
            case CHANNEL -> "SocketChannel";
            case SOCKET -> "Socket streams";
            case SELECTOR -> "selector";
            case VIRTUAL -> "virtual threads";
            case UNIX -> "UNIX SocketChannel";
        };
    }

    private static String size(int bytes) {
        return bytes < 1024 ? bytes + " B" : bytes / 1024 + " KiB";
    }

    /** Three significant digits. */
    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        final double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }
}
