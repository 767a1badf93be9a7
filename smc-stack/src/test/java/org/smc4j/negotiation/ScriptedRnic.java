package org.smc4j.negotiation;

import java.util.List;
import org.smc4j.clc.Mac;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.RoceDevice;

/** An RNIC of which only ports and events exist, with hooks at the moments that matter. All threads. */
final class ScriptedRnic implements RoceDevice {
    private final String name;
    private final Port[] ports;
    private Listener listener;
    private Runnable afterNextQuery;
    private Runnable whenListened;

    /** All ports are active. */
    ScriptedRnic(String name, int portCount) {
        this.name = name;
        ports = new Port[portCount];
        for (int number = 1; number <= portCount; number++) {
            GidEntry gid = new GidEntry(0, GidType.ROCE_V2, Host.gid("10.8.0." + number), "eth0", 24, 0);
            ports[number - 1] = new Port(number, true, Host.MTU_4096, new Mac(number), List.of(gid));
        }
    }

    synchronized void set(int number, boolean active) {
        Port old = ports[number - 1];
        ports[number - 1] = new Port(number, active, old.mtuCode(), old.mac(), old.gids());
    }

    synchronized void removeGids(int number) {
        Port old = ports[number - 1];
        ports[number - 1] = new Port(number, old.active(), old.mtuCode(), old.mac(), List.of());
    }

    /** The change and its event; the event goes out after the change, as a real device's does. */
    void setAndRaise(int number, boolean active) {
        set(number, active);
        raise(active ? Event.Kind.PORT_ACTIVE : Event.Kind.PORT_ERROR, number, 0);
    }

    void raise(Event.Kind kind, int port, int queuePair) {
        Listener known;
        synchronized (this) {
            known = listener;
        }
        if (known != null) {
            known.event(new Event(kind, port, queuePair));
        }
    }

    void afterNextQuery(Runnable task) {
        afterNextQuery = task;
    }

    void whenListened(Runnable task) {
        whenListened = task;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int portCount() {
        return ports.length;
    }

    @Override
    public Port port(int number) {
        Port seen;
        synchronized (this) {
            seen = ports[number - 1];
        }
        run(afterNextQuery);
        afterNextQuery = null;
        return seen;
    }

    @Override
    public void listen(Listener told) {
        synchronized (this) {
            listener = told;
        }
        run(whenListened);
    }

    private static void run(Runnable task) {
        if (task != null) {
            task.run();
        }
    }

    @Override
    public int maxReceiveSges() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int maxWorkRequests() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, Runnable onEvent) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // Has nothing.
    }
}
