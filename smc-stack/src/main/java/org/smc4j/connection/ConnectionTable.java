package org.smc4j.connection;

import java.util.concurrent.CopyOnWriteArrayList;

/** The connections of one link group by their alert tokens, and the devices that its links are on. Any thread. */
public final class ConnectionTable {
    private final IntTable<RdmaConnection> connections = new IntTable<>();
    /** One entry for each work queue. */
    private final CopyOnWriteArrayList<DeviceCompletions> devices = new CopyOnWriteArrayList<>();

    /**
     * From now on the CDC messages with that token are the connection's.
     *
     * @return false if the token is taken
     */
    public boolean add(int alertToken, RdmaConnection connection) {
        return connections.add(alertToken, connection);
    }

    /** CDC messages with that token are dropped from now on. */
    public void remove(int alertToken) {
        connections.remove(alertToken);
    }

    RdmaConnection get(int alertToken) {
        return connections.get(alertToken);
    }

    void add(DeviceCompletions device) {
        devices.add(device);
    }

    void remove(DeviceCompletions device) {
        devices.remove(device);
    }

    /**
     * Runs the task once all completions that are there by now, on whichever link, have been seen to. Within this call if no other
     * thread is polling; else on that thread. The caller holds no lock.
     */
    void settle(Runnable task) {
        settle(devices.toArray(DeviceCompletions[]::new), 0, task);
    }

    private static void settle(DeviceCompletions[] all, int next, Runnable task) {
        if (next == all.length) {
            task.run();
        } else {
            all[next].afterPresent(() -> settle(all, next + 1, task));
        }
    }
}
