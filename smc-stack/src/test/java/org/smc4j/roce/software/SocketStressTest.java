package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.roce.QueuePair.SIGNALED;
import static org.smc4j.roce.QueuePair.SOLICITED;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice.QueuePairAttributes;
import org.smc4j.roce.RoceException;

/** Random requests of many threads at once, every byte of which is looked at. */
@Timeout(60)
class SocketStressTest {
    private static final long RUN_NANOS = 1_200_000_000L;
    private static final long PATIENCE = 30_000_000_000L;
    private static final int PAIRS = 3;
    private static final int SLOTS = 4;
    private static final int SLOT = 80_000;
    private static final int MESSAGES_AT = PAIRS * SLOTS * SLOT;
    private static final int RECEIVES = 2;

    /** One end of one of several connections that share a device and its completion queues. */
    private static final class End {
        final Station station;
        final int index;
        final QueuePair pair;
        final AtomicInteger verified = new AtomicInteger();
        final AtomicInteger acknowledged = new AtomicInteger();
        End peer;

        End(Station station, int index) throws RoceException {
            this.station = station;
            this.index = index;
            Side side = station.side;
            pair = side.domain.createQueuePair(
                    new QueuePairAttributes(side.sent, side.received, 2 * SLOTS + 2, RECEIVES, 2, 1, 0));
        }

        int slotAt(int number) {
            return (index * SLOTS + number % SLOTS) * SLOT;
        }

        int receiveAt(long slot) {
            return MESSAGES_AT + (index * RECEIVES + (int) slot) * 8;
        }

        int sendAt(int number) {
            return MESSAGES_AT + 1_000 + (index * SLOTS + number % SLOTS) * 8;
        }

        void receive(long slot) {
            Side side = station.side;
            assertEquals(0, pair.postReceive(slot, side.address(receiveAt(slot)), 8, side.region.lkey()));
        }

        /** Sends until time is up: a WRITE of one or two pieces, and the message that tells of it. */
        void run(long deadline) {
            SplittableRandom random = new SplittableRandom(index);
            int number = 0;
            for (; System.nanoTime() < deadline && station.failure.get() == null; number++) {
                int current = number;
                // A slot is free when the peer has looked at what was there, and our NIC has done with it.
                boolean free = Waiting.until(() -> peer.verified.get() > current - SLOTS && acknowledged.get() > current - SLOTS
                        || station.failure.get() != null, PATIENCE);
                assertTrue(free, "stuck at " + number + ", verified " + peer.verified + ", acknowledged " + acknowledged);
                send(number, 1 + random.nextInt(random.nextInt(4) == 0 ? SLOT : 500));
            }
            int all = number;
            assertTrue(Waiting.until(
                    () -> peer.verified.get() == all && acknowledged.get() == all || station.failure.get() != null, PATIENCE));
        }

        private void send(int number, int length) {
            Side side = station.side;
            int at = slotAt(number);
            // The slot that the peer writes is the same: what we send is in the memory that follows all of that.
            int source = Side.MEMORY + at;
            side.fill(source, length, number);
            side.memory.set(ValueLayout.JAVA_INT, sendAt(number), number);
            side.memory.set(ValueLayout.JAVA_INT, sendAt(number) + 4L, length);
            long target = peer.station.side.address(at);
            int rkey = peer.station.side.region.rkey();
            int lkey = side.region.lkey();
            int first = length / 3;
            int result = first == 0 ? pair.postWrite(number, side.address(source), length, lkey, target, rkey, 0)
                    : pair.postWrite(number, side.address(source), first, lkey, side.address(source + first), length - first,
                            lkey, target, rkey, 0);
            assertEquals(0, result);
            assertEquals(0, pair.postSend(number, side.address(sendAt(number)), 8, lkey, SIGNALED | SOLICITED));
        }

        private void received(long slot) {
            Side side = station.side;
            int number = side.memory.get(ValueLayout.JAVA_INT, receiveAt(slot));
            int length = side.memory.get(ValueLayout.JAVA_INT, receiveAt(slot) + 4L);
            assertEquals(verified.get(), number);
            side.assertFilled(slotAt(number), length, number);
            receive(slot);
            verified.incrementAndGet();
        }
    }

    /** A device with several ends. */
    private static final class Station implements AutoCloseable {
        final AtomicReference<Throwable> failure;
        final Side side;
        final List<End> ends = new ArrayList<>();
        private final Completions sent = new Completions(8);
        private final Completions received = new Completions(8);

        Station(String name, AtomicReference<Throwable> failure) throws RoceException {
            this.failure = failure;
            side = new Side(SocketRnic.open(name, PATIENCE, "lo"), Side.REQUESTS, 2 * Side.MEMORY, this::serveSent,
                    this::serveReceived);
            for (int i = 0; i < PAIRS; i++) {
                ends.add(new End(this, i));
            }
        }

