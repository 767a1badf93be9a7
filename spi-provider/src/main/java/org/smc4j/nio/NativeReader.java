package org.smc4j.nio;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import sun.nio.ch.SocketHooks;

/**
 * The native thread that is in a system call on a TCP socket for the JDK, so that it can be told when the connection leaves
 * TCP: bytes it waits for may never come there. A thread must not end while it is being signalled, so leaving waits for that.
 */
final class NativeReader {
    private static final VarHandle THREAD;

    static {
        try {
            THREAD = MethodHandles.lookup().findVarHandle(NativeReader.class, "thread", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** 0 if there is none, negated while it is being signalled; ordered by volatile access and compare-and-set. */
    private volatile long thread;

    /** Called before the system call; a virtual thread never blocks in one and is not noted. */
    void enter() {
        long current = SocketHooks.nativeThread();
        if (current != 0) {
            thread = current;
        }
    }

    /** Called after the system call, also if nothing was noted. */
    void leave() {
        long current = thread;
        if (current == 0) {
            return;
        }
        while (current < 0 || !THREAD.compareAndSet(this, current, 0L)) {
            Thread.onSpinWait();
            current = thread;
        }
    }

    /** Interrupts the system call; false if no thread is in one. The signal may come too early, so it has to be repeated. */
    boolean interrupt() {
        long current = thread;
        if (current <= 0 || !THREAD.compareAndSet(this, current, -current)) {
            return current != 0;
        }
        SocketHooks.signal(current);
        thread = current;
        return true;
    }
}
