package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TurnTest {
    @Test
    void shouldDoTheWorkAtOnceWhenNobodyIsInside() {
        List<Integer> seen = new ArrayList<>();
        Turn turn = new Turn() {
            @Override
            void work(int reasons) {
                seen.add(reasons);
                if (reasons == 2) {
                    request(4);
                    request(8);
                    assertEquals(List.of(2), seen, "not within itself");
                }
            }
        };
        turn.request(2);
        assertEquals(List.of(2, 12), seen);
    }

    @Test
    void shouldDoBeforeItLeavesWhatOthersRequestedMeanwhile() throws Exception {
        List<String> seen = new ArrayList<>();
        Turn turn = new Turn() {
            @Override
            void work(int reasons) {
                seen.add(reasons + " by " + Thread.currentThread().getName());
            }
        };
        turn.enter();
        Thread other = new Thread(() -> turn.request(16), "other");
        other.start();
        other.join();
        assertTrue(seen.isEmpty(), "the other one did not wait, and did nothing");
        turn.leave();
        assertEquals(List.of("16 by " + Thread.currentThread().getName()), seen);
    }

    @Test
    void shouldLetOthersInWhenTheWorkThrows() {
        AtomicBoolean fails = new AtomicBoolean(true);
        AtomicInteger done = new AtomicInteger();
        Turn turn = new Turn() {
            @Override
            void work(int reasons) {
                if (fails.getAndSet(false)) {
                    throw new IllegalStateException("on purpose");
                }
                done.addAndGet(reasons);
            }
        };
        assertThrows(IllegalStateException.class, () -> turn.request(2));
        turn.request(4);
        assertEquals(4, done.get());
    }

    /** Nobody is inside with another one, and what a request announces is always seen, by whoever is inside. */
    @Test
    void shouldLoseNoRequestUnderContention() throws Exception {
        int threads = 4;
        int rounds = 200_000;
        AtomicInteger announced = new AtomicInteger();
        int[] seen = new int[1];
        AtomicBoolean inside = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        Turn turn = new Turn() {
            @Override
            void work(int reasons) {
                if (inside.getAndSet(true)) {
                    overlaps.incrementAndGet();
                }
                seen[0] = announced.get();
                inside.set(false);
            }
        };
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            int number = t;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    announced.incrementAndGet();
                    if (number == 0 && i % 64 == 0) {
                        turn.enter();
                        turn.work(0);
                        turn.leave();
                    } else {
                        turn.request(2 << number);
                    }
                }
                done.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        }
        assertTrue(done.await(20, TimeUnit.SECONDS));
        turn.enter();
        assertEquals(threads * rounds, seen[0]);
        turn.leave();
        assertEquals(0, overlaps.get());
        assertFalse(inside.get());
    }
}
