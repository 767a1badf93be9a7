package org.smc4j.roce;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;

/** A RoCE NIC with one or two ports. */
public interface RoceDevice extends AutoCloseable {
    /** Largest number of ports of a device (spec/40-buffers-linkgroups.md §3). */
    int MAX_PORTS = 2;

    /** RoCE v1 GIDs are used by SMC v1, RoCE v2 GIDs by SMC v2. */
    enum GidType { ROCE_V1, ROCE_V2 }

    /**
     * One entry of a port's GID table.
     *
     * @param index        0 and up, in the port's table
     * @param networkName  of the network interface that it belongs to, such as {@code eth0}
     * @param prefixLength of the interface's IPv4 address that a RoCE v2 GID is made of; 0 for others
     * @param vlan         of the interface, 0 if it has none
     */
    record GidEntry(int index, GidType type, Gid gid, String networkName, int prefixLength, int vlan) {
    }

    /**
     * What is known of a port at one moment.
     *
     * @param number  1 or 2
     * @param active  whether it can send and receive
     * @param mtuCode 1 = 256 … 5 = 4096 bytes
     */
    record Port(int number, boolean active, int mtuCode, Mac mac, List<GidEntry> gids) {
        public Port {
            gids = List.copyOf(gids);
        }
    }

    /** What the device says by itself; an event concerns a port, a queue pair, or, with both 0, the whole device. */
    record Event(Kind kind, int port, int queuePair) {
        /** Names of the verbs' asynchronous events; spec/40-buffers-linkgroups.md §11 says what each leads to. */
        public enum Kind { DEVICE_FATAL, PORT_ACTIVE, PORT_ERROR, QUEUE_PAIR_FATAL, QUEUE_PAIR_ACCESS_ERROR, GID_CHANGE }
    }

    /** Told of events on a thread of the device; must not block. */
    interface Listener {
        void event(Event event);
    }

    /** At most 63 characters, unique on the host. */
    String name();

    /** 1 or 2. */
    int portCount();

    /** The present state of a port, read anew. */
    Port port(int number);

    /** Receive SGEs of a work request: 1, or 2 and more as SMC-R v2 prefers. */
    int maxReceiveSges();

    /** Largest number of work requests that a send queue, or a receive queue, can be created with. */
    int maxWorkRequests();

    /** Events from now on. */
    void listen(Listener listener);

    /** @throws RoceException if the device has no room for one */
    ProtectionDomain allocateProtectionDomain() throws RoceException;

    /**
     * @param capacity completions that fit in
     * @param onEvent  runs once for each time the queue was armed and a completion came, on the one completion thread of the
     *                 device or, with virtual time, on the scheduler; must not block for long
     */
    CompletionQueue createCompletionQueue(int capacity, Runnable onEvent) throws RoceException;

    /** Destroys what was left open. */
    @Override
    void close();

    /** Memory and queue pairs that may be used together. */
    interface ProtectionDomain extends AutoCloseable {
        /**
         * Registers memory, which must stay mapped until the region is closed. Its remote address is its address.
         *
         * @param remoteWrite whether peers may write there with its rkey
         */
        MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws RoceException;

        /** A reliable connected queue pair in state RESET. All sends signal their completion only if they ask for it. */
        QueuePair createQueuePair(QueuePairAttributes attributes) throws RoceException;

        @Override
        void close();
    }

    /**
     * @param maxInline asked for; what was granted is {@link QueuePair#maxInline}
     */
    record QueuePairAttributes(CompletionQueue sendQueue, CompletionQueue receiveQueue, int maxSendRequests,
                               int maxReceiveRequests, int maxSendSges, int maxReceiveSges, int maxInline) {
    }

    /** Registered memory; its first byte has the address {@link MemorySegment#address} at both ends. */
    interface MemoryRegion extends AutoCloseable {
        MemorySegment memory();

        int lkey();

        int rkey();

        /** Takes back the registration: later accesses with its keys fail. */
        @Override
        void close();
    }
}
