package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.roce.software.SocketRnic;
import org.smc4j.stream.SmcStream;
import org.smc4j.time.SchedulerThread;

/**
 * Application threads, the completion thread and the control plane at the same time, with real sleeping and waking: a lost wake-up
 * stalls, a wrong order changes a byte.
 */
@Timeout(60)
class RdmaConnectionStressTest {
    private static final long SHORT_SLEEP_NANOS = 5_000_000_000L;
    private static final int MOST_AT_ONCE = 20_000;
    private static final long MILLI = 1_000_000L;
    private static final int CUT_ROUNDS = 12;
    private static final long CUT_TOTAL = 150_000;

    private final SchedulerThread scheduler = new SchedulerThread("stress");
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Bell> bells = new ArrayList<>();

    @AfterEach
    void stop() {
        scheduler.close();
        bells.forEach(Bell::close);
    }

    private LinkedHosts hosts(int slots, int links) throws Exception {
        LinkedHosts hosts = new LinkedHosts(scheduler, (ofClient, link) -> SocketRnic.open((ofClient ? "c" : "s") + link, "lo"),
                new WorkQueues.Sizes(slots, 48, false), links);
        hosts.recording = false;
        return hosts;
    }

    private Waiter[] waiters() {
        Bell bell = new Bell(Linux.eventfd());
        bells.add(bell);
        return new Waiter[] {new FutexWaiter(bell), new FutexWaiter(bell)};
    }

    private TestEnd[] pair(LinkedHosts hosts, Options options) throws Exception {
        return TestEnd.pair(hosts, 0, options, waiters(), waiters());
    }

