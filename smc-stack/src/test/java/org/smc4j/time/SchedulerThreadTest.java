package org.smc4j.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.diag.Log;

@Timeout(20)
class SchedulerThreadTest {
    private final SchedulerThread scheduler = new SchedulerThread("test-scheduler");

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(10, TimeUnit.SECONDS));
    }

    @Test
    void shouldRunTheEarlierTimerFirstAndNeitherEarly() throws Exception {
        List<String> log = new ArrayList<>();
        long start = System.nanoTime();
        CompletableFuture<Long> last = new CompletableFuture<>();
        scheduler.schedule(500_000_000, () -> {
            log.add("later");
            last.complete(System.nanoTime() - start);
        });
        scheduler.schedule(1_000_000, () -> log.add("earlier"));
        long elapsed = last.get(10, TimeUnit.SECONDS);
        assertEquals(List.of("earlier", "later"), log);
        assertTrue(elapsed >= 500_000_000, "early: " + elapsed);
    }

    @Test
    void shouldNotRunACancelledTimer() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        scheduler.execute(() -> {
            // Both are due when this task ends, the cancelled one first.
            Scheduler.Timer timer = scheduler.schedule(0, runs::incrementAndGet);
            scheduler.execute(done::countDown);
            timer.cancel();
        });
        await(done);
        assertEquals(0, runs.get());
    }

    @Test
    void shouldRunTheNextTaskAfterOneThatThrows() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Log.level("off");
        try {
            scheduler.execute(() -> {
                throw new IllegalStateException("on purpose");
            });
            scheduler.execute(done::countDown);
            await(done);
        } finally {
            Log.level("warn");
        }
    }

    @Test
    void shouldRunOneTaskAtATimeInOrderOfEachThread() throws Exception {
        int perThread = 20_000;
        int threads = 3;
        CountDownLatch done = new CountDownLatch(threads * perThread);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger faults = new AtomicInteger();
        int[] next = new int[threads];
        List<Thread> submitters = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int index = t;
            submitters.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < perThread; i++) {
                    int expected = i;
                    scheduler.execute(() -> {
                        if (inside.incrementAndGet() != 1 || next[index]++ != expected) {
                            faults.incrementAndGet();
                        }
                        inside.decrementAndGet();
                        done.countDown();
                    });
                }
            }));
        }
        await(done);
        for (Thread submitter : submitters) {
            submitter.join();
        }
        assertEquals(0, faults.get());
    }

    @Test
    void shouldDropWhatHasNotBegunWhenClosedAndWaitForWhatHas() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger finished = new AtomicInteger();
        AtomicInteger dropped = new AtomicInteger();
        scheduler.execute(() -> {
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            finished.incrementAndGet();
        });
        await(begun);
        scheduler.execute(dropped::incrementAndGet);
        Thread closer = Thread.ofPlatform().start(scheduler::close);
        // The task ends only once the queue is seen cleared, or else what was dropped could still run.
        while (closer.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        go.countDown();
        closer.join();
        assertEquals(1, finished.get());
        assertEquals(0, dropped.get());
        scheduler.execute(dropped::incrementAndGet);
        assertEquals(0, dropped.get());
        assertFalse(threadNames().contains("test-scheduler"));
    }

    @Test
    void shouldCloseFromItsOwnTask() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        scheduler.execute(() -> {
            assertTrue(scheduler.isCurrent());
            scheduler.close();
            done.countDown();
        });
        await(done);
        assertFalse(scheduler.isCurrent());
    }

    private static List<String> threadNames() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
