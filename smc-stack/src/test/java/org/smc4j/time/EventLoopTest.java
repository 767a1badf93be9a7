package org.smc4j.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Linux;

@Timeout(30)
class EventLoopTest {
    private final EventLoop loop = new EventLoop("test-loop");

    @AfterEach
    void close() {
        loop.close();
    }

    private <T> T call(java.util.function.Supplier<T> supplier) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> result.complete(supplier.get()));
        return result.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldRunTasksInTheirOrderWhenManyThreadsExecute() throws Exception {
        int threads = 4;
        int each = 5_000;
        List<List<Integer>> seen = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(threads * each);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            List<Integer> mine = new ArrayList<>();
            seen.add(mine);
            all.add(new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    int number = n;
                    loop.execute(() -> {
                        mine.add(number);
                        done.countDown();
                    });
                }
            }));
        }
        all.get(0).start();
        loop.start();
        for (Thread thread : all.subList(1, threads)) {
            thread.start();
        }
        assertTrue(done.await(20, TimeUnit.SECONDS), () -> done.getCount() + " tasks never ran");
        for (List<Integer> mine : seen) {
            for (int n = 0; n < each; n++) {
                assertEquals(n, mine.get(n));
            }
        }
    }

    @Test
    void shouldRunTimersNotEarlyAndNotWhenCancelled() throws Exception {
        loop.start();
        long start = System.nanoTime();
        CompletableFuture<Long> late = new CompletableFuture<>();
        List<String> ran = new ArrayList<>();
        loop.schedule(20_000_000, () -> late.complete(System.nanoTime()));
        Scheduler.Timer cancelled = loop.schedule(10_000_000, () -> ran.add("cancelled"));
        loop.schedule(5_000_000, () -> ran.add("first"));
        cancelled.cancel();
        assertTrue(late.get(10, TimeUnit.SECONDS) - start >= 20_000_000);
        assertEquals(List.of("first"), ran);
    }

    @Test
    void shouldGoOnWhenATaskThrows() throws Exception {
        loop.start();
        loop.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        assertEquals("alive", call(() -> "alive"));
    }

    @Test
    void shouldServeDescriptorsUntilDeregistered() throws Exception {
        loop.start();
        int eventfd = Linux.eventfd();
        CompletableFuture<Integer> ready = new CompletableFuture<>();
        call(() -> {
            loop.register(eventfd, Epoll.IN | Epoll.EDGE, ready::complete);
            return null;
        });
        Linux.signal(eventfd);
        assertEquals(Epoll.IN, ready.get(10, TimeUnit.SECONDS));
        call(() -> {
            loop.deregister(eventfd);
            return null;
        });
        Linux.close(eventfd);
    }

    @Test
    void shouldNotServeAnEventOfADescriptorThatWasClosedInTheSameTurn() throws Exception {
        loop.start();
        int first = Linux.eventfd();
        int second = Linux.eventfd();
        List<String> served = new ArrayList<>();
        Linux.signal(first);
        Linux.signal(second);
        CompletableFuture<Integer> reused = new CompletableFuture<>();
        call(() -> {
            // Whichever comes first closes the other, whose number then is that of a new descriptor without an event.
            loop.register(first, Epoll.IN, events -> replace(first, second, served, reused));
            loop.register(second, Epoll.IN, events -> replace(second, first, served, reused));
            return null;
        });
        int fd = reused.get(10, TimeUnit.SECONDS);
        call(() -> null);
        call(() -> null);
        assertEquals(1, served.size(), served.toString());
        call(() -> {
            loop.deregister(fd);
            return null;
        });
        Linux.close(fd);
    }

    private void replace(int own, int other, List<String> served, CompletableFuture<Integer> reused) {
        served.add("served " + own);
        loop.deregister(own);
        loop.deregister(other);
        Linux.close(other);
        int again = Linux.eventfd();
        loop.register(again, Epoll.IN, events -> served.add("stale event"));
        Linux.close(own);
        reused.complete(again);
    }

    @Test
    void shouldLeaveNoThreadAndNoDescriptorWhenClosed() throws Exception {
        long before = descriptors();
        loop.start();
        call(() -> null);
        loop.close();
        assertEquals(before, descriptors());
        assertFalse(Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("test-loop")));
        loop.execute(() -> {
            throw new AssertionError("ran after close");
        });
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(path -> {
                try {
                    return Files.readSymbolicLink(path).toString().startsWith("anon_inode");
                } catch (IOException e) {
                    return false;
                }
            }).count();
        }
    }
}
