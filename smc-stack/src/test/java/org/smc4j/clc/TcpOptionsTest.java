package org.smc4j.clc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.wire.FieldRows;

@Timeout(10)
class TcpOptionsTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final Map<Integer, String> NAMES = Map.of(2, "MSS", 3, "window scale", 4, "SACK permitted", 8, "timestamps",
            254, "experimental");

    static List<Vectors.Message> messages() {
        return Vectors.ofKind("tcpopt");
    }

    private static TcpOptions decode(String hex) throws TcpOptionsException {
        byte[] bytes = HEX.parseHex(hex);
        return TcpOptions.decode(bytes, 0, bytes.length);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldDecodeToThePrintedFieldsWhenSegmentWasCaptured(Vectors.Message message) throws TcpOptionsException {
        TcpOptions options = TcpOptions.decode(message.bytes(), 0, message.bytes().length);
        FieldRows rows = new FieldRows();
        for (TcpOption option : options.list()) {
            if (option.equals(TcpOption.NOP)) {
                rows.add("option", 1, option.kind(), "NOP");
                continue;
            }
            rows.add("option", 1, option.kind(), option.kind() + " " + NAMES.get(option.kind()));
            rows.number("length", 1, option.size());
            byte[] value = option.value();
            if (option.isSmc()) {
                rows.add("ExID", value, "SMCR");
            } else if (value.length > 0) {
                rows.add("value", value, option.kind() == 8 ? HEX.formatHex(value) : new BigInteger(1, value).toString());
            }
        }
        rows.assertPrinted(message, Set.of());
        assertEquals("TCP options with" + (options.offersSmc(true) ? "" : "out") + " SMC", message.headers().get("is"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldEncodeToTheSameBytesWhenSegmentWasCaptured(Vectors.Message message) throws TcpOptionsException {
        byte[] bytes = message.bytes();
        byte[] amidstOtherBytes = new byte[bytes.length + 7];
        System.arraycopy(bytes, 0, amidstOtherBytes, 3, bytes.length);
        assertArrayEquals(bytes, TcpOptions.decode(amidstOtherBytes, 3, bytes.length).encode());
    }

    /** The kernel's SYN is what it would send without SMC, and our option behind it. */
    @Test
    void shouldWriteWhatTheKernelWritesWhenSmcIsAdded() throws TcpOptionsException {
        TcpOptions without = decode("020423000402080a560886640000000001030307");
        assertFalse(without.offersSmc(true));
        assertArrayEquals(messages().getFirst().bytes(), without.withSmc().encode());
        assertEquals("0101fe06e2d4c3d9", HEX.formatHex(new TcpOptions(List.of()).withSmc().encode()));
    }

    @Test
    void shouldLeaveTheOptionOutWhenFewerThanEightBytesRemain() {
        TcpOptions roomForIt = new TcpOptions(Collections.nCopies(32, TcpOption.NOP));
        assertTrue(roomForIt.withSmc().offersSmc(true));
        assertEquals(TcpOptions.MAX_SIZE, roomForIt.withSmc().encode().length);
        TcpOptions tooFull = new TcpOptions(Collections.nCopies(33, TcpOption.NOP));
        assertEquals(tooFull, tooFull.withSmc());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fe06e2d4c3d9", "fe06e2d4c3d90101", "0101fe06e2d4c3d9", "fe08e2d4c3d90000", "fe06e2d4c3d900",
            "fe04f989fe06e2d4c3d9"})
    void shouldOfferSmcWhenTheOptionIsAnywhereInASyn(String hex) throws TcpOptionsException {
        assertTrue(decode(hex).offersSmc(true));
        assertFalse(decode(hex).offersSmc(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "fe04e2d4", "fe05e2d4c3", "fe07e2d4c3d900", "fe06e2d4c3c4", "fd06e2d4c3d9", "fe02",
            "fe03e2", "00fe06e2d4c3d9"})
    void shouldNotOfferSmcWhenTheOptionIsNotExactlyThat(String hex) throws TcpOptionsException {
        assertFalse(decode(hex).offersSmc(true));
    }

    @ParameterizedTest
    @CsvSource({"02, option length", "0200, option length", "0201, option length", "0203, option value",
            "fe06e2d4c3, option value", "010102ff, option value"})
    void shouldNameTheFieldWhenBytesAreNoOptions(String hex, String field) {
        TcpOptionsException refusal = assertThrows(TcpOptionsException.class, () -> decode(hex));
        assertEquals(field, refusal.field());
    }

    @Test
    void shouldRefuseWhenThereIsMoreThanAHeaderCanHave() {
        assertEquals("size", assertThrows(TcpOptionsException.class, () -> decode("01".repeat(41))).field());
        assertThrows(IllegalArgumentException.class, () -> new TcpOptions(Collections.nCopies(41, TcpOption.NOP)));
        assertThrows(IllegalArgumentException.class, () -> new TcpOption(5, new byte[39]));
        assertThrows(IllegalArgumentException.class, () -> new TcpOption(1, new byte[1]));
        assertThrows(IllegalArgumentException.class, () -> new TcpOption(0, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> new TcpOption(256, new byte[0]));
        assertThrows(IndexOutOfBoundsException.class, () -> TcpOptions.decode(new byte[4], 1, 4));
    }

    @Test
    void shouldEndAtTheEndMarkAndFillUpWithThem() throws TcpOptionsException {
        assertEquals(List.of(TcpOption.NOP), decode("0100ffff").list());
        assertEquals("01000000", HEX.formatHex(decode("01").encode()));
        assertEquals("fe08e2d4c3d90001" + "01000000", HEX.formatHex(decode("fe08e2d4c3d9000101").encode()));
    }

    @Test
    void shouldBeEqualWhenKindAndValueAre() {
        assertEquals(TcpOption.SMC, new TcpOption(254, TcpOption.SMC.value()));
        assertEquals(TcpOption.SMC.hashCode(), new TcpOption(254, TcpOption.SMC.value()).hashCode());
        assertNotEquals(TcpOption.SMC, new TcpOption(253, TcpOption.SMC.value()));
        assertNotEquals(TcpOption.SMC, new TcpOption(254, new byte[4]));
        TcpOption.SMC.value()[0] = 0;
        assertTrue(TcpOption.SMC.isSmc());
        assertEquals("254:e2d4c3d9", TcpOption.SMC.toString());
    }
}
