package org.smc4j.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class VirtualTimeTest {
    private final VirtualTime time = new VirtualTime(1);
    private final List<String> log = new ArrayList<>();

    private Runnable note(String text) {
        return () -> log.add(text + "@" + time.nanoTime());
    }

    @Test
    void shouldNotRunBeforeTimePasses() {
        time.execute(note("a"));
        assertEquals(List.of(), log);
        time.runDue();
        assertEquals(List.of("a@0"), log);
    }

    @Test
    void shouldRunByMomentAndThenInOrderOfScheduling() {
        time.schedule(20, note("c"));
        time.schedule(10, note("a"));
        time.schedule(10, note("b"));
        time.execute(note("now"));
        time.advance(30);
        assertEquals(List.of("now@0", "a@10", "b@10", "c@20"), log);
        assertEquals(30, time.nanoTime());
    }

    @Test
    void shouldRunWhatTasksScheduleWithinTheTimeThatPasses() {
        time.schedule(10, () -> {
            note("a").run();
            time.execute(note("b"));
            time.schedule(5, note("c"));
            time.schedule(6, note("d"));
        });
        time.advance(15);
        assertEquals(List.of("a@10", "b@10", "c@15"), log);
        assertEquals(15, time.nanoTime());
        time.advance(1);
        assertEquals(List.of("a@10", "b@10", "c@15", "d@16"), log);
    }

    @Test
    void shouldNotRunACancelledTimerWhenAnotherOfTheSameMomentDoes() {
        Scheduler.Timer[] second = new Scheduler.Timer[1];
        time.schedule(10, () -> {
            note("a").run();
            second[0].cancel();
        });
        second[0] = time.schedule(10, note("b"));
        assertTrue(time.runUntilIdle(100));
        assertEquals(List.of("a@10"), log);
    }

    @Test
    void shouldStopAtTheTaskThatMakesTheConditionTrue() {
        for (int i = 1; i <= 5; i++) {
            time.schedule(10 * i, note("t"));
        }
        assertTrue(time.runUntil(() -> log.size() == 3, 1000));
        assertEquals(30, time.nanoTime());
        assertFalse(time.runUntil(() -> log.size() == 6, 1000));
        assertEquals(5, log.size());
    }

    @Test
    void shouldSayWhatIsLeftWhenTimeIsUp() {
        time.schedule(10, note("a"));
        time.schedule(1000, note("b"));
        assertFalse(time.runUntilIdle(500));
        assertEquals(List.of("a@10"), log);
        assertTrue(time.runUntilIdle(1000));
        assertEquals(1000, time.nanoTime());
    }

    @Test
    void shouldLeaveTheRestWhenATaskThrows() {
        time.execute(() -> {
            throw new IllegalArgumentException("on purpose");
        });
        time.execute(note("b"));
        assertThrows(IllegalArgumentException.class, time::runDue);
        time.runDue();
        assertEquals(List.of("b@0"), log);
    }

    @Test
    void shouldRefuseATaskThatLetsTimePass() {
        time.execute(() -> time.advance(1));
        assertThrows(IllegalStateException.class, time::runDue);
    }

    @Test
    void shouldRefuseANegativeDelay() {
        assertThrows(IllegalArgumentException.class, () -> time.schedule(-1, note("a")));
    }

    @Test
    void shouldKeepTheLongestTimer() {
        time.advance(1_000_000);
        time.schedule(Long.MAX_VALUE, note("never"));
        time.schedule(5, note("a"));
        time.advance(10);
        assertEquals(List.of("a@1000005"), log);
    }

    @Test
    void shouldGiveTheSameChanceForTheSameSeed() {
        assertEquals(new VirtualTime(7).random().nextLong(), new VirtualTime(7).random().nextLong());
        assertNotEquals(new VirtualTime(7).random().nextLong(), new VirtualTime(8).random().nextLong());
    }
}
