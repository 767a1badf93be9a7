package org.smc4j.bench;

import java.util.List;
import java.util.Map;
import org.smc4j.bench.plain.Api;

/**
 * Round trip and one-way throughput by API and message size.
 *
 * <p>Every round has fresh JVMs, so that one lucky compilation does not decide all rounds; within a round the two
 * columns of a figure are measured one right after the other, in turn the one or the other first, so that what else
 * happens on the machine meets both.
 */
final class MatrixSection {
    static final List<Integer> SIZES = List.of(64, 1024, 64 * 1024);
    static final List<Api> APIS = List.of(Api.CHANNEL, Api.SOCKET, Api.SELECTOR, Api.VIRTUAL);
    static final List<String> KINDS = List.of("roundtrip", "oneway");
    static final String NAME = "round trip, one way";

    private final Lab lab;
    private final Settings settings;
    private final Results results;
    private final Progress progress;

    MatrixSection(Lab lab, Results results, Progress progress) {
        this.lab = lab;
        this.settings = lab.settings();
        this.results = results;
        this.progress = progress;
    }

    static String figure(String kind, Api api, int size) {
        return kind + '/' + api.label() + '/' + size;
    }

    /** Returns the bytes that the clients with the agent sent in all rounds. */
    long run() {
        long sent = 0;
        for (int round = 0; round < settings.rounds(); round++) {
            final Pair tcp = new Pair(lab, Mode.PLAIN, NAME);
            final Pair smc = new Pair(lab, Mode.AGENT, NAME);
            try (tcp; smc) {
                final String stage = "round " + (round + 1) + "/" + settings.rounds();
                progress.stage(stage + ": warming up fresh JVMs");
                warmUp(tcp);
                warmUp(smc);
                progress.stage(stage + ": round trip and one way");
                for (String kind : KINDS) {
                    if (settings.has(kind)) {
                        round(kind, round, tcp, smc);
                    }
                }
            }
            sent += smc.sent();
            if (settings.has("roundtrip") && !settings.plainOnly()) {
                polling();
            }
            if (round == 0 || !settings.quick()) {
                aeron();
            }
        }
        return sent;
    }

    private void round(String kind, int round, Pair tcp, Pair smc) {
        for (int size : SIZES) {
            for (Api api : APIS) {
                if (settings.quick() && !Targets.has(figure(kind, api, size))) {
                    continue;
                }
                progress.detail(kind + ' ' + api.label() + ' ' + size);
                if (round % 2 == 0) {
                    measure(tcp, kind, api, size, api, Results.TCP);
                    measure(smc, kind, api, size, api, Results.SMC);
                } else {
                    measure(smc, kind, api, size, api, Results.SMC);
                    measure(tcp, kind, api, size, api, Results.TCP);
                }
            }
            if (!settings.quick() || Targets.has(figure(kind, Api.CHANNEL, size))) {
                measure(tcp, kind, Api.UNIX, size, Api.CHANNEL, Results.UNIX);
            }
        }
    }

    /** Measures one API; the result is kept as a variant of the figure of another, or of itself. */
    private void measure(Pair pair, String kind, Api api, int size, Api rowApi, String variant) {
        results.attempt(() -> keep(kind, figure(kind, rowApi, size), variant,
            pair.ask(api, kind + ' ' + api.label() + " @ " + size + ' ' + settings.times())));
    }

    private void keep(String kind, String figure, String variant, Map<String, String> answer) {
        if (kind.equals("roundtrip")) {
            results.add(figure, variant, Double.parseDouble(answer.get("p50_ns")) / 1000);
            results.add(figure + "/p99", variant, Double.parseDouble(answer.get("p99_ns")) / 1000);
        } else {
            results.add(figure, variant, Double.parseDouble(answer.get("mbps")));
        }
    }

    private void warmUp(Pair pair) {
        for (Api api : APIS) {
            for (String kind : KINDS) {
                if (settings.has(kind) && (!settings.quick() || Targets.has(figure(kind, api, 64)))) {
                    results.attempt(() -> pair.ask(api, kind + ' ' + api.label() + " @ 64 1 " + settings.warmMillis()));
                }
            }
        }
    }

    private void polling() {
        progress.detail("round trip with busy polling");
        try (Pair pair = new Pair(lab, Mode.AGENT_POLL, "busy polling")) {
            for (Api api : List.of(Api.CHANNEL, Api.SOCKET)) {
                results.attempt(() -> pair.ask(api, "roundtrip " + api.label() + " @ 64 1 " + settings.warmMillis()));
                measure(pair, "roundtrip", api, 64, api, Results.SMC_POLL);
            }
        }
    }

    /** In JVMs of their own, and only now: they spin, so nothing else may be measured beside them. */
    private void aeron() {
        progress.detail("Aeron IPC");
        final String directory = lab.file(".aeron").toString();
        results.attempt(() -> {
            try (Child server = lab.ownJvm(AeronCeiling.JVM_OPTIONS, AeronCeiling.class, "server", directory)) {
                server.answer("start", "ready", 20);
                try (Child client = lab.ownJvm(AeronCeiling.JVM_OPTIONS, AeronCeiling.class, "client", directory)) {
                    client.answer("start", "ready", 20);
                    for (String kind : KINDS) {
                        if (settings.has(kind)) {
                            client.ask(kind + " 64 1 " + settings.cellMillis(), 20);
                            aeronKind(client, kind);
                        }
                    }
                }
            }
        });
    }

    private void aeronKind(Child client, String kind) throws BenchFailure {
        for (int size : SIZES) {
            final String figure = figure(kind, Api.CHANNEL, size);
            if (!settings.quick() || Targets.has(figure)) {
                keep(kind, figure, Results.AERON, client.ask(kind + ' ' + size + ' ' + settings.times(), 20));
            }
        }
    }
}
