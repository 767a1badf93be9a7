package org.smc4j.time;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Linux;

/**
 * A scheduler in real time, which is one daemon thread of its own, and which waits for descriptors between its tasks. A task that
 * throws is logged, and the next one runs. Timers are up to a millisecond late, never early. Only this thread touches native code
 * before it has all it needs, so nobody who executes a task waits for a library to be loaded.
 */
public final class EventLoop implements Scheduler, AutoCloseable {
    private static final int EVENTS = 64;
    /** So that descriptors get their turn however many tasks there are. */
    private static final int TASKS_PER_TURN = 256;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long OPEN_RETRY_MILLIS = 100;
    private static final int MAX_WAIT_MILLIS = 3_600_000;

    /** What serves a registered descriptor; runs on the thread of the loop. */
    public interface Handler {
        /** @param events of {@link Epoll}: those asked for, ERR and HUP */
        void ready(int events);
    }

    private record Registration(Handler handler, int tag) {
    }

    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final TimerQueue queue = new TimerQueue();
    private int wakeFd = -1;
    private boolean closed;

    // Used by the thread of the loop only.
    private Epoll epoll;
    private final Map<Integer, Registration> registrations = new HashMap<>();
    private int lastTag;

    /** Collects tasks until it is started. */
    public EventLoop(String threadName) {
        // Nothing of whoever happens to start it: no thread-locals, and no class loader that could never be unloaded.
        thread = new Thread(null, this::run, threadName, 0, false);
        thread.setContextClassLoader(null);
        thread.setDaemon(true);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    // -- Any thread --

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** After {@link #close} the task is dropped. */
    @Override
    public void execute(Runnable task) {
        add(0, task);
    }

    /** After {@link #close} the task is dropped. */
    @Override
    public Timer schedule(long nanos, Runnable task) {
        TimerQueue.Entry entry = add(nanos, task);
        return () -> cancel(entry);
    }

    private TimerQueue.Entry add(long nanos, Runnable task) {
        lock.lock();
        try {
            TimerQueue.Entry entry = queue.add(System.nanoTime(), nanos, task);
            if (closed) {
                queue.remove(entry);
            } else if (queue.first() == entry) {
                wake();
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    private void cancel(TimerQueue.Entry entry) {
        lock.lock();
        try {
            queue.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    /** Holds the lock: the number of a closed descriptor may be that of an application's file. */
    private void wake() {
        if (Thread.currentThread() != thread && wakeFd >= 0) {
            Linux.signal(wakeFd);
        }
    }

    /**
     * Ends the thread. Tasks that have not begun never run, and descriptors are left as they are; a task that runs is waited for,
     * unless it is the caller, or the caller is interrupted, which it then still is.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            wake();
        } finally {
            lock.unlock();
        }
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // -- The thread of the loop --

    /**
     * Serves a descriptor until {@link #deregister}, which must come before it is closed.
     *
     * @param interest of {@link Epoll}
     */
    public void register(int fd, int interest, Handler handler) {
        registrations.put(fd, new Registration(handler, ++lastTag));
        epoll.add(fd, interest, lastTag);
    }

    /** Changes what a registered descriptor is waited for. */
    public void interest(int fd, int interest) {
        epoll.modify(fd, interest, registrations.get(fd).tag);
    }

    /** Serves the descriptor no more, not even for what was already reported. */
    public void deregister(int fd) {
        registrations.remove(fd);
        epoll.remove(fd);
    }

    private void run() {
        try {
            while (!isClosed() && !open()) {
                Thread.sleep(OPEN_RETRY_MILLIS);
            }
            while (!isClosed()) {
                runTasks();
                dispatch(epoll.await(timeoutMillis()));
            }
        } catch (Throwable e) {
            Log.unexpected(thread.getName() + " ended", e);
        } finally {
            release();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** False if the process has no descriptor left. */
    private boolean open() {
        int fd = Linux.eventfd();
        if (fd < 0) {
            return false;
        }
        try {
            epoll = Epoll.open(EVENTS);
        } catch (IllegalStateException e) {
            Linux.close(fd);
            return false;
        }
        epoll.add(fd, Epoll.IN | Epoll.EDGE);
        lock.lock();
        try {
            wakeFd = fd;
        } finally {
            lock.unlock();
        }
        return true;
    }

    private void release() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            if (wakeFd >= 0) {
                Linux.close(wakeFd);
                wakeFd = -1;
            }
        } finally {
            lock.unlock();
        }
        if (epoll != null) {
            epoll.close();
        }
    }

    private void runTasks() {
        for (int i = 0; i < TASKS_PER_TURN; i++) {
            TimerQueue.Entry entry;
            lock.lock();
            try {
                entry = queue.pollDue(System.nanoTime());
            } finally {
                lock.unlock();
            }
            if (entry == null) {
                return;
            }
            run(entry.task());
        }
    }

    private void dispatch(int count) {
        for (int i = 0; i < count; i++) {
            Registration registration = registrations.get(epoll.readyDescriptor(i));
            // Else an event of a descriptor that was closed in this very turn.
            if (registration != null && registration.tag == epoll.readyTag(i)) {
                int events = epoll.readyEvents(i);
                run(() -> registration.handler.ready(events));
            }
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            Log.unexpected(thread.getName(), e);
        }
    }

    private int timeoutMillis() {
        TimerQueue.Entry first;
        lock.lock();
        try {
            first = queue.first();
        } finally {
            lock.unlock();
        }
        if (first == null) {
            return -1;
        }
        long nanos = first.moment() - System.nanoTime();
        return Math.clamp((nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI, 0, MAX_WAIT_MILLIS);
    }
}
