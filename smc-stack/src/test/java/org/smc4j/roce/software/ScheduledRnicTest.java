package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.smc4j.clc.Mac;
import org.smc4j.time.SchedulerThread;

/** The contract on the simulated fabric in real time: requests are posted by other threads than the one it runs in. */
class ScheduledRnicTest extends RnicContract {
    private static final long PATIENCE = 10_000_000_000L;
    /** Much longer than any request takes. */
    private static final long SETTLED = 5_000_000L;

    private final SchedulerThread scheduler = new SchedulerThread("test-fabric");
    private final SimulatedFabric fabric = new SimulatedFabric(scheduler, new SplittableRandom(1));

    @AfterEach
    void end() {
        scheduler.close();
    }

    @Override
    SoftwareDevice rnic(String name, int host) {
        return fabric.addRnic(name, RnicModel.PLAIN.withRetries(20_000_000, 7, RnicModel.FOR_EVER),
                SimulatedFabric.port(1, "eth0", new Mac(0x02_00_00_00_01_00L + host), 0x0A_00_01_00 + host, 24));
    }

    @Override
    int gidIndex() {
        return 1;
    }

    @Override
    boolean runUntil(BooleanSupplier condition) {
        return Waiting.until(condition, PATIENCE);
    }

    @Override
    void settle() {
        CountDownLatch settled = new CountDownLatch(1);
        scheduler.schedule(SETTLED, settled::countDown);
        try {
            assertTrue(settled.await(10, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
