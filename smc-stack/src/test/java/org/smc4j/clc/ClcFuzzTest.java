package org.smc4j.clc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Any bytes are a message or a {@link ClcException}; a message survives encoding. Seeded: a failure prints its bytes.
 */
@Timeout(30)
class ClcFuzzTest {
    private static final long SEED = 0x534D43;
    private static final long RUN_NANOS = 1_000_000_000L;
    private static final int MIN_CASES = 10_000;
    private static final int MAX_LENGTH = 700;

    private final Random random = new Random(SEED);
    private int messages;

    @Test
    void shouldGiveMessageOrClcExceptionWhenValidMessagesAreMutated() {
        List<byte[]> seeds = new ArrayList<>();
        for (ClcMessage sample : Samples.all()) {
            seeds.add(ClcCodec.encode(sample));
        }
        for (Vectors.Message vector : Vectors.ofKind("clc")) {
            seeds.add(vector.bytes());
        }
        int cases = 0;
        for (long start = System.nanoTime(); cases < MIN_CASES || System.nanoTime() - start < RUN_NANOS; cases++) {
            check(mutate(seeds.get(random.nextInt(seeds.size()))));
        }
        assertTrue(messages > cases / 100, messages + " of " + cases + " were messages: the mutations are too wild");
        assertTrue(messages < cases, "no mutation was refused");
    }

    @Test
    void shouldGiveMessageOrClcExceptionWhenBytesAreRandom() {
        int cases = 0;
        for (long start = System.nanoTime(); cases < MIN_CASES || System.nanoTime() - start < RUN_NANOS; cases++) {
            byte[] bytes = new byte[random.nextInt(MAX_LENGTH)];
            random.nextBytes(bytes);
            if (random.nextInt(8) != 0) {
                repairFrame(bytes);
            }
            check(bytes);
        }
    }

    /**
     * One to four edits; most of the time header length and trailer are put right again, to get past the first checks.
     */
    private byte[] mutate(byte[] seed) {
        byte[] bytes = seed.clone();
        for (int edits = 1 + random.nextInt(4); edits > 0 && bytes.length > 0; edits--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes[at] = (byte) random.nextInt(11);
                case 3 -> bytes = Arrays.copyOf(bytes, random.nextInt(MAX_LENGTH));
                case 4 -> bytes[Math.min(7, bytes.length - 1)] = (byte) random.nextInt(256);
                default -> {
                    int length = random.nextInt(bytes.length - at) + 1;
                    Arrays.fill(bytes, at, at + length, (byte) random.nextInt(256));
                }
            }
        }
        if (random.nextInt(4) != 0) {
            repairFrame(bytes);
        }
        return bytes;
    }

    private void repairFrame(byte[] bytes) {
        if (bytes.length < 12) {
            return;
        }
        byte[] eyecatcher = {(byte) 0xE2, (byte) 0xD4, (byte) 0xC3, (byte) (random.nextBoolean() ? 0xD9 : 0xC4)};
        System.arraycopy(eyecatcher, 0, bytes, 0, 4);
        System.arraycopy(eyecatcher, 0, bytes, bytes.length - 4, 4);
        bytes[4] = (byte) (bytes[4] >= 1 && bytes[4] <= 4 ? bytes[4] : 1 + random.nextInt(4));
        bytes[5] = (byte) (bytes.length >>> 8);
        bytes[6] = (byte) bytes.length;
    }

    private void check(byte[] bytes) {
        try {
            ClcMessage message = ClcCodec.decode(bytes, 0, bytes.length);
            messages++;
            byte[] encoded = ClcCodec.encode(message);
            assertEquals(message, ClcCodec.decode(encoded, 0, encoded.length));
        } catch (ClcException e) {
            assertTrue(e.getMessage().length() < 200);
        } catch (RuntimeException e) {
            fail("bytes " + HexFormat.of().formatHex(bytes), e);
        }
    }
}
