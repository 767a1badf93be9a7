package org.smc4j.bench;

import java.util.Map;

/** The ratios SMC to TCP that the project promises: what must be reached, and what is aimed at. */
final class Targets {
    /** A pair of limits; NaN where there is none. */
    record Target(double must, double aim) {
        static final Target NONE = new Target(Double.NaN, Double.NaN);
    }

    /** To a peer without the agent, as part of the plain throughput. */
    static final Target PEER = new Target(0.97, Double.NaN);
    /** The same for times. */
    static final Target PEER_TIME = new Target(1 / 0.97, Double.NaN);
    /** With busy polling; needs a free core for each end. */
    static final Target POLLING = new Target(Double.NaN, 0.10);
    /** Milliseconds added to the start of a JVM. */
    static final Target START = new Target(150, 60);

    private static final Map<String, Target> BY_FIGURE = Map.ofEntries(
        Map.entry("oneway/channel/64", new Target(20, 40)),
        Map.entry("oneway/channel/1024", new Target(10, 20)),
        Map.entry("oneway/channel/65536", new Target(3, 4)),
        Map.entry("oneway/socket/64", new Target(15, 30)),
        Map.entry("oneway/selector/64", new Target(15, 30)),
        Map.entry("oneway/selector/65536", new Target(2.5, 4)),
        Map.entry("roundtrip/channel/64", new Target(0.45, 0.30)),
        Map.entry("roundtrip/socket/64", new Target(0.45, 0.30)),
        Map.entry("roundtrip/selector/64", new Target(0.65, 0.45)),
        Map.entry("roundtrip/virtual/64", new Target(0.5, 0.2)),
        Map.entry("connect/channel", new Target(0.9, 1.0)),
        Map.entry("connect/socket", new Target(0.9, 1.0)),
        Map.entry("cold", new Target(1.1, Double.NaN)));

    private Targets() {
    }

    static boolean has(String figure) {
        return BY_FIGURE.containsKey(figure);
    }

    static Target of(String figure) {
        return BY_FIGURE.getOrDefault(figure, Target.NONE);
    }
}
