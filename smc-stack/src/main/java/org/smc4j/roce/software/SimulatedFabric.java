package org.smc4j.roce.software;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.roce.Gids;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.roce.RoceDevice.Port;
import org.smc4j.time.Scheduler;
import org.smc4j.time.VirtualTime;

/**
 * A switched Ethernet of RNICs in this process: a packet finds the port that has its destination GID, of the same type and VLAN.
 * All of it happens in the tasks of one scheduler; with {@link VirtualTime} and posts from its thread only, a run
 * repeats exactly.
 */
public final class SimulatedFabric {
    private record Address(GidType type, Gid gid, int vlan) {
    }

    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final List<SimulatedRnic> rnics = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<Address, SimulatedPort> ports = new ConcurrentHashMap<>();
    private volatile int lossInterval;

    public SimulatedFabric(VirtualTime time) {
        this(time, time.random());
    }

    /** @param random used in the scheduler's tasks, and where devices are made */
    public SimulatedFabric(Scheduler scheduler, RandomGenerator random) {
        this.scheduler = scheduler;
        this.random = random;
    }

    /** Adds a device with these ports, numbered from 1, which are one or two. */
    public SimulatedRnic addRnic(String name, RnicModel model, Port... portSetups) {
        SimulatedRnic rnic = new SimulatedRnic(this, name, model, List.of(portSetups));
        rnics.add(rnic);
        findPorts();
        return rnic;
    }

    /** An active port of 1024 bytes MTU with the GIDs of its MAC (RoCE v1, index 0) and of an IPv4 address (RoCE v2, index 1). */
    public static Port port(int number, String networkName, Mac mac, int ipv4, int prefixLength) {
        return new Port(number, true, 3, mac, List.of(
                new GidEntry(0, GidType.ROCE_V1, Gids.linkLocal(mac), networkName, 0, 0),
                new GidEntry(1, GidType.ROCE_V2, Gids.ofIpv4(ipv4), networkName, prefixLength, 0)));
    }

    /** From now on one packet of so many gets lost, by chance; 0: none. */
    public void loseOneOf(int packets) {
        lossInterval = packets;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    RandomGenerator random() {
        return random;
    }

    /** GID tables have changed. */
    void findPorts() {
        ports.clear();
        for (SimulatedRnic rnic : rnics) {
            for (SimulatedPort port : rnic.ports()) {
                for (GidEntry entry : port.state().gids()) {
                    ports.put(new Address(entry.type(), entry.gid(), entry.vlan()), port);
                }
            }
        }
    }

    void remove(SimulatedRnic rnic) {
        rnics.remove(rnic);
        findPorts();
    }

    /** Carries a frame that leaves a port after {@code delay}; it may get lost. In a task of the scheduler. */
    void carry(SimulatedPort from, GidEntry source, Frame frame, long delay) {
        long arrival = from.nextArrival(scheduler.nanoTime() + delay, random);
        boolean lost = !from.isUsable() || lossInterval > 0 && random.nextInt(lossInterval) == 0;
        if (lost) {
            return;
        }
        Address destination = new Address(source.type(), frame.destinationGid(), source.vlan());
        scheduler.schedule(arrival - scheduler.nanoTime(), () -> {
            SimulatedPort to = ports.get(destination);
            if (to != null && to.isUsable()) {
                to.rnic().receive(to, frame);
            }
        });
    }
}
