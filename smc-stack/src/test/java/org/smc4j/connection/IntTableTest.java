package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class IntTableTest {
    @Test
    void shouldHoldWhatAMapHoldsUnderRandomChanges() {
        SplittableRandom random = new SplittableRandom(3);
        IntTable<Integer> table = new IntTable<>();
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int key = random.nextInt(-100, 200) * (random.nextBoolean() ? 1 : 0x0101_0101);
            if (random.nextInt(3) == 0) {
                table.remove(key);
                map.remove(key);
            } else {
                assertEquals(map.putIfAbsent(key, i) == null, table.add(key, i));
            }
            int other = random.nextInt(-100, 200);
            assertEquals(map.get(other), table.get(other));
        }
        map.forEach((key, value) -> assertEquals(value, table.get(key)));
    }

    @Test
    void shouldKeepTheFirstWhenANumberIsTaken() {
        IntTable<String> table = new IntTable<>();
        assertNull(table.get(0));
        assertTrue(table.add(0, "first"));
        assertFalse(table.add(0, "second"));
        assertEquals("first", table.get(0));
        table.remove(0);
        assertNull(table.get(0));
    }
}
