package org.smc4j.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One sample per round of every figure and variant, and what went wrong. */
final class Results {
    /** Variant names: what the samples of a figure were measured over. */
    static final String TCP = "tcp";
    static final String SMC = "smc";
    static final String SMC_POLL = "smc-poll";
    static final String UNIX = "unix";
    static final String AERON = "aeron";
    static final String AGENT_CLIENT = "agent-client";
    static final String AGENT_SERVER = "agent-server";

    private final Map<String, List<Double>> samples = new LinkedHashMap<>();
    private final Set<String> failures = new LinkedHashSet<>();

    /** One measurement, to be taken whatever became of the others. */
    interface Step {
        void run() throws BenchFailure;
    }

    /** Runs a step and keeps its failure for the report. */
    void attempt(Step step) {
        try {
            step.run();
        } catch (BenchFailure e) {
            failures.add(e.getMessage());
        }
    }

    void add(String figure, String variant, double sample) {
        samples.computeIfAbsent(figure + ' ' + variant, key -> new ArrayList<>()).add(sample);
    }

    Set<String> failures() {
        return failures;
    }

    /** The median of the rounds; NaN when there is none. */
    double median(String figure, String variant) {
        final double[] sorted = samples(figure, variant);
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Smallest and largest ratio of the two variants within one round; infinite unless both have every round. */
    double[] ratioRange(String figure, String variant, String base) {
        final double[] over = samples(figure, variant);
        final double[] under = samples(figure, base);
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; over.length == under.length && i < over.length; i++) {
            least = Math.min(least, over[i] / under[i]);
            most = Math.max(most, over[i] / under[i]);
        }
        return new double[] {least, most};
    }

    private double[] samples(String figure, String variant) {
        return samples.getOrDefault(figure + ' ' + variant, List.of()).stream()
            .mapToDouble(Double::doubleValue).toArray();
    }
}
