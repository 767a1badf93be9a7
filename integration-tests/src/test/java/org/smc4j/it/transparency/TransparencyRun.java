package org.smc4j.it.transparency;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.smc4j.it.support.TwoHosts;
import org.smc4j.it.transparency.Scenario.Role;

/**
 * Runs the catalogue in one configuration: one dynamic test per scenario, one pair of JVMs per bundle, and at the end
 * of each bundle a test of the agents' counters. {@code -Dtransparency.only=REGEX} takes only the scenarios whose name
 * matches.
 */
@Tag("transparency")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransparencyRun {
    static final Predicate<Scenario> EVERYTHING = _ -> true;
    static final Predicate<Scenario> ANY_NETWORK = scenario -> !scenario.traits().contains(Scenario.Trait.LOOPBACK);
    static final Predicate<Scenario> DATA = scenario -> scenario.traits().contains(Scenario.Trait.DATA);
    /** What touches addresses, and one group of each API; the rest does not know the family of its addresses. */
    static final Predicate<Scenario> IPV4 = scenario -> !scenario.traits().contains(Scenario.Trait.IPV6)
            && List.of("data-socket", "data-nonblocking", "mixed", "address", "life", "layers")
                    .contains(scenario.group());

    private static final String ONLY = System.getProperty("transparency.only", "");

    private final Configuration configuration;
    private final Predicate<Scenario> part;
    private final List<ScenarioPair> open = new ArrayList<>();

    TransparencyRun(final Configuration configuration, final Predicate<Scenario> part) {
        this.configuration = configuration;
        this.part = part.and(scenario -> Pattern.compile(ONLY).matcher(scenario.name()).find());
    }

    @TestFactory
    Stream<DynamicNode> shouldBehaveAsTcpInEveryScenario(@TempDir final Path directory) {
        Assumptions.assumeTrue(!configuration.anyAgent() || Configuration.agentJarExists(),
                () -> "no agent jar at " + Configuration.agentJar());
        if (configuration.place() == Configuration.Place.TWO_HOSTS) {
            TwoHosts.assumeAvailable();
        }
        final ScenarioPair reference = opened(new ScenarioPair(configuration.reference(), directory, "reference"));
        return Scenarios.bundles().entrySet().stream().flatMap(bundle -> {
            final List<Scenario> wanted = bundle.getValue().stream().filter(part).toList();
            if (wanted.isEmpty()) {
                return Stream.of();
            }
            final ScenarioPair pair = opened(new ScenarioPair(configuration, directory, bundle.getKey()));
            final Stream<DynamicNode> scenarios = wanted.stream()
                    .map(scenario -> dynamicTest(scenario.name(), () -> run(scenario, pair, reference)));
            final DynamicNode counters = dynamicTest(bundle.getKey() + ".counters-say-which-way-the-bytes-went",
                    () -> checkCounters(pair, bundle.getKey()));
            return Stream.of(dynamicContainer(bundle.getKey(), Stream.concat(scenarios, Stream.of(counters))));
        });
    }

    private ScenarioPair opened(final ScenarioPair pair) {
        open.add(pair);
        return pair;
    }

    @AfterEach
    void endAllJvms() {
        open.forEach(ScenarioPair::close);
    }

    private void run(final Scenario scenario, final ScenarioPair pair, final ScenarioPair reference)
            throws IOException, InterruptedException {
        final TreeSet<String> seen = pair.run(scenario);
        if (seen.isEmpty()) {
            return;
        }
        final TreeSet<String> expected = reference.run(scenario);
        if (!expected.equals(seen)) {
            final TreeSet<String> missing = new TreeSet<>(expected);
            missing.removeAll(seen);
            final TreeSet<String> surplus = new TreeSet<>(seen);
            surplus.removeAll(expected);
            throw new AssertionError(scenario.name() + " [" + configuration.name() + "] looks different from plain TCP"
                    + "\n== expected: " + String.join("\n             ", missing)
                    + "\n== seen:     " + String.join("\n             ", surplus));
        }
    }

    private void checkCounters(final ScenarioPair pair, final String bundle)
            throws IOException, InterruptedException {
        for (Map.Entry<Role, Summary> end : pair.finish().entrySet()) {
            final Summary summary = end.getValue();
            final String who = bundle + ", " + end.getKey().text() + " [" + configuration.name() + "]";
            System.out.println(who + ": " + summary.line());
            if (!configuration.switches()) {
                if (bundle.equals("layers") && end.getKey() == Role.SERVER) {
                    // Its proxies connect to the server from the server's own JVM, which has an agent at both ends.
                    continue;
                }
                End.same(0L, summary.count("smcd"), who + ": SMC-D connections although the other end has no agent within reach ("
                        + summary.line() + ")");
                continue;
            }
            // Switching late, only the long streams of these bundles have the time to.
            if (configuration.switchesBeforeTheFirstByte() || Set.of("data", "stress").contains(bundle)) {
                End.check(summary.count(configuration.mode()) > 0, who + ": connections on SMC: " + summary.line());
            }
            // The data scenarios count what they write. A stream that missed its switch shows here and nowhere else.
            final long written = pair.written(end.getKey());
            if (bundle.equals("data") && configuration.switchesBeforeTheFirstByte()) {
                End.check(summary.count("smc_tx_bytes") >= written / 100 * 95, who + ": at least 95 % of the "
                        + written + " bytes written went through SMC-D: " + summary.line());
            }
        }
    }
}
