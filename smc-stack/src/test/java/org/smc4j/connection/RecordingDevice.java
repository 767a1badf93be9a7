package org.smc4j.connection;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Predicate;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceException;

/** A device that tells of every request that is posted to send something, in order, and takes it if the listener says so. */
final class RecordingDevice implements RoceDevice {
    /**
     * @param message what is sent; null for an RDMA WRITE
     * @param pieces  lengths of the pieces of an RDMA WRITE
     */
    record Request(int queuePair, byte[] message, long remoteAddress, int rkey, List<Integer> pieces, int flags) {
        int length() {
            return pieces.stream().mapToInt(Integer::intValue).sum();
        }
    }

    private final RoceDevice device;
    private final Predicate<Request> listener;

    RecordingDevice(RoceDevice device, Predicate<Request> listener) {
        this.device = device;
        this.listener = listener;
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
            public QueuePair createQueuePair(QueuePairAttributes attributes) throws RoceException {
                return new RecordingQueuePair(domain.createQueuePair(attributes));
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
    public void listen(Listener eventListener) {
        device.listen(eventListener);
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, Runnable onEvent) throws RoceException {
        return device.createCompletionQueue(capacity, onEvent);
    }

    @Override
    public void close() {
        device.close();
    }

    private final class RecordingQueuePair implements QueuePair {
        private final QueuePair pair;

        RecordingQueuePair(QueuePair pair) {
            this.pair = pair;
        }

        @Override
        public int postSend(long id, long address, int length, int lkey, int flags) {
            byte[] message = MemorySegment.ofAddress(address).reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
            Request request = new Request(number(), message, 0, 0, List.of(), flags);
            return listener.test(request) ? pair.postSend(id, address, length, lkey, flags) : -Errno.EINVAL;
        }

        @Override
        public int postWrite(long id, long address, int length, int lkey, long remoteAddress, int rkey, int flags) {
            Request request = new Request(number(), null, remoteAddress, rkey, List.of(length), flags);
            return listener.test(request) ? pair.postWrite(id, address, length, lkey, remoteAddress, rkey, flags) : -Errno.EINVAL;
        }

        @Override
        public int postWrite(long id, long address1, int length1, int lkey1, long address2, int length2, int lkey2,
                             long remoteAddress, int rkey, int flags) {
            Request request = new Request(number(), null, remoteAddress, rkey, List.of(length1, length2), flags);
            return listener.test(request) ? pair.postWrite(id, address1, length1, lkey1, address2, length2, lkey2, remoteAddress, rkey, flags) : -Errno.EINVAL;
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
        public int postReceive(long id, long address, int length, int lkey) {
            return pair.postReceive(id, address, length, lkey);
        }

        @Override
        public void close() {
            pair.close();
        }
    }
}
