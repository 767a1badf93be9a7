package org.smc4j.connection;

import java.lang.foreign.MemorySegment;

/**
 * An application of one thread that writes and reads messages in virtual time, as a program with a blocking socket does: what has no
 * room, or is not there yet, it waits for asleep. Its calls are charged to its host; a call's effects come at its end.
 */
final class ModelledApplication {
    /** Wakes the application when it sleeps. */
    private final class Sleep implements Waiter {
        private boolean armed;

        @Override
        public void arm(boolean event) {
            armed = true;
        }

        @Override
        public void disarm() {
            armed = false;
        }

        @Override
        public void sleep(long nanos) {
            throw new AssertionError("nobody sleeps in virtual time");
        }

        @Override
        public void wake() {
            if (armed) {
                armed = false;
                host.time.schedule(host.costs.wakeUp(), () -> host.application.next(ModelledApplication.this::step));
            }
        }

        @Override
        public void wakeAlways() {
            wake();
        }
    }

    private final ModelledHost host;
    private final int sendSize;
    private final int size;
    private final MemorySegment buffer;
    private final Sleep forSpace = new Sleep();
    private final Sleep forData = new Sleep();
    private RdmaConnection connection;
    private Runnable step;
    private Runnable whenDone;
    private long left;
    /** Copying that is paid for before it is done. */
    private long paid;
    long bytesRead;

    /** @param size of its messages */
    ModelledApplication(ModelledHost host, int sendSize, int size) {
        this.host = host;
        this.sendSize = sendSize;
        this.size = size;
        buffer = MemorySegment.ofArray(new byte[Math.max(size, sendSize)]);
    }

    /** For space and for data. */
    Waiter[] waiters() {
        return new Waiter[] {forData, forSpace};
    }

    void connection(RdmaConnection ofApplication) {
        connection = ofApplication;
    }

    private void step() {
        step.run();
    }

    /** Writes a message, then does something else. */
    void write(Runnable then) {
        whenDone = then;
        left = size;
        attempt(this::send, Math.min(left, Math.max(0, sendSize - connection.unconsumed())));
    }

    private void attempt(Runnable call, long bytes) {
        step = call;
        paid = bytes;
        host.application.charge(host.costs.call() + host.costs.copy(bytes));
        host.application.next(call);
    }

    private void send() {
        int n = connection.send(buffer, 0, (int) left);
        if (n < 0) {
            throw new AssertionError("broken");
        }
        left -= n;
        host.application.charge(host.costs.copy(Math.max(0, n - paid)));
        paid = Math.max(0, paid - n);
        if (left == 0) {
            host.application.next(whenDone);
            return;
        }
        connection.armSpace(false);
        if (connection.hasSpace()) {
            connection.disarmSpace();
            host.application.next(this::send);
        }
    }

    /** Reads a message, then does something else. */
    void read(Runnable then) {
        whenDone = then;
        left = size;
        attempt(this::receive, Math.min(left, connection.available()));
    }

    /** Reads whatever comes, always. */
    void readAll() {
        whenDone = this::readAll;
        left = Long.MAX_VALUE;
        attempt(this::receive, connection.available());
    }

    private void receive() {
        int n = connection.receive(buffer, 0, (int) Math.min(left, buffer.byteSize()));
        if (n < 0) {
            throw new AssertionError("broken");
        }
        left -= n;
        bytesRead += n;
        host.application.charge(host.costs.copy(Math.max(0, n - paid)));
        paid = 0;
        if (left == 0) {
            host.application.next(whenDone);
            return;
        }
        connection.armData(false);
        if (connection.available() > 0) {
            connection.disarmData();
            attempt(this::receive, Math.min(left, connection.available()));
        }
    }
}
