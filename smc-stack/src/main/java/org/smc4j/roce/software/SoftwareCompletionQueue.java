package org.smc4j.roce.software;

import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;

/** Completions in a ring that grows up to its capacity, and when to tell that one has come. */
final class SoftwareCompletionQueue implements CompletionQueue {
    private static final int FIRST_LENGTH = 64;
    private static final int NOT_ARMED = 0;
    private static final int ARMED_FOR_SOLICITED = 1;
    private static final int ARMED = 2;

    private static final class Entry {
        long id;
        int status;
        int length;
        SoftwareQueuePair queuePair;
        boolean receive;
        long position;

        void set(Entry other) {
            id = other.id;
            status = other.status;
            length = other.length;
            queuePair = other.queuePair;
            receive = other.receive;
            position = other.position;
        }
    }

    private final SoftwareDevice device;
    private final int capacity;
    private final Runnable onEvent;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private Entry[] ring = new Entry[0];
    private int head;
    private int count;
    private int armed;
    private boolean closed;
    /** Set when the event is due, cleared by the device before it runs the callback. */
    private volatile boolean eventDue;

    SoftwareCompletionQueue(SoftwareDevice device, int capacity, Runnable onEvent) {
        this.device = device;
        this.capacity = capacity;
        this.onEvent = onEvent;
    }

    boolean belongsTo(SoftwareDevice other) {
        lock.lock();
        try {
            return device == other && !closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a completion.
     *
     * @param position of the request in its queue, which has room for another one once this was polled
     * @return false if the queue is full, and the completion is lost
     */
    boolean add(SoftwareQueuePair queuePair, boolean receive, long position, long id, int status, int length, boolean solicited) {
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            if (count == capacity) {
                return false;
            }
            if (count == ring.length) {
                grow();
            }
            Entry entry = ring[(head + count) % ring.length];
            entry.queuePair = queuePair;
            entry.receive = receive;
            entry.position = position;
            entry.id = id;
            entry.status = status;
            entry.length = length;
            count++;
            if (armed == ARMED || armed == ARMED_FOR_SOLICITED && (solicited || status != Completions.SUCCESS)) {
                armed = NOT_ARMED;
                eventDue = true;
                device.signal(this);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void grow() {
        Entry[] larger = new Entry[Math.min(capacity, Math.max(FIRST_LENGTH, 2 * ring.length))];
        for (int i = 0; i < larger.length; i++) {
            larger[i] = i < count ? ring[(head + i) % ring.length] : new Entry();
        }
        ring = larger;
        head = 0;
    }

    @Override
    public int poll(Completions target) {
        target.clear();
        lock.lock();
        try {
            while (count > 0 && !target.isFull()) {
                Entry entry = ring[head];
                target.add(entry.id, entry.status, entry.queuePair.number(), entry.length);
                entry.queuePair.reclaim(entry.receive, entry.position);
                entry.queuePair = null;
                head = (head + 1) % ring.length;
                count--;
            }
            return target.count();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void arm(boolean solicitedOnly) {
        lock.lock();
        try {
            armed = Math.max(armed, solicitedOnly ? ARMED_FOR_SOLICITED : ARMED);
        } finally {
            lock.unlock();
        }
    }

    /** Whether the event was due; it is not any more. For the device, on its completion thread. */
    boolean takeEvent() {
        if (!eventDue) {
            return false;
        }
        eventDue = false;
        return true;
    }

    void runEvent() {
        onEvent.run();
    }

    /** Drops the completions of a queue pair that is destroyed. */
    void forget(SoftwareQueuePair queuePair) {
        lock.lock();
        try {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                Entry entry = ring[(head + i) % ring.length];
                if (entry.queuePair != queuePair) {
                    ring[(head + kept) % ring.length].set(entry);
                    kept++;
                }
            }
            for (int i = kept; i < count; i++) {
                ring[(head + i) % ring.length].queuePair = null;
            }
            count = kept;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            count = 0;
            armed = NOT_ARMED;
            eventDue = false;
            ring = new Entry[0];
        } finally {
            lock.unlock();
        }
        device.remove(this);
    }
}
