package org.smc4j.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ExpiringMapTest {
    private final VirtualTime time = new VirtualTime(1);
    private final List<String> expired = new ArrayList<>();
    private final ExpiringMap<String, Integer> map = new ExpiringMap<>(time, 100, 3, (key, value) -> expired.add(key + value));

    @Test
    void shouldLetEntriesGoWhenTheirTimeIsOver() {
        map.put("a", 1);
        time.advance(60);
        map.put("b", 2);
        time.advance(39);
        assertEquals(1, map.get("a"));
        time.advance(1);
        assertNull(map.get("a"));
        assertEquals(2, map.get("b"));
        time.advance(60);
        assertEquals(0, map.size());
        assertEquals(List.of("a1", "b2"), expired);
    }

    @Test
    void shouldBeginTheTimeAnewWhenPutAgain() {
        map.put("a", 1);
        map.put("b", 2);
        time.advance(99);
        map.put("a", 3);
        time.advance(99);
        assertEquals(3, map.get("a"));
        assertEquals(List.of("b2"), expired);
        time.advance(1);
        assertEquals(List.of("b2", "a3"), expired);
    }

    @Test
    void shouldLetTheOldestGoWhenThereAreTooMany() {
        map.put("a", 1);
        map.put("b", 2);
        map.put("a", 1);
        map.put("c", 3);
        map.put("d", 4);
        assertEquals(3, map.size());
        assertEquals(List.of("b2"), expired);
        assertTrue(map.expireFirst());
        assertEquals(List.of("b2", "a1"), expired);
    }

    @Test
    void shouldTellNothingWhenEntriesAreRemoved() {
        map.put("a", 1);
        map.put("b", 2);
        map.put("c", 3);
        assertEquals(2, map.remove("b"));
        assertNull(map.remove("b"));
        map.removeIf((key, value) -> value == 3);
        assertEquals(1, map.size());
        map.remove("a");
        assertFalse(map.expireFirst());
        time.advance(1000);
        assertEquals(List.of(), expired);
    }

    @Test
    void shouldHaveOneTimerHoweverManyEntriesItHas() {
        ExpiringMap<Integer, Integer> many = new ExpiringMap<>(time, 100, Integer.MAX_VALUE, (key, value) -> { });
        for (int i = 0; i < 1000; i++) {
            many.put(i, i);
        }
        int[] tasks = new int[1];
        assertFalse(time.runUntil(() -> tasks[0]++ < 0, 100));
        assertEquals(0, many.size());
        assertEquals(2, tasks[0], "the condition is looked at first and after every task");
        assertTrue(time.runUntilIdle(0));
    }
}
