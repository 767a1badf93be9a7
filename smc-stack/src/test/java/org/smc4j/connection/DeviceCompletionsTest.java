package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.RoceDevice;

/** The moments at which a completion could be overlooked. */
@Timeout(20)
class DeviceCompletionsTest {
    private final List<FakeQueue> queues = new ArrayList<>();

    /** A queue that tells of completions only if it is armed when they come, and only once. */
    private static final class FakeQueue implements CompletionQueue {
        private final Runnable onEvent;
        private final Deque<Integer> completions = new ArrayDeque<>();
        private boolean armed;
        /** How many come between the last poll that found nothing and each arming. */
        private int beforeArming;
        private int polled;

        private FakeQueue(Runnable onEvent) {
            this.onEvent = onEvent;
        }

        private void complete() {
            completions.add(1);
            if (armed) {
                armed = false;
                onEvent.run();
            }
        }

        @Override
        public int poll(Completions target) {
            target.clear();
            while (!target.isFull() && !completions.isEmpty()) {
                target.add(0, Completions.SUCCESS, completions.remove(), 0);
                polled++;
            }
            return target.count();
        }

        @Override
        public void arm(boolean solicitedOnly) {
            if (beforeArming > 0) {
                beforeArming--;
                complete();
            }
            armed = true;
        }

        @Override
        public void close() {
        }
    }

    private DeviceCompletions open() throws Exception {
        RoceDevice device = (RoceDevice) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {RoceDevice.class},
                (proxy, method, arguments) -> {
                    FakeQueue queue = new FakeQueue((Runnable) arguments[1]);
                    queues.add(queue);
                    return queue;
                });
        return new DeviceCompletions(device);
    }

    /** Spec/40-buffers-linkgroups.md §10: "poll, re-arm, poll once more". */
    @Test
    void shouldSeeWhatComesBetweenTheLastPollAndTheArming() throws Exception {
        open();
        for (FakeQueue queue : queues) {
            queue.beforeArming = 1;
            queue.complete();
            assertEquals(2, queue.polled);
            assertTrue(queue.armed);
            queue.complete();
            assertEquals(3, queue.polled);
        }
    }

    /** Spec/30-cdc.md §7: a connection is judged, or frozen, when all that had arrived by then was taken in. */
    @Test
    void shouldRunATaskOnlyBehindWhatHadArrived() throws Exception {
        DeviceCompletions completions = open();
        FakeQueue receives = queues.getLast();
        receives.armed = false;
        for (int i = 0; i < 100; i++) {
            receives.complete();
        }
        assertEquals(0, receives.polled);
        List<Integer> seen = new ArrayList<>();
        completions.afterPresent(() -> seen.add(receives.polled));
        assertEquals(List.of(100), seen);
    }
}
