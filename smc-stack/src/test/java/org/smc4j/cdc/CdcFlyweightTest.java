package org.smc4j.cdc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CdcFlyweightTest {
    private static final int ROUNDS = 20_000;

    private final SplittableRandom random = new SplittableRandom(5);

    /** The message that lies there, field by field. */
    static CdcMessage record(CdcFlyweight message) {
        return new CdcMessage(message.sequence(), message.alertToken(),
                new Cursor(message.producerWrap(), Integer.toUnsignedLong(message.producerCount())),
                new Cursor(message.consumerWrap(), Integer.toUnsignedLong(message.consumerCount())),
                message.producerFlags(), message.stateFlags());
    }

    @Test
    void shouldWriteTheBytesOfTheCodec() {
        byte[] bytes = new byte[3 + CdcCodec.SIZE + 3];
        CdcFlyweight inPlace = new CdcFlyweight().wrap(MemorySegment.ofArray(bytes), 3);
        for (int i = 0; i < ROUNDS; i++) {
            int producerSize = 1 + random.nextInt(Integer.MAX_VALUE);
            int consumerSize = 1 + random.nextInt(1 << 20);
            long produced = random.nextLong() >>> 1 + random.nextInt(63);
            long consumed = random.nextLong() >>> 1 + random.nextInt(63);
            CdcMessage message = new CdcMessage(random.nextInt(0x10000), random.nextInt(), Cursor.at(produced, producerSize),
                    Cursor.at(consumed, consumerSize), random.nextInt() & CdcFlags.PRODUCER_FLAGS,
                    random.nextInt() & CdcFlags.STATE_FLAGS);
            random.nextBytes(bytes);
            byte[] before = bytes.clone();
            inPlace.begin(message.sequence(), message.alertToken()).producer(produced, producerSize)
                    .consumer(consumed, consumerSize).flags(message.producerFlags(), message.stateFlags());
            assertArrayEquals(CdcCodec.encode(message), Arrays.copyOfRange(bytes, 3, 3 + CdcCodec.SIZE));
            assertArrayEquals(Arrays.copyOf(before, 3), Arrays.copyOf(bytes, 3));
            int end = 3 + CdcCodec.SIZE;
            assertArrayEquals(Arrays.copyOfRange(before, end, end + 3), Arrays.copyOfRange(bytes, end, end + 3));
        }
    }

    @Test
    void shouldReadWhatTheCodecReadsAndRefuseWhatItRefuses() {
        int valid = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[CdcCodec.SIZE];
            random.nextBytes(bytes);
            if (random.nextInt(8) > 0) {
                bytes[0] = (byte) 0xFE;
                bytes[1] = 44;
            }
            int length = random.nextInt(4) > 0 ? CdcCodec.SIZE : random.nextInt(CdcCodec.SIZE);
            CdcFlyweight inPlace = new CdcFlyweight().wrap(MemorySegment.ofArray(bytes), 0);
            CdcMessage decoded;
            try {
                decoded = CdcCodec.decode(bytes, 0, length);
            } catch (CdcException e) {
                assertEquals(false, inPlace.isMessage(length));
                continue;
            }
            valid++;
            assertEquals(true, inPlace.isMessage(length));
            assertEquals(decoded, record(inPlace));
        }
        assertEquals(ROUNDS * 3 / 4, valid, ROUNDS / 10);
    }
}
