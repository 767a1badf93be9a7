package org.smc4j.remote;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SystemInstanceTest {
    private static final int NUMBERS = 1 << 16;

    @Test
    void shouldDrawAgainWhenAnotherHasTheNumber() {
        long common = new Random().nextLong();
        int first = SystemInstance.claim(new Random(common));
        int second = SystemInstance.claim(new Random(common));
        assertNotEquals(first, second);
        assertTrue(first >= 0 && first < NUMBERS && second >= 0 && second < NUMBERS);
    }
}
