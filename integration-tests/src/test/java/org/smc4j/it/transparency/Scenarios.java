package org.smc4j.it.transparency;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The catalogue, in bundles that share a pair of JVMs: starting JVMs is what such a run spends its time on. */
final class Scenarios {
    private static final Map<String, List<Scenario>> BUNDLES = new LinkedHashMap<>();
    private static final Map<String, Scenario> BY_NAME = new LinkedHashMap<>();

    static {
        bundle("data", List.of(DataScenarios.all()));
        bundle("sockets", List.of(StreamScenarios.all(), LifeScenarios.all(), OptionScenarios.all(),
                AddressScenarios.all()));
        bundle("layers", List.of(LayerScenarios.all(), HttpScenarios.all()));
        bundle("channels", List.of(ChannelScenarios.all(), ChannelLifeScenarios.all(), TransferScenarios.all()));
        bundle("selectors", List.of(SelectorScenarios.all(), SelectorMixScenarios.all()));
        bundle("threads", List.of(AsyncScenarios.all(), VirtualThreadScenarios.all()));
        bundle("stress", List.of(StressScenarios.all()));
        BrokenScenarios.all().forEach(Scenarios::index);
    }

    private Scenarios() {
    }

    private static void bundle(final String name, final List<List<Scenario>> parts) {
        final List<Scenario> all = parts.stream().flatMap(List::stream).toList();
        all.forEach(Scenarios::index);
        BUNDLES.put(name, all);
    }

    private static void index(final Scenario scenario) {
        if (BY_NAME.put(scenario.name(), scenario) != null) {
            throw new IllegalStateException("two scenarios named " + scenario.name());
        }
    }

    static Map<String, List<Scenario>> bundles() {
        return BUNDLES;
    }

    static Scenario named(final String name) {
        final Scenario scenario = BY_NAME.get(name);
        if (scenario == null) {
            throw new IllegalArgumentException("no scenario named " + name);
        }
        return scenario;
    }
}
