package org.smc4j.connection;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceException;

/**
 * The completions of one device: one completion queue for what was sent and one for what was received, shared by all its work
 * queues (spec/40-buffers-linkgroups.md §9, §10). Polled on the device's completion thread, which is the only one there is for all
 * links and connections of the device, ten completions at a time; armed when both queues are empty, and looked at once more.
 */
public final class DeviceCompletions implements AutoCloseable {
    /** Entries of a completion queue. */
    private static final int CAPACITY = 32_766;
    private static final int BATCH = 10;
    private static final int EVENT = 1 << 1;

    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final IntTable<WorkQueue> workQueues = new IntTable<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Who is inside polls; so the two below, and all that is called from there, belong to one thread at a time. */
    private final Turn polling = new Turn() {
        @Override
        void work(int reasons) {
            poll();
        }
    };
    private final Completions sendBatch = new Completions(BATCH);
    private final Completions receiveBatch = new Completions(BATCH);

    /** @throws RoceException if the device has no room for the queues */
    public DeviceCompletions(RoceDevice device) throws RoceException {
        sends = device.createCompletionQueue(CAPACITY, this::event);
        try {
            receives = device.createCompletionQueue(CAPACITY, this::event);
        } catch (RoceException e) {
            sends.close();
            throw e;
        }
        arm();
    }

    private void event() {
        polling.request(EVENT);
    }

    /**
     * Runs the task once everything that has arrived by now was seen to: within this call if nobody is polling, else by whoever
     * is. Any thread that holds no lock.
     */
    void afterPresent(Runnable task) {
        tasks.add(task);
        polling.request(EVENT);
    }

    CompletionQueue sends() {
        return sends;
    }

    CompletionQueue receives() {
        return receives;
    }

    /** Completions of this queue pair go to the work queue from now on. */
    void add(int queuePair, WorkQueue workQueue) {
        workQueues.add(queuePair, workQueue);
    }

    /** There are no more completions of this queue pair. */
    void remove(int queuePair) {
        workQueues.remove(queuePair);
    }

    private void poll() {
        // Those that come from now on have requested a turn of their own.
        int present = tasks.size();
        pollAll();
        arm();
        pollAll();
        for (; present > 0; present--) {
            tasks.remove().run();
        }
    }

    private void arm() {
        sends.arm(false);
        receives.arm(true);
    }

    private void pollAll() {
        boolean some;
        do {
            some = pollSends();
            some |= pollReceives();
        } while (some);
    }

    private boolean pollSends() {
        int count = sends.poll(sendBatch);
        for (int i = 0; i < count; i++) {
            WorkQueue workQueue = workQueues.get(sendBatch.queuePair(i));
            if (workQueue != null) {
                workQueue.sendCompleted(sendBatch.id(i), sendBatch.status(i));
            }
        }
        return count > 0;
    }

    private boolean pollReceives() {
        int count = receives.poll(receiveBatch);
        for (int i = 0; i < count; i++) {
            WorkQueue workQueue = workQueues.get(receiveBatch.queuePair(i));
            if (workQueue != null) {
                workQueue.receiveCompleted(receiveBatch.id(i), receiveBatch.status(i), receiveBatch.length(i));
            }
        }
        return count > 0;
    }

    /** Closes the completion queues. All work queues of the device have been closed before. */
    @Override
    public void close() {
        sends.close();
        receives.close();
    }
}
