package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.roce.QueuePair.SIGNALED;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.smc4j.clc.Mac;
import org.smc4j.time.VirtualTime;

/** The contract on the simulated fabric, where the moment of everything is known. */
class SimulatedRnicTest extends RnicContract {
    private static final long MINUTE = 60_000_000_000L;

    private final VirtualTime time = new VirtualTime(1);
    private final SimulatedFabric fabric = new SimulatedFabric(time);

    @Override
    SoftwareDevice rnic(String name, int host) {
        return fabric.addRnic(name, RnicModel.PLAIN,
                SimulatedFabric.port(1, "eth0", new Mac(0x02_00_00_00_01_00L + host), 0x0A_00_01_00 + host, 24),
                SimulatedFabric.port(2, "eth1", new Mac(0x02_00_00_00_02_00L + host), 0x0A_00_02_00 + host, 24));
    }

    @Override
    int gidIndex() {
        return 1;
    }

    @Override
    boolean runUntil(BooleanSupplier condition) {
        return time.runUntil(condition, MINUTE);
    }

    @Override
    void settle() {
        time.advance(MINUTE);
    }

    @Test
    void shouldTakeOtherBytesWhenSent() {
        b.receive(1, 0, 100);
        a.fill(0, 100, 5);
        a.send(2, 0, 100, 0);
        a.fill(0, 100, 6);
        settle();
        b.assertFilled(0, 100, 6);
    }

    @Test
    void shouldShowAWriteBeforeTheMessageBehindItIsReceived() {
        // Memory is looked at in the moment in which the receive completes, at the earliest.
        a.fill(0, 10_000, 4);
        b.receive(1, 500_000, 44);
        a.write(2, 0, 10_000, b, 0, 0);
        a.send(3, 20_000, 44, SIGNALED);
        assertTrue(runUntil(() -> !b.poll(b.received).isEmpty()));
        b.assertFilled(0, 10_000, 4);
    }
}
