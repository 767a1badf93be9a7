package org.smc4j.roce.software;

import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import org.smc4j.roce.RoceDevice.Port;

/** A port of a simulated RNIC: its state, and whose packet leaves next, by turns. */
final class SimulatedPort {
    private final SimulatedRnic rnic;
    private volatile Port state;
    /** Packets get lost though the port is active. */
    private volatile boolean linkLost;
    // Used in the scheduler's tasks only.
    private final ArrayDeque<SimulatedWire> waiting = new ArrayDeque<>();
    private boolean busy;
    private long lastArrival;

    SimulatedPort(SimulatedRnic rnic, Port state) {
        this.rnic = rnic;
        this.state = state;
        lastArrival = rnic.scheduler().nanoTime();
    }

    SimulatedRnic rnic() {
        return rnic;
    }

    Port state() {
        return state;
    }

    void set(Port newState) {
        state = newState;
    }

    void setLinkLost(boolean lost) {
        linkLost = lost;
    }

    boolean isUsable() {
        return state.active() && !linkLost;
    }

    /** A wire has packets: it gets its turn. */
    void request(SimulatedWire wire) {
        if (wire.queue()) {
            waiting.add(wire);
            if (!busy) {
                turn();
            }
        }
    }

    /** Lets one packet leave, and comes back when the port is free again. */
    private void turn() {
        busy = false;
        while (!busy && !waiting.isEmpty()) {
            SimulatedWire wire = waiting.remove();
            wire.dequeue();
            long occupied = wire.transmitNext(this);
            if (occupied >= 0) {
                busy = true;
                rnic.scheduler().schedule(occupied, this::turn);
                request(wire);
            }
        }
    }

    /** When a packet arrives that leaves at {@code departure}: after those that left before. */
    long nextArrival(long departure, RandomGenerator random) {
        RnicModel model = rnic.model();
        long jitter = model.jitter() == 0 ? 0 : random.nextLong(model.jitter() + 1);
        long arrival = departure + model.latency() + jitter;
        if (arrival - lastArrival > 0) {
            lastArrival = arrival;
        }
        return lastArrival;
    }
}
