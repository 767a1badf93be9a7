package org.smc4j.roce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.clc.Vectors;
import org.smc4j.wire.FieldRows;

@Timeout(10)
class RdmaWriteHeaderTest {
    static List<Vectors.Message> messages() {
        return Vectors.ofKind("write");
    }

    private static RdmaWriteHeader decode(byte[] bytes) throws RdmaWriteHeaderException {
        return RdmaWriteHeader.decode(bytes, 0, bytes.length);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldDecodeToThePrintedFieldsWhenWriteWasCaptured(Vectors.Message message) throws RdmaWriteHeaderException {
        RdmaWriteHeader header = decode(message.bytes());
        FieldRows rows = new FieldRows();
        rows.hex("remote address", 8, header.remoteAddress());
        rows.hex("rkey", 4, header.rkey());
        rows.number("length", 4, header.length());
        rows.assertPrinted(message, Set.of());
    }

    /** The line "rmb" has the rkey, address and size of the ring that was written to. */
    @ParameterizedTest
    @MethodSource("messages")
    void shouldLieWithinTheRingWhenWriteWasCaptured(Vectors.Message message) throws RdmaWriteHeaderException {
        RdmaWriteHeader header = decode(message.bytes());
        String[] ring = message.headers().get("rmb").split(" ");
        assertEquals(Integer.decode(ring[0]), header.rkey());
        long offset = header.remoteAddress() - Long.parseUnsignedLong(ring[1].substring(2), 16);
        assertEquals("WRITE " + header.length() + " bytes at ring offset " + offset + " of " + ring[2],
                message.headers().get("is"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldEncodeToTheSameBytesWhenWriteWasCaptured(Vectors.Message message) throws RdmaWriteHeaderException {
        byte[] bytes = message.bytes();
        byte[] amidstOtherBytes = new byte[bytes.length + 7];
        System.arraycopy(bytes, 0, amidstOtherBytes, 3, bytes.length);
        assertArrayEquals(bytes, RdmaWriteHeader.decode(amidstOtherBytes, 3, bytes.length).encode());
    }

    @Test
    void shouldGiveTheSameHeaderWhenNumbersAreSmallestOrLargest() throws RdmaWriteHeaderException {
        for (RdmaWriteHeader header : List.of(new RdmaWriteHeader(0, 0, 0),
                new RdmaWriteHeader(-1, -1, RdmaWriteHeader.MAX_LENGTH), new RdmaWriteHeader(Long.MIN_VALUE, 1, 1))) {
            assertEquals(header, decode(header.encode()));
        }
        assertEquals("fffffffffffffffe" + "fffffffd" + "80000000",
                HexFormat.of().formatHex(new RdmaWriteHeader(-2, -3, RdmaWriteHeader.MAX_LENGTH).encode()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 17, 32})
    void shouldRefuseWhenSizeIsNotThatOfAHeader(int size) {
        assertEquals("size", assertThrows(RdmaWriteHeaderException.class, () -> decode(new byte[size])).field());
    }

    @ParameterizedTest
    @ValueSource(strings = {"80000001", "ffffffff"})
    void shouldRefuseWhenLengthIsMoreThanAMessageCanHave(String length) {
        byte[] bytes = HexFormat.of().parseHex("00".repeat(12) + length);
        assertEquals("length", assertThrows(RdmaWriteHeaderException.class, () -> decode(bytes)).field());
    }

    @Test
    void shouldRefuseRecordWhenLengthCannotBeWritten() {
        assertThrows(IllegalArgumentException.class, () -> new RdmaWriteHeader(0, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> new RdmaWriteHeader(0, 0, RdmaWriteHeader.MAX_LENGTH + 1));
        assertThrows(IndexOutOfBoundsException.class, () -> RdmaWriteHeader.decode(new byte[16], 1, 16));
    }
}
