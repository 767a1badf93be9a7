package org.smc4j.bench;

import java.util.List;
import java.util.Map;
import org.smc4j.bench.plain.Api;

/**
 * What concerns connections more than bytes: how many per second, many through one selector, and connections whose
 * peer has no agent. These JVMs live through all rounds, because warming up would take longer than measuring.
 */
final class ConnectionSections {
    static final List<Api> CONNECT_APIS = List.of(Api.CHANNEL, Api.SOCKET);
    static final List<Integer> CROWDS = List.of(1, 1000);

    private final Lab lab;
    private final Settings settings;
    private final Results results;
    private final Progress progress;

    ConnectionSections(Lab lab, Results results, Progress progress) {
        this.lab = lab;
        this.settings = lab.settings();
        this.results = results;
        this.progress = progress;
    }

    /** A figure of the peer section: the command of the client, and which word of its answer counts. */
    record PeerFigure(String kind, Api api, int size, String word) {
        String figure() {
            return "peer/" + kind + '/' + api.label() + '/' + size;
        }

        boolean higherIsBetter() {
            return !kind.equals("roundtrip");
        }
    }

    static List<PeerFigure> peerFigures(boolean quick) {
        final List<PeerFigure> figures = List.of(
            new PeerFigure("roundtrip", Api.CHANNEL, 64, "p50_ns"),
            new PeerFigure("oneway", Api.CHANNEL, 64, "mbps"),
            new PeerFigure("oneway", Api.CHANNEL, 64 * 1024, "mbps"),
            new PeerFigure("connect", Api.CHANNEL, 64, "per_second"),
            new PeerFigure("roundtrip", Api.SELECTOR, 64, "p50_ns"),
            new PeerFigure("oneway", Api.SOCKET, 64, "mbps"));
        return quick ? figures.subList(0, 4) : figures;
    }

    void connects() {
        interleaved("connect", Mode.AGENT, (pair, variant) -> {
            for (Api api : CONNECT_APIS) {
                results.attempt(() -> results.add("connect/" + api.label(), variant, number(
                    pair.ask(api, "connect " + api.label() + " @ 64 " + settings.times()), "per_second")));
            }
        });
    }

    void crowds() {
        interleaved("selector1000", Mode.AGENT_AT_ONCE, (pair, variant) -> {
            for (int connections : CROWDS) {
                results.attempt(() -> results.add("selector1000/" + connections, variant, number(
                    pair.ask(Api.SELECTOR, "many @ " + connections + ' ' + settings.times()), "per_second")));
            }
        });
    }

    private interface Column {
        void measure(Pair pair, String variant);
    }

    private void interleaved(String section, Mode mode, Column column) {
        try (Pair tcp = new Pair(lab, Mode.PLAIN, section); Pair smc = new Pair(lab, mode, section)) {
            for (int round = 0; round < settings.manyRounds(); round++) {
                progress.stage(section + ": round " + (round + 1) + "/" + settings.manyRounds());
                if (round % 2 == 0) {
                    column.measure(tcp, Results.TCP);
                    column.measure(smc, Results.SMC);
                } else {
                    column.measure(smc, Results.SMC);
                    column.measure(tcp, Results.TCP);
                }
            }
        }
    }

    void peersWithoutAgent() {
        try (Pair plain = new Pair(lab, Mode.PLAIN, "peer");
             Pair client = new Pair(lab, Mode.AGENT, Mode.PLAIN, "peer: client with agent");
             Pair server = new Pair(lab, Mode.PLAIN, Mode.AGENT, "peer: server with agent")) {
            final List<Map.Entry<Pair, String>> columns = List.of(Map.entry(plain, Results.TCP),
                Map.entry(client, Results.AGENT_CLIENT), Map.entry(server, Results.AGENT_SERVER));
            for (PeerFigure figure : peerFigures(settings.quick())) {
                columns.forEach(column -> peer(column.getKey(), figure, settings.warmMillis() / 2 + " 1"));
            }
            for (int round = 0; round < settings.manyRounds(); round++) {
                progress.stage("peer without agent: round " + (round + 1) + "/" + settings.manyRounds());
                for (PeerFigure figure : peerFigures(settings.quick())) {
                    for (int i = 0; i < columns.size(); i++) {
                        final Map.Entry<Pair, String> column = columns.get((i + round) % columns.size());
                        final double sample = peer(column.getKey(), figure, settings.times());
                        if (!Double.isNaN(sample)) {
                            results.add(figure.figure(), column.getValue(), sample);
                        }
                    }
                }
            }
        }
    }

    private double peer(Pair pair, PeerFigure figure, String times) {
        final double[] sample = {Double.NaN};
        results.attempt(() -> sample[0] = number(pair.ask(figure.api(),
            figure.kind() + ' ' + figure.api().label() + " @ " + figure.size() + ' ' + times), figure.word()));
        return sample[0];
    }

    private static double number(Map<String, String> answer, String word) {
        return Double.parseDouble(answer.get(word));
    }
}
