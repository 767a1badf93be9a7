package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceException;
import org.smc4j.time.VirtualTime;

/**
 * The processors of a host in virtual time, where code takes none: what is done is charged to the processor that does it, and that
 * one does nothing else until the time is over. There is one for the application and one for the device's completion thread.
 */
final class ModelledHost {
    /**
     * What is charged, in ns.
     *
     * @param call       a write or a read of the application with all that is above the rings, without the copy
     * @param copiedByKilobyte into a ring, or out of it
     * @param message    what leads to a CDC message: the turn, a slot, the message, the work queue's lock
     * @param post       of one request: its entry, the barrier, the doorbell
     * @param receive    offering a receive buffer again, which needs no doorbell
     * @param completion polling and handling one
     * @param wakeUp     of a thread that sleeps
     */
    record Costs(int call, int copiedByKilobyte, int message, int post, int receive, int completion, int wakeUp) {
        long copy(long bytes) {
            return bytes * copiedByKilobyte / 1024;
        }
    }

    /** A processor. */
    final class Processor {
        private long busyUntil;

        void charge(long nanos) {
            busyUntil = Math.max(busyUntil, time.nanoTime()) + nanos;
        }

        long busyFor() {
            return Math.max(0, busyUntil - time.nanoTime());
        }

        /** Runs what the application does next, when the processor is free. */
        void next(Runnable action) {
            time.schedule(busyFor(), () -> {
                running = this;
                action.run();
                running = completions;
            });
        }
    }

    final VirtualTime time;
    final Costs costs;
    final Processor application = new Processor();
    private final Processor completions = new Processor();
    /** Whose code runs now. */
    private Processor running = completions;
    /** CDC messages posted. */
    long messages;

    ModelledHost(VirtualTime time, Costs costs) {
        this.time = time;
        this.costs = costs;
    }

    /** The same device, whose use is charged. */
    RoceDevice charged(RoceDevice device) {
        return new ChargedDevice(device);
    }

    private final class ChargedDevice implements RoceDevice {
        private final RoceDevice device;
        /** Each time that the completion thread looks, it takes one batch of each queue. */
        private long look;
        private boolean lookDue;

        ChargedDevice(RoceDevice device) {
            this.device = device;
        }

        @Override
        public CompletionQueue createCompletionQueue(int capacity, Runnable onEvent) throws RoceException {
            Runnable looks = () -> {
                look++;
                onEvent.run();
            };
            CompletionQueue queue = device.createCompletionQueue(capacity, looks);
            return new ChargedQueue(queue, looks);
        }

        private static CompletionQueue real(CompletionQueue charged) {
            return ((ChargedQueue) charged).queue;
        }

        private final class ChargedQueue implements CompletionQueue {
            final CompletionQueue queue;
            private final Runnable looks;
            private long lastLook;

            ChargedQueue(CompletionQueue queue, Runnable looks) {
                this.queue = queue;
                this.looks = looks;
            }

            @Override
            public int poll(Completions target) {
                if (lastLook == look) {
                    return 0;
                }
                lastLook = look;
                int count = queue.poll(target);
                completions.charge((long) count * costs.completion);
                return count;
            }

            @Override
            public void arm(boolean solicitedOnly) {
                if (completions.busyFor() == 0) {
                    queue.arm(solicitedOnly);
                } else if (!lookDue) {
                    // There may be more, which is looked at when this is done.
                    lookDue = true;
                    time.schedule(completions.busyFor(), () -> {
                        lookDue = false;
                        looks.run();
                    });
                }
            }

            @Override
            public void close() {
                queue.close();
            }
        }

        @Override
        public ProtectionDomain allocateProtectionDomain() throws RoceException {
            ProtectionDomain domain = device.allocateProtectionDomain();
            return new ProtectionDomain() {
                @Override
                public MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws RoceException {
                    return domain.register(memory, remoteWrite);
                }

                @Override
                public QueuePair createQueuePair(QueuePairAttributes asked) throws RoceException {
                    return new ChargedQueuePair(domain.createQueuePair(new QueuePairAttributes(real(asked.sendQueue()),
                            real(asked.receiveQueue()), asked.maxSendRequests(), asked.maxReceiveRequests(), asked.maxSendSges(),
                            asked.maxReceiveSges(), asked.maxInline())));
                }

                @Override
                public void close() {
                    domain.close();
                }
            };
        }

        @Override
        public String name() {
            return device.name();
        }

        @Override
        public int portCount() {
            return device.portCount();
        }

        @Override
        public Port port(int number) {
            return device.port(number);
        }

        @Override
        public int maxReceiveSges() {
            return device.maxReceiveSges();
        }

        @Override
        public int maxWorkRequests() {
            return device.maxWorkRequests();
        }

        @Override
        public void listen(Listener listener) {
            device.listen(listener);
        }

        @Override
        public void close() {
            device.close();
        }
    }

    private final class ChargedQueuePair implements QueuePair {
        private final QueuePair pair;

        ChargedQueuePair(QueuePair pair) {
            this.pair = pair;
        }

        @Override
        public int postReceive(long id, long address, int length, int lkey) {
            running.charge(costs.receive);
            return pair.postReceive(id, address, length, lkey);
        }

        @Override
        public int postSend(long id, long address, int length, int lkey, int flags) {
            messages++;
            running.charge(costs.message + costs.post);
            return pair.postSend(id, address, length, lkey, flags);
        }

        @Override
        public int postWrite(long id, long address, int length, int lkey, long remoteAddress, int rkey, int flags) {
            running.charge(costs.post);
            return pair.postWrite(id, address, length, lkey, remoteAddress, rkey, flags);
        }

        @Override
        public int postWrite(long id, long address1, int length1, int lkey1, long address2, int length2, int lkey2,
                             long remoteAddress, int rkey, int flags) {
            running.charge(costs.post);
            return pair.postWrite(id, address1, length1, lkey1, address2, length2, lkey2, remoteAddress, rkey, flags);
        }

        @Override
        public int number() {
            return pair.number();
        }

        @Override
        public State state() {
            return pair.state();
        }

        @Override
        public int maxInline() {
            return pair.maxInline();
        }

        @Override
        public void initialize(int port) throws RoceException {
            pair.initialize(port);
        }

        @Override
        public void readyToReceive(Path path) throws RoceException {
            pair.readyToReceive(path);
        }

        @Override
        public void readyToSend(int initialPsn) throws RoceException {
            pair.readyToSend(initialPsn);
        }

        @Override
        public void fail() {
            pair.fail();
        }

        @Override
        public void close() {
            pair.close();
        }
    }
}
