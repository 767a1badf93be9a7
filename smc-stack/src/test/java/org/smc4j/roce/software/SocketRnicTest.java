package org.smc4j.roce.software;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.smc4j.roce.RoceException;

/** The contract over TCP, between two devices on the loopback interface of this process. */
class SocketRnicTest extends RnicContract {
    private static final long PATIENCE = 10_000_000_000L;
    /** Turns of both devices' threads after which nothing is under way any more. */
    private static final int TURNS = 30;

    private final List<SocketRnic> rnics = new CopyOnWriteArrayList<>();

    @Override
    SoftwareDevice rnic(String name, int host) throws RoceException {
        SocketRnic rnic = SocketRnic.open(name, "lo");
        rnics.add(rnic);
        return rnic;
    }

    @Override
    int gidIndex() {
        return 0;
    }

    @Override
    boolean runUntil(BooleanSupplier condition) {
        return Waiting.until(condition, PATIENCE);
    }

    @Override
    void settle() {
        for (int i = 0; i < TURNS; i++) {
            for (SocketRnic rnic : rnics) {
                rnic.thread().call(() -> { });
            }
            Thread.yield();
        }
    }
}