    private Thread start(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> failure.compareAndSet(null, e));
        thread.start();
        return thread;
    }

    private void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.isAlive() && failure.get() == null) {
                thread.join(20);
            }
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /** Sends so many bytes, then shuts down the output. */
    private static void write(TestEnd end, long total, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RdmaConnection connection = end.connection;
        long sent = 0;
        while (sent < total) {
            int length = (int) Math.min(total - sent, random.nextInt(8) == 0 ? 1 + random.nextInt(MOST_AT_ONCE) : 1 + random.nextInt(200));
            int n = end.send(sent, length);
            assertTrue(n >= 0, "the connection broke");
            sent += n;
            if (n == 0) {
                long start = System.nanoTime();
                connection.armSpace(false);
                if (!connection.hasSpace()) {
                    connection.sleepForSpace(SHORT_SLEEP_NANOS);
                }
                connection.disarmSpace();
                assertTrue(System.nanoTime() - start < SHORT_SLEEP_NANOS || !connection.hasSpace(), "a wake-up of a writer was lost");
            }
        }
        connection.shutdownOutput();
    }

    /** Receives until the end, which is after so many bytes. */
    private static void read(TestEnd end, long total, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RdmaConnection connection = end.connection;
        long received = 0;
        for (;;) {
            int flags = connection.peerFlags();
            int n = end.receive(received, 1 + random.nextInt(MOST_AT_ONCE));
            assertTrue(n >= 0, "the connection broke");
            received += n;
            if (n == 0 && (flags & CdcFlags.DONE_WRITING) != 0) {
                assertEquals(total, received);
                return;
            }
            if (n == 0) {
                long start = System.nanoTime();
                connection.armData(false);
                if (connection.available() == 0 && connection.peerFlags() == 0) {
                    connection.sleepForData(SHORT_SLEEP_NANOS);
                }
                connection.disarmData();
                assertTrue(System.nanoTime() - start < SHORT_SLEEP_NANOS || connection.available() == 0, "a wake-up of a reader was lost");
            }
        }
    }

    private void startTraffic(List<Thread> threads, TestEnd[] ends, long total, long seed) {
        threads.add(start(() -> write(ends[0], total, seed)));
        threads.add(start(() -> read(ends[1], total, seed + 1)));
        threads.add(start(() -> write(ends[1], total, seed + 2)));
        threads.add(start(() -> read(ends[0], total, seed + 3)));
    }

    @Test
    void shouldLoseNoByteAndNoWakeUpInBothDirections() throws Exception {
        try (LinkedHosts hosts = hosts(16, 1)) {
            List<Thread> threads = new ArrayList<>();
            TestEnd[] ends = pair(hosts, Options.PLAIN);
            startTraffic(threads, ends, 3_000_000, 1);
            join(threads);
        }
    }

    /** Twenty connections on one link with three slots: most messages wait for one. */
    @Test
    void shouldServeEveryConnectionWhenSlotsAreScarce() throws Exception {
        try (LinkedHosts hosts = hosts(3, 1)) {
            List<Thread> threads = new ArrayList<>();
            List<TestEnd> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                TestEnd[] ends = pair(hosts, Options.PLAIN.tokens(2 * i + 1, 2 * i + 2).autocorking(i % 2 == 0 ? 65536 : 0));
                all.addAll(List.of(ends));
                startTraffic(threads, ends, 60_000, 10 * i);
            }
            join(threads);
            all.forEach(end -> end.connection.close(false, Long.MAX_VALUE));
            long end = System.nanoTime() + SHORT_SLEEP_NANOS;
            while (all.stream().anyMatch(one -> one.finished == 0) && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            for (TestEnd one : all) {
                assertEquals(1, one.finished, () -> one.connection.state().toString());
            }
        }
    }

    /** The link is lost while four threads are at it, time and again at another moment. */
    @Test
    void shouldGoOnByTheOtherLinkUnderTraffic() throws Exception {
        int lost = 0;
        for (int round = 0; round < CUT_ROUNDS; round++) {
            try (LinkedHosts hosts = hosts(8, 2)) {
                List<Thread> threads = new ArrayList<>();
                List<TestEnd[]> pairs = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    pairs.add(pair(hosts, Options.PLAIN.tokens(2 * i + 1, 2 * i + 2).autocorking(i == 0 ? 0 : 65536)));
                }
                hosts.onFailure = () -> {
                    for (TestEnd[] pair : pairs) {
                        for (TestEnd one : pair) {
                            one.host.workQueues.getFirst().takeDown("told");
                            one.connection.moveTo(one.path(1));
                        }
                    }
                };
                for (TestEnd[] pair : pairs) {
                    startTraffic(threads, pair, CUT_TOTAL, 100 * round);
                }
                RdmaConnection watched = pairs.getFirst()[1].connection;
                cutAt(hosts, watched, (round + 1) * CUT_TOTAL / (2 * CUT_ROUNDS), round % 2 == 0 ? 2 * MILLI : 0);
                join(threads);
                // On a busy machine the traffic may be over before the cut.
                lost += hosts.server.failed.size();
            }
        }
        assertTrue(lost > 0, "no cut was ever noticed");
    }

    /** One direction after its link was lost: bytes in order, then nothing. */
    private static final class Tcp {
        private final LinkedBlockingQueue<byte[]> bytes = new LinkedBlockingQueue<>();
        private final CountDownLatch agreed = new CountDownLatch(1);

        /** The writer of a frozen connection goes on here; returns how many bytes it has sent by then. */
        long takeOver(TestEnd end, TestEnd peer) throws InterruptedException {
            assertTrue(agreed.await(5, TimeUnit.SECONDS), "the ends never met");
            long arrived = peer.connection.bytesArrived();
            long count = end.connection.unconfirmed(arrived);
            assertTrue(count >= 0, "the ends do not agree");
            byte[] rest = new byte[(int) count];
            end.connection.copyUnconfirmed(arrived, MemorySegment.ofArray(rest), 0, (int) count);
            bytes.add(rest);
            return arrived + count;
        }
    }

    private void writeOrTakeOver(TestEnd end, TestEnd peer, Tcp tcp, long total) {
        try {
            long sent = 0;
            while (sent < total && !end.connection.isFrozen()) {
                int n = end.send(sent, (int) Math.min(total - sent, 700));
                sent += Math.max(n, 0);
                if (n == 0) {
                    end.connection.armSpace(false);
                    if (!end.connection.hasSpace() && !end.connection.isFrozen()) {
                        end.connection.sleepForSpace(SHORT_SLEEP_NANOS);
                    }
                    end.connection.disarmSpace();
                }
            }
            assertEquals(sent, tcp.takeOver(end, peer));
            for (; sent < total; sent += Math.min(total - sent, 900)) {
                tcp.bytes.add(TestEnd.bytes(sent, (int) Math.min(total - sent, 900)).toArray(ValueLayout.JAVA_BYTE));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void readBoth(TestEnd end, Tcp tcp, long total) {
        try {
            long received = 0;
            while (!(end.connection.isFrozen() && received == end.connection.bytesArrived())) {
                int n = end.receive(received, 3000);
                assertTrue(n >= 0, "the connection broke");
                received += n;
                if (n == 0) {
                    end.connection.armData(false);
                    if (end.connection.available() == 0 && !end.connection.isFrozen()) {
                        end.connection.sleepForData(SHORT_SLEEP_NANOS);
                    }
                    end.connection.disarmData();
                }
            }
            while (received < total) {
                byte[] bytes = tcp.bytes.poll(5, TimeUnit.SECONDS);
                for (byte one : bytes) {
                    assertEquals(TestEnd.pattern(received++), one);
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The only link is lost while four threads are at it. */
    @Test
    void shouldGoOnOverTcpUnderTraffic() throws Exception {
        for (int round = 0; round < CUT_ROUNDS; round++) {
            try (LinkedHosts hosts = hosts(8, 1)) {
                TestEnd[] ends = pair(hosts, Options.PLAIN.autocorking(round % 3 == 0 ? 0 : 65536));
                Tcp[] tcp = {new Tcp(), new Tcp()};
                AtomicInteger frozen = new AtomicInteger();
                hosts.onFailure = () -> {
                    for (TestEnd end : ends) {
                        end.host.workQueues.getFirst().takeDown("told");
                    }
                    if (!hosts.client.failed.isEmpty() && !hosts.server.failed.isEmpty()) {
                        for (TestEnd end : ends) {
                            end.connection.freeze(() -> {
                                if (frozen.incrementAndGet() == 2) {
                                    tcp[0].agreed.countDown();
                                    tcp[1].agreed.countDown();
                                }
                            });
                        }
                    }
                };
                List<Thread> threads = new ArrayList<>();
                threads.add(start(() -> writeOrTakeOver(ends[0], ends[1], tcp[0], CUT_TOTAL)));
                threads.add(start(() -> writeOrTakeOver(ends[1], ends[0], tcp[1], CUT_TOTAL)));
                threads.add(start(() -> readBoth(ends[1], tcp[0], CUT_TOTAL)));
                threads.add(start(() -> readBoth(ends[0], tcp[1], CUT_TOTAL)));
                cutAt(hosts, ends[1].connection, (round + 1) * CUT_TOTAL / (2 * CUT_ROUNDS), round % 2 == 0 ? 2 * MILLI : 0);
                join(threads);
                assertEquals(2, frozen.get());
            }
        }
    }

    /** Cuts the first link when so much has been received; it takes a while until somebody notices. */
    private void cutAt(LinkedHosts hosts, RdmaConnection watched, long bytes, long unnoticed) {
        if (watched.bytesReceived() < bytes) {
            scheduler.schedule(MILLI / 10, () -> cutAt(hosts, watched, bytes, unnoticed));
            return;
        }
        ((SocketRnic) hosts.client.devices.getFirst()).setLinkLost(1, true);
        scheduler.schedule(unnoticed, () -> hosts.client.workQueues.getFirst().takeDown("cut"));
    }

    /** Closing waits for copies under way, and nobody touches the buffers afterwards. */
    @Test
    void shouldEndOnceWhenClosedUnderTransfers() throws Exception {
        try (LinkedHosts hosts = hosts(16, 1)) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[5000]);
            for (int i = 0; i < 150; i++) {
                TestEnd[] ends = pair(hosts, Options.PLAIN.tokens(2 * i + 1, 2 * i + 2));
                List<Thread> threads = new ArrayList<>();
                for (TestEnd end : ends) {
                    threads.add(start(() -> {
                        while (end.connection.send(bytes, 0, 5000) != SmcStream.LOOK) {
                            Thread.onSpinWait();
                        }
                    }));
                    threads.add(start(() -> {
                        while (end.connection.receive(bytes, 0, 5000) != SmcStream.LOOK) {
                            Thread.onSpinWait();
                        }
                    }));
                }
                ends[0].connection.close(i % 3 == 0, 1_000_000L);
                ends[1].connection.close(i % 5 == 0, 1_000_000L);
                join(threads);
                long end = System.nanoTime() + SHORT_SLEEP_NANOS;
                while (ends[0].finished + ends[1].finished < 2 && System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                assertEquals(1, ends[0].finished, () -> ends[0].connection.state().toString());
                assertEquals(1, ends[1].finished, () -> ends[1].connection.state().toString());
            }
            assertNull(failure.get());
        }
    }
}
