package org.smc4j.roce.software;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.diag.Log;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceException;

/** What the software RNICs have in common: their objects, by key and number, and the faults that tests put in. */
abstract class SoftwareDevice implements RoceDevice {
    private static final int MOST_COMPLETIONS = 1 << 22;
    private static final int MOST_SEND_SGES = Payload.MOST_PIECES;
    private static final int MOST_RECEIVE_SGES = 1;

    private final String name;
    private final Regions regions = new Regions();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<Integer, SoftwareQueuePair> queuePairs = new ConcurrentHashMap<>();
    /** The device's thread goes through them for each event. */
    private final CopyOnWriteArrayList<SoftwareCompletionQueue> completionQueues = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Set<SoftwareProtectionDomain> domains = new LinkedHashSet<>();
    private boolean closed;

    SoftwareDevice(String name) {
        if (name.isEmpty() || name.length() > 63) {
            throw new IllegalArgumentException("a device's name has 1 to 63 characters: " + name);
        }
        this.name = name;
    }

    // -- What the two kinds of device do differently --

    /** The wire of a queue pair that is being made. */
    abstract Wire createWire(SoftwareQueuePair queuePair);

    /** A number for a queue pair: 24 bits, not 0, of no other queue pair of the device. */
    abstract int allocateNumber() throws RoceException;

    /** A queue pair with that number is no more. */
    abstract void releaseNumber(int number);

    /** Largest number of bytes in a packet on that path. */
    abstract int packetLength(QueuePair.Path path);

    /** Bytes that every send can have inline. */
    abstract int maxInline();

    /** Runs the task on the completion thread. */
    abstract void execute(Runnable task);

    /** The queue's event is due: it is to be taken and run on the completion thread. Locks are held. */
    abstract void signal(SoftwareCompletionQueue queue);

    /** Adds a completion to its queue, at once or later. The queue pair's lock is held. */
    abstract void complete(SoftwareCompletionQueue queue, SoftwareQueuePair queuePair, boolean receive, long position, long id,
                           int status, int length, boolean solicited);

    /** Everything of the device is closed. */
    abstract void closed();

    // -- The contract --

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int maxReceiveSges() {
        return MOST_RECEIVE_SGES;
    }

    @Override
    public final void listen(Listener listener) {
        listeners.add(listener);
    }

    /** Tells those who listen now, on the completion thread. */
    final void raise(Event event) {
        Listener[] told = listeners.toArray(new Listener[0]);
        execute(() -> {
            for (Listener listener : told) {
                listener.event(event);
            }
        });
    }

    @Override
    public final ProtectionDomain allocateProtectionDomain() throws RoceException {
        SoftwareProtectionDomain domain = new SoftwareProtectionDomain(this);
        lock.lock();
        try {
            requireOpen();
            domains.add(domain);
        } finally {
            lock.unlock();
        }
        return domain;
    }

    @Override
    public final CompletionQueue createCompletionQueue(int capacity, Runnable onEvent) throws RoceException {
        if (capacity < 1 || capacity > MOST_COMPLETIONS) {
            throw new RoceException("a completion queue cannot have " + capacity + " entries");
        }
        SoftwareCompletionQueue queue = new SoftwareCompletionQueue(this, capacity, onEvent);
        lock.lock();
        try {
            requireOpen();
            completionQueues.add(queue);
        } finally {
            lock.unlock();
        }
        return queue;
    }

    private void requireOpen() throws RoceException {
        if (closed) {
            throw new RoceException("the device is closed");
        }
    }

    final SoftwareQueuePair createQueuePair(SoftwareProtectionDomain domain, QueuePairAttributes attributes)
            throws RoceException {
        requireAttributes(attributes);
        int number = allocateNumber();
        // Granted is what the device can, as real ones round up to their work queue's entry.
        SoftwareQueuePair queuePair = new SoftwareQueuePair(this, domain, number, attributes, maxInline());
        queuePairs.put(number, queuePair);
        return queuePair;
    }

    private void requireAttributes(QueuePairAttributes attributes) throws RoceException {
        boolean ours = attributes.sendQueue() instanceof SoftwareCompletionQueue send && send.belongsTo(this)
                && attributes.receiveQueue() instanceof SoftwareCompletionQueue receive && receive.belongsTo(this);
        if (!ours) {
            throw new RoceException("the completion queues are not of this device, or closed");
        }
        boolean possible = isWithin(attributes.maxSendRequests(), maxWorkRequests())
                && isWithin(attributes.maxReceiveRequests(), maxWorkRequests())
                && isWithin(attributes.maxSendSges(), MOST_SEND_SGES)
                && isWithin(attributes.maxReceiveSges(), MOST_RECEIVE_SGES)
                && attributes.maxInline() >= 0 && attributes.maxInline() <= maxInline();
        if (!possible) {
            throw new RoceException("the device cannot make such a queue pair: " + attributes);
        }
    }

    private static boolean isWithin(int value, int most) {
        return value >= 1 && value <= most;
    }

    final Regions regions() {
        return regions;
    }

    /** The queue pair with that number, or null. */
    final SoftwareQueuePair queuePair(int number) {
        return queuePairs.get(number);
    }

    final Iterable<SoftwareQueuePair> queuePairs() {
        return queuePairs.values();
    }

    /** Runs the callbacks that are due. For devices with a completion thread, on that. */
    final void runDueEvents() {
        for (SoftwareCompletionQueue queue : completionQueues) {
            runIfDue(queue);
        }
    }

    /** Runs a queue's callback if it is due, on the completion thread. */
    final void runIfDue(SoftwareCompletionQueue queue) {
        if (queue.takeEvent()) {
            try {
                queue.runEvent();
            } catch (Throwable e) {
                Log.unexpected("RNIC ".concat(name), e);
            }
        }
    }

    /**
     * The {@code nth} request that is posted to a queue pair from now on (1: the next) fails in the NIC with that status.
     *
     * @throws IllegalArgumentException if there is no such queue pair, n is below 1, or the status is success
     */
    public final void failRequest(int queuePair, long n, int status) {
        SoftwareQueuePair pair = queuePair(queuePair);
        if (pair == null || n < 1 || status == 0) {
            throw new IllegalArgumentException("queue pair " + queuePair + ", request " + n + ", status " + status);
        }
        pair.obstruct(n, status);
    }

    final void remove(SoftwareQueuePair queuePair) {
        queuePairs.remove(queuePair.number());
        releaseNumber(queuePair.number());
    }

    final void remove(SoftwareCompletionQueue queue) {
        completionQueues.remove(queue);
    }

    final void remove(SoftwareProtectionDomain domain) {
        lock.lock();
        try {
            domains.remove(domain);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final void close() {
        ArrayList<SoftwareProtectionDomain> open;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            open = new ArrayList<>(domains);
        } finally {
            lock.unlock();
        }
        for (SoftwareProtectionDomain domain : open) {
            domain.close();
        }
        for (SoftwareCompletionQueue queue : completionQueues) {
            queue.close();
        }
        closed();
        Log.debug("RNIC " + name + " is closed");
    }
}
