package org.smc4j.cdc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class CdcCodecTest {
    private static final CdcMessage MESSAGE =
            new CdcMessage(0xFFFF, -2, new Cursor(0xFFFF, 0xFFFF_FFFFL), new Cursor(1, 2), 0xF8, 0xE0);
    private static final CdcHeader HEADER = new CdcHeader(new Cursor(0xFFFE, 0x8000_0001L), new Cursor(3, 4), 0xF0, 0xE0);

    @Test
    void shouldDecodeWhatItEncodedWhenFieldsAreExtreme() throws CdcException {
        assertEquals(MESSAGE, CdcCodec.decode(CdcCodec.encode(MESSAGE), 0, CdcCodec.SIZE));
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            assertEquals(HEADER, CdcCodec.decodeHeader(CdcCodec.encode(HEADER, order), 0, CdcCodec.HEADER_SIZE, order));
        }
    }

    @Test
    void shouldIgnoreReservedFieldsAndUnknownFlags() throws CdcException {
        byte[] message = CdcCodec.encode(new CdcMessage(1, 2, new Cursor(3, 4), new Cursor(5, 6), 0x80, 0x40));
        byte[] header = CdcCodec.encode(new CdcHeader(new Cursor(3, 4), new Cursor(5, 6), 0x80, 0x40), ByteOrder.LITTLE_ENDIAN);
        CdcMessage expected = CdcCodec.decode(message, 0, message.length);
        CdcHeader expectedHeader = CdcCodec.decodeHeader(header, 0, header.length, ByteOrder.LITTLE_ENDIAN);
        for (int i : new int[] {8, 9, 16, 17, 26, 43}) {
            message[i] = 1;
        }
        message[24] |= 0x07;
        message[25] |= 0x1F;
        for (int i : new int[] {1, 7, 14, 15, 24, 31}) {
            header[i] = 1;
        }
        header[22] |= 0x0F;
        header[23] |= 0x1F;
        assertEquals(expected, CdcCodec.decode(message, 0, message.length));
        assertEquals(expectedHeader, CdcCodec.decodeHeader(header, 0, header.length, ByteOrder.LITTLE_ENDIAN));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 25})
    void shouldNameTheExceptionWhenAMessageEndsTooEarly(int length) {
        byte[] bytes = CdcCodec.encode(MESSAGE);
        assertThrows(CdcException.class, () -> CdcCodec.decode(bytes, 0, length));
    }

    @Test
    void shouldReadAMessageThatEndsBehindItsFlags() throws CdcException {
        assertEquals(MESSAGE, CdcCodec.decode(Arrays.copyOf(CdcCodec.encode(MESSAGE), 26), 0, 26));
    }

    @Test
    void shouldNameTheFieldWhenTypeOrLengthIsWrong() {
        byte[] type = CdcCodec.encode(MESSAGE);
        type[0] = 1;
        byte[] length = CdcCodec.encode(MESSAGE);
        length[1] = 43;
        byte[] header = CdcCodec.encode(HEADER, ByteOrder.LITTLE_ENDIAN);
        header[0] = 0;
        assertEquals("type", assertThrows(CdcException.class, () -> CdcCodec.decode(type, 0, 44)).field());
        assertEquals("length", assertThrows(CdcException.class, () -> CdcCodec.decode(length, 0, 44)).field());
        ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        assertEquals("type", assertThrows(CdcException.class, () -> CdcCodec.decodeHeader(header, 0, 32, order)).field());
        assertEquals("size", assertThrows(CdcException.class, () -> CdcCodec.decodeHeader(header, 0, 31, order)).field());
    }

    @Test
    void shouldThrowNothingElseWhateverTheBytesAre() {
        SplittableRandom random = new SplittableRandom(11);
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length > 1 && random.nextBoolean()) {
                bytes[0] = (byte) 0xFE;
                bytes[1] = 44;
            }
            try {
                CdcCodec.decode(bytes, 0, bytes.length);
                CdcCodec.decodeHeader(bytes, 0, bytes.length, ByteOrder.BIG_ENDIAN);
            } catch (CdcException e) {
                refused++;
            }
        }
        assertEquals(true, refused > 10_000 && refused < 50_000);
    }
}
