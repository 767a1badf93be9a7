package org.smc4j.cdc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Positions against the rules for cursors as the specification words them (spec/30-cdc.md §4). */
@Timeout(30)
class PositionsTest {
    private static final int ROUNDS = 50_000;

    /** "advance: count += n; if count ≥ size: count −= size, wrap += 1 (wrap is 16-bit, 0xFFFF → 0)". */
    private static Cursor advance(Cursor cursor, int n, int size) {
        long count = cursor.count() + n;
        return count < size ? new Cursor(cursor.wrap(), count) : new Cursor(cursor.wrap() + 1 & 0xFFFF, count - size);
    }

    /** "difference: same wrap: new − old; else size − old.count + new.count". */
    private static long difference(Cursor old, Cursor now, int size) {
        return old.wrap() == now.wrap() ? now.count() - old.count() : size - old.count() + now.count();
    }

    /** "large difference: adds (wrap distance − 1)·size, handles 16-bit wrap-around, capped at size". */
    private static long largeDifference(Cursor old, Cursor now, int size) {
        int wraps = now.wrap() - old.wrap() & 0xFFFF;
        long difference = wraps == 0 ? now.count() - old.count() : size - old.count() + now.count() + (wraps - 1L) * size;
        return Math.min(difference, size);
    }

    /** "ignored if old.wrap > new.wrap and new.wrap ≠ 0, or wraps equal and new.count < old.count". */
    private static boolean isIgnored(Cursor old, Cursor now) {
        return old.wrap() > now.wrap() && now.wrap() != 0 || old.wrap() == now.wrap() && now.count() < old.count();
    }

    @ParameterizedTest
    @ValueSource(ints = {16384, 16352, 1 << 20, 512 << 20, 7})
    void shouldAdvanceAsCursorsDo(int size) {
        SplittableRandom random = new SplittableRandom(size);
        long position = 0;
        Cursor cursor = Cursor.START;
        for (int i = 0; i < ROUNDS * 4; i++) {
            int n = random.nextInt(size + 1);
            cursor = advance(cursor, n, size);
            position += n;
            assertEquals(cursor, Cursor.at(position, size));
        }
        assertTrue(position / size > 0x10000, "the wrap went round");
    }

    @ParameterizedTest
    @ValueSource(ints = {16384, 16352, 1 << 20, 512 << 20, 7})
    void shouldMeasureDistancesAsTheDifferencesOfCursors(int size) {
        SplittableRandom random = new SplittableRandom(size);
        for (int i = 0; i < ROUNDS; i++) {
            long old = position(random, size);
            int n = random.nextInt(size + 1);
            long now = old + n;
            Cursor cursor = Cursor.at(now, size);
            assertEquals(difference(Cursor.at(old, size), cursor, size), distance(old, cursor, size));
            assertEquals(largeDifference(Cursor.at(old, size), cursor, size), Math.min(size, distance(old, cursor, size)));
            assertEquals(n, distance(old, cursor, size));
            assertEquals(-n, distance(now, Cursor.at(old, size), size));
            long further = random.nextLong(30_000L * size);
            assertEquals(further, distance(old, Cursor.at(old + further, size), size));
            assertEquals(-further, distance(old + further, Cursor.at(old, size), size));
        }
    }

    /** Cursors that were sent again after a change of links are behind; how far, the size of the ring bounds. */
    @ParameterizedTest
    @ValueSource(ints = {16384, 16352, 1 << 20})
    void shouldDropWhatTheGuardDropsWhenWrapIsNotZero(int size) {
        SplittableRandom random = new SplittableRandom(size + 1);
        for (int i = 0; i < ROUNDS; i++) {
            long old = position(random, size) + size;
            Cursor again = Cursor.at(old - 1 - random.nextInt(size), size);
            Cursor later = Cursor.at(old + random.nextInt(size + 1), size);
            assertTrue(distance(old, again, size) < 0);
            if (again.wrap() != 0 && Cursor.at(old, size).wrap() != 0) {
                assertTrue(isIgnored(Cursor.at(old, size), again));
            }
            assertFalse(distance(old, later, size) < 0);
            assertFalse(isIgnored(Cursor.at(old, size), later));
        }
    }

    @Test
    void shouldBeBehindWhenACursorIsFromBeforeTheFirstEndOfTheRing() {
        assertEquals(-100, distance(16384 + 50, new Cursor(0, 16334), 16384));
        assertFalse(isIgnored(new Cursor(1, 50), new Cursor(0, 16334)), "the kernel lets this one through");
    }

    @Test
    void shouldBeOutsideWhenACountIsNotWithinTheRing() {
        assertEquals(Positions.OUTSIDE, Positions.distance(0, 0, 16384, 16384));
        assertEquals(Positions.OUTSIDE, Positions.distance(0, 0, -1, 16384));
        assertEquals(16383, Positions.distance(0, 0, 16383, 16384));
    }

    @Test
    void shouldCompareSequenceNumbersAcrossTheirEnd() {
        assertEquals(0, SequenceNumbers.next(0xFFFF));
        assertTrue(SequenceNumbers.isBefore(0xFFFF, 0));
        assertFalse(SequenceNumbers.isBefore(0, 0xFFFF));
        assertFalse(SequenceNumbers.isBefore(5, 5));
        assertTrue(SequenceNumbers.isBefore(0x7FFF, 0xFFFE));
        assertFalse(SequenceNumbers.isBefore(5, 4));
    }

    private static long position(SplittableRandom random, int size) {
        return random.nextLong(random.nextBoolean() ? 3L * size : 200_000L * size);
    }

    private static long distance(long position, Cursor cursor, int size) {
        return Positions.distance(position, cursor.wrap(), (int) cursor.count(), size);
    }
}
