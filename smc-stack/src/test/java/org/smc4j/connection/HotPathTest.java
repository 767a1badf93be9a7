package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.cdc.CdcFlyweight;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.time.VirtualTime;

/** What a transfer costs beside the device: no allocation. */
@Timeout(30)
class HotPathTest {
    private static final int SIZE = 65536;
    private static final int LENGTH = 100;
    private static final int WARM_UP = 60_000;
    private static final int MEASURED = 100_000;

    private final VirtualTime time = new VirtualTime(1);
    private final Queue sends = new Queue();
    private final Queue receives = new Queue();
    private Runnable event;

    /** Completions as they were put in. */
    private static final class Queue implements CompletionQueue {
        private final long[] ids = new long[64];
        private int count;

        @Override
        public int poll(Completions target) {
            target.clear();
            int taken = count;
            for (int i = 0; i < taken; i++) {
                target.add(ids[i], Completions.SUCCESS, 7, 44);
            }
            count = 0;
            return taken;
        }

        @Override
        public void arm(boolean solicitedOnly) {
            // The test runs the event.
        }

        @Override
        public void close() {
            // Nothing to free.
        }
    }

    /** A device that has sent everything at once. */
    private final class InstantDevice implements RoceDevice {
        @Override
        public String name() {
            return "instant";
        }

        @Override
        public int portCount() {
            return 1;
        }

        @Override
        public Port port(int number) {
            throw new AssertionError();
        }

        @Override
        public int maxReceiveSges() {
            return 1;
        }

        @Override
        public int maxWorkRequests() {
            return 1000;
        }

        @Override
        public void listen(Listener listener) {
            throw new AssertionError();
        }

        @Override
        public ProtectionDomain allocateProtectionDomain() {
            return new Domain();
        }

        @Override
        public CompletionQueue createCompletionQueue(int capacity, Runnable onEvent) {
            if (event == null) {
                event = onEvent;
                return sends;
            }
            return receives;
        }

        @Override
        public void close() {
            throw new AssertionError();
        }
    }

    private final class Domain implements RoceDevice.ProtectionDomain {
        @Override
        public RoceDevice.MemoryRegion register(MemorySegment memory, boolean remoteWrite) {
            return new RoceDevice.MemoryRegion() {
                @Override
                public MemorySegment memory() {
                    return memory;
                }

                @Override
                public int lkey() {
                    return 1;
                }

                @Override
                public int rkey() {
                    return 2;
                }

                @Override
                public void close() {
                    // Nothing to free.
                }
            };
        }

        @Override
        public QueuePair createQueuePair(RoceDevice.QueuePairAttributes attributes) {
            return new InstantQueuePair();
        }

        @Override
        public void close() {
            // Nothing to free.
        }
    }

    private final class InstantQueuePair implements QueuePair {
        @Override
        public int number() {
            return 7;
        }

        @Override
        public State state() {
            return State.READY_TO_SEND;
        }

        @Override
        public int maxInline() {
            return 220;
        }

        @Override
        public void initialize(int port) {
            throw new AssertionError();
        }

        @Override
        public void readyToReceive(Path path) {
            throw new AssertionError();
        }

        @Override
        public void readyToSend(int initialPsn) {
            throw new AssertionError();
        }

        @Override
        public void fail() {
            throw new AssertionError("the link went down");
        }

        @Override
        public int postReceive(long id, long address, int length, int lkey) {
            return 0;
        }

        @Override
        public int postSend(long id, long address, int length, int lkey, int flags) {
            sends.ids[sends.count++] = id;
            return 0;
        }

        @Override
        public int postWrite(long id, long address, int length, int lkey, long remoteAddress, int rkey, int flags) {
            return 0;
        }

        @Override
        public int postWrite(long id, long address1, int length1, int lkey1, long address2, int length2, int lkey2,
                             long remoteAddress, int rkey, int flags) {
            return 0;
        }

        @Override
        public void close() {
            throw new AssertionError();
        }
    }

    @Test
    void shouldAllocateNothingPerTransfer() throws Exception {
        ConnectionTable connections = new ConnectionTable();
        RoceDevice device = new InstantDevice();
        WorkQueue queue = WorkQueue.open(device, new DeviceCompletions(device), null, connections, time, LinkedHosts.SIZES_V1, null);
        Arena arena = Arena.ofAuto();
        RdmaConnection connection = new RdmaConnection(new RdmaConnection.Terms(1, arena.allocate(SIZE, 64), arena.allocate(SIZE, 64),
                SIZE, 65536, false, () -> true), new RdmaPath(queue, 1, 0, 2), connections, time, new TestWaiter(), new TestWaiter(),
                () -> false, null);
        connection.activate();
        MemorySegment bytes = MemorySegment.ofArray(new byte[LENGTH]);
        MemorySegment answer = arena.allocate(64, 64);
        CdcFlyweight message = new CdcFlyweight();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int i = 0; i < WARM_UP + MEASURED; i++) {
            if (i == WARM_UP) {
                allocated = threads.getCurrentThreadAllocatedBytes();
            }
            // Ours goes out and completes; the peer reads it, and answers.
            assertEquals(LENGTH, connection.send(bytes, 0, LENGTH));
            event.run();
            long position = (i + 1L) * LENGTH;
            connection.received(queue, message.wrap(answer, 0).begin(i + 1 & 0xFFFF, 1).producer(position, SIZE).consumer(position, SIZE));
            assertEquals(LENGTH, connection.receive(bytes, 0, LENGTH));
        }
        allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
        assertTrue(allocated < MEASURED, allocated + " bytes for " + MEASURED + " round trips");
        assertEquals(0, connection.unconsumed());
    }
}
