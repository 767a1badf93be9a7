package org.smc4j.connection;

import org.smc4j.ffi.linux.Linux;

/** An eventfd that is rung for whoever waits for a connection in an epoll. */
public final class Bell implements AutoCloseable {
    private final int descriptor;
    /** Guarded by this object's monitor: a descriptor that was closed may be anybody's by now. */
    private boolean closed;

    /** @param descriptor an eventfd that does not block, taken over */
    public Bell(int descriptor) {
        this.descriptor = descriptor;
    }

    public int descriptor() {
        return descriptor;
    }

    synchronized void ring() {
        if (!closed) {
            Linux.signal(descriptor);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Linux.close(descriptor);
        }
    }
}
