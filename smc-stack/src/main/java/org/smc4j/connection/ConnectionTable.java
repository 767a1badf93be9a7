package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.smc4j.cdc.CdcFlyweight;

/** The connections of one link group by their alert tokens, and the devices that its links are on. Any thread. */
public final class ConnectionTable {
    /** A client has no reason to send more before the server takes in its Confirm. */
    private static final int MOST_EARLY = 16;

    private final IntTable<RdmaConnection> connections = new IntTable<>();
    /** Messages for connections whose handshake is not over here; its own monitor. */
    private final Map<Integer, List<Early>> early = new HashMap<>();
    /** One entry for each work queue. */
    private final CopyOnWriteArrayList<DeviceCompletions> devices = new CopyOnWriteArrayList<>();

    private record Early(WorkQueue from, byte[] message) {
    }

    /** Keeps CDC messages with that token for {@link #add}: they come by RDMA and may overtake the Confirm, which does not. */
    public void expect(int alertToken) {
        synchronized (early) {
            early.put(alertToken, new ArrayList<>());
        }
    }

    /**
     * From now on the CDC messages with that token are the connection's.
     *
     * @return false if the token is taken
     */
    public boolean add(int alertToken, RdmaConnection connection) {
        synchronized (early) {
            List<Early> before = early.remove(alertToken);
            if (before != null) {
                CdcFlyweight message = new CdcFlyweight();
                for (Early each : before) {
                    connection.received(each.from, message.wrap(MemorySegment.ofArray(each.message), 0));
                }
            }
            return connections.add(alertToken, connection);
        }
    }

    /** CDC messages with that token are dropped from now on. */
    public void remove(int alertToken) {
        synchronized (early) {
            early.remove(alertToken);
            connections.remove(alertToken);
        }
    }

    /** A message has come. */
    void received(WorkQueue from, CdcFlyweight message) {
        RdmaConnection connection = connections.get(message.alertToken());
        if (connection == null) {
            connection = keep(from, message);
        }
        if (connection != null) {
            connection.received(from, message);
        }
    }

    /** Keeps the message if it is expected; the connection if it was added meanwhile. */
    private RdmaConnection keep(WorkQueue from, CdcFlyweight message) {
        synchronized (early) {
            RdmaConnection connection = connections.get(message.alertToken());
            List<Early> messages = connection == null ? early.get(message.alertToken()) : null;
            if (messages != null && messages.size() < MOST_EARLY) {
                messages.add(new Early(from, message.copy()));
            }
            return connection;
        }
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
