package org.smc4j.roce.software;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.roce.RoceException;

/** The one thread of a {@link SocketRnic}: serves its descriptors, runs its tasks and callbacks. */
final class NetworkThread {
    private static final int EVENTS = 64;
    private static final int FIRST_SLOTS = 16;
    /** The tag of the descriptor that wakes the thread. */
    private static final int WAKE_TAG = -1;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final VarHandle WOKEN;

    static {
        try {
            WOKEN = MethodHandles.lookup().findVarHandle(NetworkThread.class, "woken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The owner of a descriptor. Both methods run on the thread. */
    interface Served {
        /** Events of {@link Epoll} have come. */
        void ready(int events);

        /** The descriptor is not served any more, and is to be closed. */
        void close();
    }

    /** What the thread does besides. */
    interface Work {
        /** All descriptors that were ready have been served, all tasks were run. */
        void endOfTurn();

        /**
         * Time has passed.
         *
         * @return after how many ns this is to be called again at the latest, negative if there is nothing to watch
         */
        long tick(long now);
    }

    private final Work work;
    private final Runnable endOfTurn;
    private final Epoll epoll;
    private final int wakeDescriptor;
    private final Thread thread;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Somebody has woken the thread since it last looked. */
    private volatile boolean woken;
    private volatile boolean stopping;
    // Used by the thread only.
    private Served[] served = new Served[FIRST_SLOTS];
    private int[] descriptors = new int[FIRST_SLOTS];
    /** Slots that an event of this turn may still name. */
    private final List<Integer> leaving = new ArrayList<>();
    private boolean watching;
    private long nextTick;

    NetworkThread(String name, Work work) throws RoceException {
        this.work = work;
        endOfTurn = work::endOfTurn;
        wakeDescriptor = Linux.eventfd();
        if (wakeDescriptor < 0) {
            throw new RoceException("eventfd: " + Errno.describe(wakeDescriptor));
        }
        try {
            epoll = Epoll.open(EVENTS);
        } catch (IllegalStateException e) {
            Linux.close(wakeDescriptor);
            throw new RoceException(e.getMessage());
        }
        // Edge: every signal counts, and nobody has to read the descriptor.
        epoll.add(wakeDescriptor, Epoll.IN | Epoll.EDGE, WAKE_TAG);
        thread = new Thread(null, this::run, name, 0, false);
        thread.setContextClassLoader(null);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    // -- Any thread --

    /** Runs a task on the thread, unless that has ended. */
    void execute(Runnable task) {
        tasks.add(task);
        wake();
    }

    /** Runs a task on the thread and waits for it; an interrupt does not end the wait. */
    void call(Runnable task) {
        if (isCurrent()) {
            task.run();
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        execute(() -> {
            try {
                task.run();
            } finally {
                done.countDown();
            }
        });
        boolean interrupted = false;
        while (done.getCount() > 0 && thread.isAlive()) {
            try {
                if (done.await(1, TimeUnit.SECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the thread begin another turn soon. */
    void wake() {
        if (WOKEN.compareAndSet(this, false, true) && !isCurrent()) {
            Linux.signal(wakeDescriptor);
        }
    }

    /** Changes what a descriptor is served for; its owner makes sure that it is not closed. */
    void serveFor(int descriptor, int slot, int interest) {
        epoll.modify(descriptor, interest, slot);
    }

    /** Ends the thread when its turn is over, and waits for that unless it is the caller. All tasks before are run. */
    void stop() {
        execute(() -> stopping = true);
        boolean interrupted = false;
        while (!isCurrent() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // -- The thread --

    /** Serves a descriptor from now on; returns its slot, negative if it cannot. */
    int serve(int descriptor, Served owner, int interest) {
        int slot = 0;
        while (slot < served.length && (served[slot] != null || leaving.contains(slot))) {
            slot++;
        }
        if (slot == served.length) {
            served = Arrays.copyOf(served, 2 * slot);
            descriptors = Arrays.copyOf(descriptors, 2 * slot);
        }
        int result = epoll.add(descriptor, interest, slot);
        if (result < 0) {
            return result;
        }
        served[slot] = owner;
        descriptors[slot] = descriptor;
        return slot;
    }

    /** Serves a descriptor no more, which its owner then closes. */
    void forget(int slot) {
        epoll.remove(descriptors[slot]);
        served[slot] = null;
        leaving.add(slot);
    }

    /** Ticks after that time at the latest. */
    void tickWithin(long nanos) {
        long then = System.nanoTime() + nanos;
        if (!watching || then - nextTick < 0) {
            nextTick = then;
        }
        watching = true;
    }

    private void run() {
        while (!stopping) {
            turn();
        }
        for (Served owner : served) {
            if (owner != null) {
                owner.close();
            }
        }
        epoll.close();
        Linux.close(wakeDescriptor);
    }

    private void turn() {
        // Before looking for what there is to do: whoever comes after this keeps the wait below from lasting.
        woken = false;
        leaving.clear();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            attempt(task);
        }
        attempt(endOfTurn);
        if (stopping) {
            return;
        }
        int count = epoll.await(millisUntilTick());
        for (int i = 0; i < count; i++) {
            int slot = epoll.readyTag(i);
            Served owner = slot == WAKE_TAG ? null : served[slot];
            if (owner != null) {
                serve(owner, epoll.readyEvents(i));
            }
        }
        if (watching && System.nanoTime() - nextTick >= 0) {
            watching = false;
            long next = work.tick(System.nanoTime());
            if (next >= 0) {
                tickWithin(next);
            }
        }
    }

    private void serve(Served owner, int events) {
        try {
            owner.ready(events);
        } catch (Throwable e) {
            Log.unexpected(thread.getName(), e);
            owner.close();
        }
    }

    private void attempt(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            Log.unexpected(thread.getName(), e);
        }
    }

    private int millisUntilTick() {
        if (woken) {
            return 0;
        }
        if (!watching) {
            return -1;
        }
        long nanos = nextTick - System.nanoTime();
        return nanos <= 0 ? 0 : (int) (nanos / NANOS_PER_MILLI) + 1;
    }
}
