package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.connection.AutocorkingBenchmark.Result;
import org.smc4j.connection.ModelledHost.Costs;

/** The shape of the figures that autocorking is there for; the table is printed, and written as JSON beside the build's results. */
@Timeout(120)
class AutocorkingBenchmarkTest {
    private static final int SMALL = 512;

    @Test
    void shouldHaveThreeTimesTheThroughputOfSmallMessagesWithTheCostsOfUserSpace() throws Exception {
        check("user-space", AutocorkingBenchmark.USER_SPACE);
    }

    @Test
    void shouldHaveThreeTimesTheThroughputOfSmallMessagesWithTheCostsOfTheKernel() throws Exception {
        check("kernel", AutocorkingBenchmark.KERNEL);
    }

    private static void check(String name, Costs costs) throws Exception {
        List<Result> results = AutocorkingBenchmark.measureAll(costs);
        System.out.println("autocorking, virtual time, costs of " + name + ":\n" + AutocorkingBenchmark.table(results));
        Files.writeString(Path.of("target", "autocorking-" + name + ".json"), AutocorkingBenchmark.json(results));
        for (int i = 0; i < results.size(); i += 2) {
            Result without = results.get(i);
            Result with = results.get(i + 1);
            assertTrue(without.bytesPerSecond() > 0 && without.oneWayNanos() > 0, without::toString);
            if (with.size() <= SMALL) {
                assertTrue(with.bytesPerSecond() >= 3 * without.bytesPerSecond(), () -> without + " " + with);
                assertEquals(without.size(), without.messageSize(), 0.05 * without.size(), "each write is a message of its own");
            }
            assertEquals(without.oneWayNanos(), with.oneWayNanos(), 0.02 * without.oneWayNanos(), () -> without + " " + with);
        }
    }

    @Test
    void shouldGiveTheSameFiguresAgain() throws Exception {
        assertEquals(AutocorkingBenchmark.measure(AutocorkingBenchmark.USER_SPACE, 256, 65_536),
                AutocorkingBenchmark.measure(AutocorkingBenchmark.USER_SPACE, 256, 65_536));
    }
}