        private End end(int number) {
            for (End end : ends) {
                if (end.pair.number() == number) {
                    return end;
                }
            }
            throw new AssertionError("completion of another queue pair: " + number);
        }

        private void serveSent() {
            try {
                side.sent.arm(false);
                while (side.sent.poll(sent) > 0) {
                    for (int i = 0; i < sent.count(); i++) {
                        assertEquals(Completions.SUCCESS, sent.status(i));
                        End end = end(sent.queuePair(i));
                        assertEquals(end.acknowledged.getAndIncrement(), sent.id(i));
                    }
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }

        private void serveReceived() {
            try {
                side.received.arm(true);
                while (side.received.poll(received) > 0) {
                    for (int i = 0; i < received.count(); i++) {
                        assertEquals(Completions.SUCCESS, received.status(i));
                        end(received.queuePair(i)).received(received.id(i));
                    }
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }

        @Override
        public void close() {
            side.close();
        }
    }

    @Test
    void shouldLoseNothingAndKeepOrderBetweenManyThreads() throws Exception {
        exchange(false);
    }

    @Test
    void shouldLoseNothingWhileTheLinkComesAndGoes() throws Exception {
        exchange(true);
    }

    private static void exchange(boolean cut) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (Station a = new Station("stress-a", failure); Station b = new Station("stress-b", failure)) {
            long deadline = System.nanoTime() + RUN_NANOS;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < PAIRS; i++) {
                connect(a.ends.get(i), b.ends.get(i));
            }
            for (Station station : List.of(a, b)) {
                station.serveSent();
                station.serveReceived();
                for (End end : station.ends) {
                    threads.add(thread(failure, () -> end.run(deadline)));
                }
            }
            if (cut) {
                threads.add(thread(failure, () -> cutAndRestore((SocketRnic) b.side.device, deadline)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertNull(failure.get());
            for (End end : a.ends) {
                assertTrue(end.verified.get() > 10 && end.acknowledged.get() > 10, "hardly anything was sent");
            }
        }
    }

    private static void connect(End a, End b) throws RoceException {
        a.peer = b;
        b.peer = a;
        a.pair.initialize(1);
        b.pair.initialize(1);
        QueuePair.Path any = a.station.side.pathTo(b.station.side, 0, 0);
        a.pair.readyToReceive(new QueuePair.Path(0, 1, any.peerGid(), any.peerMac(), b.pair.number(), 7, 1));
        b.pair.readyToReceive(new QueuePair.Path(0, 1, any.peerGid(), any.peerMac(), a.pair.number(), Psn.MASK, 1));
        for (int i = 0; i < RECEIVES; i++) {
            a.receive(i);
            b.receive(i);
        }
        a.pair.readyToSend(Psn.MASK);
        b.pair.readyToSend(7);
    }

    private static void cutAndRestore(SocketRnic rnic, long deadline) {
        SplittableRandom random = new SplittableRandom(9);
        while (System.nanoTime() < deadline) {
            rnic.setLinkLost(1, true);
            LockSupport.parkNanos(random.nextInt(30_000_000));
            rnic.setLinkLost(1, false);
            LockSupport.parkNanos(random.nextInt(400_000_000));
        }
    }

    private static Thread thread(AtomicReference<Throwable> failure, Runnable body) {
        return Thread.ofPlatform().uncaughtExceptionHandler((thread, e) -> failure.compareAndSet(null, e)).start(body);
    }

    @Test
    void shouldAnswerEveryMessageBetweenTwoProcesses() throws Exception {
        try (Peer.Handle peer = new Peer.Handle(List.of(), "lo", 0); Side side = new Side(SocketRnic.open("one", "lo"))) {
            peer.connect(side, 0);
            int messageAt = Side.MEMORY / 2;
            SplittableRandom random = new SplittableRandom(5);
            long deadline = System.nanoTime() + RUN_NANOS;
            int rounds = 0;
            for (; System.nanoTime() < deadline; rounds++) {
                int length = 1 + random.nextInt(random.nextInt(4) == 0 ? 200_000 : 500);
                int source = Side.MEMORY - length;
                side.fill(source, length, rounds);
                side.memory.set(ValueLayout.JAVA_INT, messageAt, length);
                assertEquals(0, side.receive(rounds, messageAt + 64, Peer.MESSAGE));
                side.queuePair.postWrite(rounds, side.address(source), length, side.region.lkey(), peer.address.memory(),
                        peer.address.rkey(), 0);
                side.send(rounds, messageAt, Peer.MESSAGE, SIGNALED);
                List<String> received = new ArrayList<>();
                assertTrue(Waiting.until(() -> received.addAll(side.poll(side.received)), PATIENCE));
                assertEquals(List.of(rounds + ":0:" + Peer.MESSAGE), received);
                side.assertFilled(0, length, rounds);
                side.poll(side.sent);
            }
            assertTrue(rounds > 10, "only " + rounds + " rounds");
        }
    }
}
