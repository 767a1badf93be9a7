package org.smc4j.roce.software;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceException;
import org.smc4j.time.Scheduler;

/**
 * An RNIC of a {@link SimulatedFabric}. Its callbacks run in tasks of the fabric's scheduler. What the {@code set} methods change
 * shows at once; events follow in a task.
 */
public final class SimulatedRnic extends SoftwareDevice {
    private static final int LOWEST_NUMBER = 2;

    private final SimulatedFabric fabric;
    private final List<SimulatedPort> ports;
    private final RnicModel model;
    private volatile boolean broken;
    /** By this object's monitor. */
    private int lastNumber;
    // Used in the scheduler's tasks only: until when the NIC is busy with doorbells, and with requests.
    private long doorbellsUntil;
    private long requestsUntil;

    SimulatedRnic(SimulatedFabric fabric, String name, RnicModel model, List<Port> portSetups) {
        super(name);
        if (portSetups.isEmpty() || portSetups.size() > MAX_PORTS) {
            throw new IllegalArgumentException("an RNIC has 1 or 2 ports");
        }
        this.fabric = fabric;
        this.model = model;
        List<SimulatedPort> made = new ArrayList<>();
        for (Port setup : portSetups) {
            if (setup.number() != made.size() + 1) {
                throw new IllegalArgumentException("ports are numbered from 1");
            }
            made.add(new SimulatedPort(this, setup));
        }
        ports = List.copyOf(made);
        lastNumber = fabric.random().nextInt(Psn.MASK);
        doorbellsUntil = scheduler().nanoTime();
        requestsUntil = doorbellsUntil;
    }

    // -- What a test sets --

    /** A port goes down or comes back, with its event. Nothing passes while it is down. */
    public void setPortActive(int number, boolean active) {
        SimulatedPort port = ports.get(number - 1);
        Port old = port.state();
        port.set(new Port(number, active, old.mtuCode(), old.mac(), old.gids()));
        raise(new Event(active ? Event.Kind.PORT_ACTIVE : Event.Kind.PORT_ERROR, number, 0));
    }

    /** Packets to and from a port get lost from now on, or not any more; nobody is told. */
    public void setLinkLost(int number, boolean lost) {
        ports.get(number - 1).setLinkLost(lost);
    }

    /** A port has other GIDs, and there is an event for it. */
    public void setGids(int number, List<GidEntry> gids) {
        SimulatedPort port = ports.get(number - 1);
        Port old = port.state();
        port.set(new Port(number, old.active(), old.mtuCode(), old.mac(), gids));
        fabric.findPorts();
        raise(new Event(Event.Kind.GID_CHANGE, number, 0));
    }

    /** The whole device stops, for good. */
    public void breakDown() {
        broken = true;
        for (SimulatedPort port : ports) {
            Port old = port.state();
            port.set(new Port(old.number(), false, old.mtuCode(), old.mac(), old.gids()));
        }
        for (SoftwareQueuePair queuePair : queuePairs()) {
            queuePair.fail();
        }
        raise(new Event(Event.Kind.DEVICE_FATAL, 0, 0));
    }

    // -- The contract --

    @Override
    public int portCount() {
        return ports.size();
    }

    @Override
    public Port port(int number) {
        return ports.get(number - 1).state();
    }

    @Override
    public int maxWorkRequests() {
        return model.maxRequests();
    }

    // -- For the engine --

    @Override
    Wire createWire(SoftwareQueuePair queuePair) {
        return new SimulatedWire(this, queuePair);
    }

    @Override
    int allocateNumber() throws RoceException {
        if (broken) {
            throw new RoceException("the device is broken");
        }
        synchronized (this) {
            do {
                lastNumber = lastNumber >= Psn.MASK ? LOWEST_NUMBER : Math.max(lastNumber + 1, LOWEST_NUMBER);
            } while (queuePair(lastNumber) != null);
            return lastNumber;
        }
    }

    @Override
    void releaseNumber(int number) {
        // Numbers are free when no queue pair has them.
    }

    @Override
    int packetLength(QueuePair.Path path) {
        return 128 << path.mtuCode();
    }

    @Override
    int maxInline() {
        return model.maxInline();
    }

    @Override
    void execute(Runnable task) {
        scheduler().execute(task);
    }

    @Override
    void signal(SoftwareCompletionQueue queue) {
        scheduler().execute(() -> runIfDue(queue));
    }

    @Override
    void complete(SoftwareCompletionQueue queue, SoftwareQueuePair queuePair, boolean receive, long position, long id, int status,
                  int length, boolean solicited) {
        long delay = model.completion();
        if (delay == 0) {
            add(queue, queuePair, receive, position, id, status, length, solicited);
        } else {
            scheduler().schedule(delay, () -> add(queue, queuePair, receive, position, id, status, length, solicited));
        }
    }

    private static void add(SoftwareCompletionQueue queue, SoftwareQueuePair queuePair, boolean receive, long position, long id,
                            int status, int length, boolean solicited) {
        if (!queuePair.isClosed() && !queue.add(queuePair, receive, position, id, status, length, solicited)) {
            queuePair.completionLost();
        }
    }

    @Override
    void closed() {
        fabric.remove(this);
    }

    // -- For ports and wires --

    SimulatedFabric fabric() {
        return fabric;
    }

    Scheduler scheduler() {
        return fabric.scheduler();
    }

    RnicModel model() {
        return model;
    }

    List<SimulatedPort> ports() {
        return ports;
    }

    SimulatedPort port(SoftwareQueuePair queuePair) {
        return ports.get(queuePair.port() - 1);
    }

    /** Takes a doorbell when those before it are taken; the wire's requests up to {@code limit} can be sent then. */
    void ringDoorbell(SimulatedWire wire, long limit) {
        long now = scheduler().nanoTime();
        doorbellsUntil = Math.max(now, doorbellsUntil) + model.doorbell();
        long delay = doorbellsUntil - now;
        if (delay == 0) {
            wire.doorbell(limit);
        } else {
            scheduler().schedule(delay, () -> wire.doorbell(limit));
        }
    }

    /** Begins a request when those before it are issued; returns after how long it is. */
    long issue() {
        long now = scheduler().nanoTime();
        requestsUntil = Math.max(now, requestsUntil) + model.messageIssue();
        return requestsUntil - now;
    }

    /** A frame has arrived at a port. */
    void receive(SimulatedPort port, Frame frame) {
        SoftwareQueuePair queuePair = queuePair(frame.destinationQueuePair());
        if (queuePair == null || queuePair.port() != port.state().number() || !queuePair.canReceive()) {
            return;
        }
        SimulatedWire wire = (SimulatedWire) queuePair.wire;
        if (!wire.expects(frame)) {
            return;
        }
        if (frame.packet() != null) {
            wire.arrived(frame);
        } else {
            wire.answered(frame);
        }
    }
}
