package org.smc4j.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The comparison: {@code smc_run --compare}. Exit status 0 after a complete run, 1 when something could not be
 * measured, 2 with {@code --check} when a figure that must be reached was missed.
 */
public final class Compare {
    private final Settings settings;
    private final Results results = new Results();
    private final Progress progress = new Progress();
    private long matrixBytes;

    private Compare(Settings settings) {
        this.settings = settings;
    }

    public static void main(String[] args) throws IOException {
        if (List.of(args).contains("--help")) {
            System.out.println(Settings.USAGE);
            return;
        }
        final Settings settings;
        try {
            settings = Settings.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("smc_run --compare: " + e.getMessage());
            System.exit(1);
            return;
        }
        System.exit(new Compare(settings).run());
    }

    private int run() throws IOException {
        try (Lab lab = new Lab(settings)) {
            final double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
            measure(lab);
            progress.done();
            final Report report = new Report(settings, results, System.out);
            System.out.printf("smc4j comparison: Java %s, %d processors, median of %d rounds of %d ms per figure,"
                + " %d rounds where connections or processes are counted%n", Runtime.version(),
                Runtime.getRuntime().availableProcessors(), settings.rounds(), settings.cellMillis(), settings.manyRounds());
            if (load > 0.5) {
                System.out.printf("load average %.1f before the start: other work disturbs these figures%n", load);
            }
            report.print();
            modes(lab, System.out);
            results.failures().forEach(failure -> System.out.println("FAILED " + failure));
            System.out.printf("%n%d s; figures missed: %d; failures: %d%n", progress.seconds(), report.missed(),
                results.failures().size());
            if (!results.failures().isEmpty()) {
                return 1;
            }
            return settings.check() && report.missed() > 0 ? 2 : 0;
        }
    }

    private void measure(Lab lab) {
        if (settings.has("roundtrip") || settings.has("oneway")) {
            matrixBytes = new MatrixSection(lab, results, progress).run();
        }
        final ConnectionSections connections = new ConnectionSections(lab, results, progress);
        if (settings.has("connect")) {
            connections.connects();
        }
        if (settings.has("selector1000")) {
            connections.crowds();
        }
        if (settings.has("peer")) {
            connections.peersWithoutAgent();
        }
        final ProcessSections processes = new ProcessSections(lab, results, progress);
        if (settings.has("start")) {
            processes.start();
        }
        if (settings.has("cold")) {
            processes.cold();
        }
        if (settings.has("idle")) {
            processes.idle();
        }
    }

    /** What the connections really were: a ratio near 1 means little until this says that the bytes went over SMC. */
    private void modes(Lab lab, PrintStream out) {
        if (settings.plainOnly()) {
            return;
        }
        out.printf("%nconnections by mode, as the agents count them%n");
        lab.summaries().forEach((section, summary) -> out.printf("  %-32s %s%n", section, summary.text()));
        final Summary client = lab.summaries().get(MatrixSection.NAME + " client");
        if (client != null && matrixBytes > 0) {
            final long smcBytes = client.count("smc_tx_bytes") + client.count("smcr_tx_bytes");
            out.printf("  of the %d MB that the clients of \"%s\" sent, %.1f %% went over SMC%n",
                matrixBytes / 1_000_000, MatrixSection.NAME, 100.0 * smcBytes / matrixBytes);
        }
    }
}
