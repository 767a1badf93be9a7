package org.smc4j.it.transparency;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The catalogue. */
final class Scenarios {
    private static final Map<String, Scenario> ALL = new LinkedHashMap<>();

    static {
        Stream.of(DataScenarios.all(), StreamScenarios.all(), LifeScenarios.all(), OptionScenarios.all(), AddressScenarios.all(), LayerScenarios.all(), HttpScenarios.all(),
                ChannelScenarios.all(), ChannelLifeScenarios.all(), TransferScenarios.all(),
                SelectorScenarios.all(), SelectorMixScenarios.all(), AsyncScenarios.all(),
                VirtualThreadScenarios.all(), StressScenarios.all()).flatMap(List::stream).forEach(scenario -> {
            if (ALL.put(scenario.name(), scenario) != null) {
                throw new IllegalStateException("two scenarios named " + scenario.name());
            }
        });
    }

    private Scenarios() {
    }

    static List<Scenario> all() {
        return List.copyOf(ALL.values());
    }

    static Scenario named(final String name) {
        final Scenario scenario = ALL.get(name);
        if (scenario == null) {
            throw new IllegalArgumentException("no scenario named " + name);
        }
        return scenario;
    }
}
