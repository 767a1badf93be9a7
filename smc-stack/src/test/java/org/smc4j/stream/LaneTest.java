package org.smc4j.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread takes the lane all the time and so comes to own it; others take it from that thread. */
@Timeout(60)
class LaneTest {
    private static final int TURNS_OF_OTHERS = 300;
    private static final int MANY = 100_000;

    /** Plain fields: what two threads do inside at a time gets lost or is seen half done. */
    private long first;
    private long second;
    private volatile boolean disturbed;

    private void turn(Lane lane) {
        first++;
        if (first != second + 1) {
            disturbed = true;
        }
        second++;
        lane.leaveRelease();
    }

    @RepeatedTest(5)
    void shouldLetOneInAtATimeWhenOthersComeBetween() throws Exception {
        Lane lane = new Lane();
        AtomicBoolean done = new AtomicBoolean();
        long[] turns = new long[1];
        Thread owner = new Thread(() -> {
            while (!done.get()) {
                lane.enter();
                turn(lane);
                turns[0]++;
            }
        });
        owner.start();
        for (int i = 0; i < TURNS_OF_OTHERS; i++) {
            Thread.sleep(0, 500_000);
            assertTrue(lane.enter());
            turn(lane);
        }
        done.set(true);
        owner.join();
        assertFalse(disturbed, "two threads were inside at a time");
        assertEquals(turns[0] + TURNS_OF_OTHERS, second);
        assertTrue(turns[0] > MANY, "only " + turns[0] + " turns of the owner");
    }

    @RepeatedTest(200)
    void shouldKeepTheOwnerOutWhenClosed() throws Exception {
        Lane lane = new Lane();
        AtomicBoolean closed = new AtomicBoolean();
        AtomicBoolean trespassed = new AtomicBoolean();
        Thread owner = new Thread(() -> {
            while (lane.enter()) {
                if (closed.get()) {
                    trespassed.set(true);
                }
                lane.leaveRelease();
            }
        });
        owner.start();
        Thread.sleep(1);
        assertTrue(lane.close());
        closed.set(true);
        owner.join();
        assertFalse(trespassed.get());
        assertFalse(lane.close());
        assertTrue(lane.isClosed());
    }

    @Test
    void shouldRefuseTheTryOfAnotherWhileTheOwnerIsInside() throws Exception {
        Lane lane = new Lane();
        for (int i = 0; i < MANY; i++) {
            lane.enter();
            lane.leaveRelease();
        }
        lane.enter();
        AtomicBoolean inside = new AtomicBoolean();
        Thread other = new Thread(() -> {
            if (lane.enter()) {
                inside.set(true);
                lane.leaveRelease();
            }
        });
        other.start();
        other.join(50);
        assertFalse(inside.get());
        lane.leaveRelease();
        other.join();
        assertTrue(inside.get());
    }
}
