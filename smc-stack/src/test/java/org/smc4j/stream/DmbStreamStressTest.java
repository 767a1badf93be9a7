package org.smc4j.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two threads on one stream, with real sleeping and waking: a lost wake-up hangs, a wrong order changes a byte. */
@Timeout(60)
class DmbStreamStressTest {
    private static final long TOTAL = 200L << 20;
    private static final long BURSTS_NANOS = 3_000_000_000L;
    private static final long SHORT_SLEEP_NANOS = 2_000_000_000L;

    @Test
    void shouldLoseNoByteAndNoWakeUpUnderRandomSizes() throws Exception {
        try (StreamPair pair = new StreamPair(16384)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread writer = thread(failure, () -> write(pair.client));
            Thread reader = thread(failure, () -> read(pair.server));
            while ((writer.isAlive() || reader.isAlive()) && failure.get() == null) {
                writer.join(10);
                reader.join(10);
            }
            assertNull(failure.get());
            assertEquals(TOTAL, pair.server.bytesReceived());
        }
    }

    private static void write(SmcStream stream) {
        SplittableRandom random = new SplittableRandom(1);
        byte[] bytes = new byte[20_000];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        long position = 0;
        while (position < TOTAL) {
            int length = (int) Math.min(TOTAL - position, random.nextInt(10) == 0 ? 1 + random.nextInt(20_000) : 1 + random.nextInt(200));
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) ((position + i) * 7 >> 3);
            }
            int done = 0;
            while (done < length) {
                int n = stream.send(segment, done, length - done);
                assertTrue(n >= 0, "the stream broke");
                done += n;
                if (n == 0 && random.nextInt(20) == 0) {
                    stream.allowOverflow();
                } else if (n == 0) {
                    long start = System.nanoTime();
                    stream.armSpace(false);
                    if (!stream.hasSpace()) {
                        stream.sleepForSpace(SHORT_SLEEP_NANOS);
                    }
                    stream.disarmSpace();
                    assertTrue(System.nanoTime() - start < SHORT_SLEEP_NANOS || !stream.hasSpace(), "a wake-up was lost");
                }
            }
            position += length;
        }
    }

    private static void read(SmcStream stream) {
        SplittableRandom random = new SplittableRandom(2);
        byte[] bytes = new byte[20_000];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        long position = 0;
        while (position < TOTAL) {
            int n = stream.receive(segment, 0, 1 + random.nextInt(bytes.length));
            assertTrue(n >= 0, "the stream broke");
            for (int i = 0; i < n; i++) {
                if (bytes[i] != (byte) ((position + i) * 7 >> 3)) {
                    throw new AssertionError("wrong byte at " + (position + i));
                }
            }
            position += n;
            if (n == 0) {
                long start = System.nanoTime();
                stream.armData(false);
                if (stream.available() == 0) {
                    stream.sleepForData(SHORT_SLEEP_NANOS);
                }
                stream.disarmData();
                assertTrue(System.nanoTime() - start < SHORT_SLEEP_NANOS || stream.available() == 0, "a wake-up was lost");
            }
        }
    }

    /**
     * Bursts that are long enough for the writer to leave out its barrier, each followed by silence until all has been read: the
     * reader goes to sleep while the last messages come, and nothing follows that would wake it for them.
     */
    @Test
    void shouldLoseNoWakeUpWhenAStreamFallsSilent() throws Exception {
        try (StreamPair pair = new StreamPair(16384)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            long end = System.nanoTime() + BURSTS_NANOS;
            AtomicLong sent = new AtomicLong();
            AtomicLong received = new AtomicLong();
            AtomicBoolean done = new AtomicBoolean();
            Thread writer = thread(failure, () -> {
                SplittableRandom random = new SplittableRandom(3);
                MemorySegment one = MemorySegment.ofArray(new byte[1]);
                while (System.nanoTime() < end && failure.get() == null) {
                    int burst = 1 + random.nextInt(400);
                    for (int i = 0; i < burst; i++) {
                        assertEquals(1, pair.client.send(one, 0, 1));
                        for (int pause = random.nextInt(30); pause > 0; pause--) {
                            Thread.onSpinWait();
                        }
                    }
                    sent.addAndGet(burst);
                    while (received.get() < sent.get() && failure.get() == null) {
                        Thread.onSpinWait();
                    }
                }
                done.set(true);
                pair.server.wakeSelf();
            });
            Thread reader = thread(failure, () -> {
                MemorySegment some = MemorySegment.ofArray(new byte[100]);
                while (!done.get()) {
                    int n = pair.server.receive(some, 0, 100);
                    if (n > 0) {
                        received.addAndGet(n);
                        continue;
                    }
                    pair.server.armData(false);
                    if (pair.server.available() == 0 && !done.get()) {
                        long start = System.nanoTime();
                        pair.server.sleepForData(SHORT_SLEEP_NANOS);
                        assertTrue(System.nanoTime() - start < SHORT_SLEEP_NANOS || pair.server.available() == 0,
                                "a wake-up was lost after " + received);
                    }
                    pair.server.disarmData();
                }
            });
            writer.join();
            reader.join();
            assertNull(failure.get());
            assertEquals(sent.get(), received.get());
        }
    }

    /** Closing must wait for copies under way and must not let anybody touch the memory afterwards. */
    @RepeatedTest(400)
    void shouldCloseUnderTransfersWithoutTouchingReleasedMemory() throws Exception {
        StreamPair pair = new StreamPair(16384);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        MemorySegment data = MemorySegment.ofArray(new byte[5000]);
        Thread writer = thread(failure, () -> {
            while (!pair.client.isClosed()) {
                pair.client.send(data, 0, 5000);
                pair.client.armSpace(true);
            }
        });
        Thread reader = thread(failure, () -> {
            while (!pair.client.isClosed()) {
                pair.client.receive(data, 0, 5000);
                pair.client.armData(false);
                pair.client.disarmData();
                pair.client.wakeSelf();
            }
        });
        Thread.onSpinWait();
        pair.client.close();
        pair.client.release();
        writer.join();
        reader.join();
        pair.close();
        assertNull(failure.get());
    }

    private static Thread thread(AtomicReference<Throwable> failure, Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> failure.compareAndSet(null, e));
        thread.start();
        return thread;
    }
}
