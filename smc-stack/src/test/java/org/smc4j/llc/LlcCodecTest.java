package org.smc4j.llc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;

@Timeout(10)
class LlcCodecTest {
    private static final HexFormat HEX = HexFormat.of();

    static List<LlcMessage> samples() {
        return LlcSamples.all();
    }

    static List<Arguments> sizes() {
        return List.of(
                Arguments.of("ADD LINK v1", 44, LlcSamples.addLinkV1(false, false, 0)),
                Arguments.of("ADD LINK v2 without buffers", 72, LlcSamples.addLink(0, 0)),
                Arguments.of("ADD LINK v2 of one buffer", 88, LlcSamples.addLink(1, 1)),
                Arguments.of("ADD LINK v2 that counts more than it lists", 88, LlcSamples.addLink(5, 1)),
                Arguments.of("largest ADD LINK", 72 + 255 * 16, LlcSamples.addLink(255, 255)),
                Arguments.of("ADD LINK v2 rejected", 44, LlcSamples.addLink(9, 9).rejection()),
                Arguments.of("REQUEST ADD LINK without GID", 44, LlcSamples.requestAddLink(0)),
                Arguments.of("REQUEST ADD LINK of one GID", 44, LlcSamples.requestAddLink(1)),
                Arguments.of("REQUEST ADD LINK of two GIDs", 60, LlcSamples.requestAddLink(2)),
                Arguments.of("largest REQUEST ADD LINK", 28 + 255 * 16, LlcSamples.requestAddLink(255)),
                Arguments.of("DELETE RKEY v1 of eight", 44, LlcSamples.deleteRkey(1, 8)),
                Arguments.of("DELETE RKEY v2 of nine", 44, LlcSamples.deleteRkey(2, 9)),
                Arguments.of("DELETE RKEY v2 of ten", 48, LlcSamples.deleteRkey(2, 10)),
                Arguments.of("largest DELETE RKEY", 8 + 255 * 4, LlcSamples.deleteRkey(2, 255)));
    }

    @ParameterizedTest(name = "{0}: {1} bytes")
    @MethodSource("sizes")
    void shouldHaveTheSizeOfTheSpecificationWhenEncoded(String name, int size, LlcMessage message) {
        assertEquals(size, LlcCodec.encode(message).length);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldGiveTheSameMessageWhenEncodedAndDecoded(LlcMessage message) throws LlcException {
        assertEquals(message, decode(LlcCodec.encode(message)));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseWhenMessageIsCutOrLongerThanItSays(LlcMessage message) {
        byte[] bytes = LlcCodec.encode(message);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(LlcException.class, () -> decode(cut), "cut to " + length);
        }
        assertThrows(LlcException.class, () -> decode(Arrays.copyOf(bytes, bytes.length + 1)));
    }

    static List<LlcMessage> shortSamples() {
        return samples().stream().filter(message -> LlcCodec.encode(message).length <= 100).toList();
    }

    @ParameterizedTest
    @MethodSource("shortSamples")
    void shouldGiveAMessageThatSurvivesEncodingWhenAnyOneByteIsAnother(LlcMessage message) {
        byte[] bytes = LlcCodec.encode(message);
        for (int at = 0; at < bytes.length; at++) {
            byte original = bytes[at];
            int step = at < 8 ? 1 : 17;
            for (int value = 0; value < 256; value += step) {
                bytes[at] = (byte) value;
                assertMessageOrRefusal(bytes);
            }
            bytes[at] = original;
        }
    }

    private static void assertMessageOrRefusal(byte[] bytes) {
        LlcMessage decoded;
        try {
            decoded = decode(bytes);
        } catch (LlcException e) {
            return;
        }
        LlcMessage again;
        try {
            again = decode(LlcCodec.encode(decoded));
        } catch (LlcException e) {
            throw new AssertionError(HEX.formatHex(bytes), e);
        }
        assertEquals(decoded, again);
    }

    @Test
    void shouldIgnoreReservedBytesAndUnknownFlagsWhenTheyAreSet() throws LlcException {
        for (LlcMessage message : List.of(new ConfirmRkeyContinue(true), LlcSamples.requestAddLink(1).answer())) {
            byte[] bytes = LlcCodec.encode(message);
            Arrays.fill(bytes, 3, bytes.length, (byte) 0xFF);
            assertEquals(message, decode(bytes));
        }
    }

    @Test
    void shouldIgnoreTheRestWhenMessageOfVersion2IsLonger() throws LlcException {
        LlcMessage confirm = new ConfirmLink(2, false, true, LlcSamples.MAC, LlcSamples.GID, 1, 2, 3, 4, 5);
        assertEquals(confirm, decode(longer(LlcCodec.encode(confirm), 60)));
        LlcMessage add = LlcSamples.addLink(2, 2);
        assertEquals(add, decode(longer(LlcCodec.encode(add), 72 + 4 * 16)));
        assertEquals(add, decode(longer(LlcCodec.encode(add), LlcCodec.MAX_SIZE)));
        assertThrows(LlcException.class, () -> decode(longer(LlcCodec.encode(add), LlcCodec.MAX_SIZE + 1)));
    }

    @Test
    void shouldListWhatIsThereWhenTheCountOfRkeysIsLarger() throws LlcException {
        byte[] bytes = LlcCodec.encode(LlcSamples.addLink(2, 2));
        bytes[70] = 7;
        assertEquals(LlcSamples.addLink(7, 2).extension().rkeys(), ((AddLink) decode(bytes)).extension().rkeys());
        assertEquals(7, ((AddLink) decode(bytes)).extension().rkeyCount());
        assertArrayEquals(bytes, LlcCodec.encode(decode(bytes)));
    }

    /** Length 72 + 16·n and the count n in network order, as a big-endian Linux writes them. */
    @Test
    void shouldReadLengthAndCountInTheOrderOfTheWriterWhenItIsBigEndian() throws LlcException {
        for (int count : new int[] {0, 1, 2, 255}) {
            AddLink add = LlcSamples.addLink(count, count);
            byte[] bytes = LlcCodec.encode(add);
            swap(bytes, 1);
            swap(bytes, 70);
            assertEquals(add, decode(bytes));
        }
        byte[] test = LlcCodec.encode(TestLink.request(2));
        swap(test, 1);
        assertEquals(TestLink.request(2), decode(test));
    }

    @Test
    void shouldTakeTheWriterAsLittleEndianWhenTheLengthIsTheSameInBothOrders() throws LlcException {
        AddLink add = LlcSamples.addLink(124, 124);
        byte[] bytes = LlcCodec.encode(add);
        assertEquals(0x0808, bytes.length);
        assertEquals(add, decode(bytes));
    }

    @Test
    void shouldGiveTheBytesOfTheTablesWhenNoneWereCaptured() {
        String zeros = "00".repeat(44);
        assertEncoded("252c0080" + zeros.substring(8), LlcSamples.requestAddLink(2).answer());
        assertEncoded("082c0080" + zeros.substring(8), new ConfirmRkeyContinue(true));
        assertEncoded("092c00a0" + "02400000" + "00000005" + "fffffffe" + zeros.substring(32),
                DeleteRkey.request(1, List.of(5, -2)).answer(positions(1)));
        assertEncoded("292c00a0" + "03020000" + zeros.substring(16),
                DeleteRkey.request(2, List.of(5, -2, 7)).answer(positions(0, 2)));
        assertEncoded("062c00b0" + "02" + "00000001" + "0000000000000002" + "03" + "00000004" + "0000000000000005"
                + "06" + "00000007" + "0000000000000008" + "00", ConfirmRkey.request(1, 1, 2,
                List.of(new ConfirmRkey.RkeyOnLink(3, 4, 5), new ConfirmRkey.RkeyOnLink(6, 7, 8))).answer(false));
        assertEncoded("272c0080" + "0102030405060708090a0b0c0d0e0f10" + zeros.substring(40),
                new TestLink(2, false, 0x0102030405060708L, 0x090a0b0c0d0e0f10L).answer());
    }

    @Test
    void shouldTakeEitherFlagWhenThePeerKeepsNoEyecatcher() throws LlcException {
        byte[] bytes = LlcCodec.encode(LlcSamples.all().getFirst());
        for (int flags = 0; flags < 4; flags++) {
            bytes[3] = (byte) flags;
            assertEquals(flags != 0, ((ConfirmLink) decode(bytes)).noEyecatcher());
        }
    }

    @Test
    void shouldSeeNoRefusalWhenARequestHasTheFlagsOfOne() throws LlcException {
        byte[] add = LlcCodec.encode(LlcSamples.addLinkV1(false, false, 0));
        add[2] = 1;
        add[3] = 0x40;
        assertEquals(LlcSamples.addLinkV1(false, false, 0), decode(add));
        byte[] confirm = LlcCodec.encode(LlcSamples.confirmRkey(1, 1));
        confirm[3] = 0x30;
        assertEquals(LlcSamples.confirmRkey(1, 1), decode(confirm));
        byte[] delete = LlcCodec.encode(LlcSamples.deleteRkey(2, 1));
        delete[3] = 0x20;
        delete[5] = 1;
        assertEquals(LlcSamples.deleteRkey(2, 1), decode(delete));
    }

    @Test
    void shouldHaveNoReasonWhenVersion2Rejects() {
        AddLink rejection = LlcSamples.addLink(1, 1).rejection();
        assertTrue(rejection.rejected());
        assertEquals(0, rejection.rejectReason());
        assertNull(rejection.extension());
        assertEquals(AddLink.NO_ALTERNATE_PATH, LlcSamples.addLinkV1(false, false, 0).rejection().rejectReason());
    }

    @Test
    void shouldBeNegativeOnlyWhenSomeRkeyWasUnknown() {
        assertFalse(LlcSamples.deleteRkey(1, 8).answer(positions()).negative());
        assertEquals(0x81, LlcSamples.deleteRkey(1, 8).answer(positions(0, 7)).errors());
        assertEquals(3, LlcSamples.deleteRkey(2, 200).answer(positions(0, 7, 199)).errors());
    }

    static List<Executable> violations() {
        Mac mac = LlcSamples.MAC;
        Gid gid = LlcSamples.GID;
        return List.of(
                () -> new TestLink(0, false, 0, 0),
                () -> new TestLink(3, false, 0, 0),
                () -> new ConfirmLink(1, false, true, null, gid, 0, 0, 0, 0, 0),
                () -> new ConfirmLink(1, false, true, mac, gid, 1 << 24, 0, 0, 0, 0),
                () -> new ConfirmLink(1, false, true, mac, gid, 0, 256, 0, 0, 0),
                () -> new ConfirmLink(1, false, true, mac, gid, 0, 0, 0, -1, 0),
                () -> new ConfirmLink(1, false, true, mac, gid, 0, 0, 0, 0, 256),
                () -> LlcSamples.addLinkV1(false, true, 0),
                () -> LlcSamples.addLinkV1(true, false, 1),
                () -> LlcSamples.addLinkV1(true, true, 16),
                () -> new AddLink(2, true, true, 1, mac, gid, 0, 0, 0, 0, null),
                () -> new AddLink(2, false, false, 0, mac, gid, 0, 0, 1, 0, null),
                () -> new AddLink(2, false, false, 0, mac, gid, 0, 0, 16, 0, LlcSamples.addLink(0, 0).extension()),
                () -> new AddLink(1, false, false, 0, mac, gid, 0, 0, 1, 0, LlcSamples.addLink(0, 0).extension()),
                () -> LlcSamples.addLink(1, 2),
                () -> LlcSamples.addLink(256, 0),
                () -> new AddLinkContinue(false, 0, 1, LlcSamples.rkeys(2)),
                () -> new AddLinkContinue(false, 0, 3, LlcSamples.rkeys(3)),
                () -> new AddLinkContinue(false, 0, 2, LlcSamples.rkeys(1)),
                () -> new DeleteLink(1, false, true, false, 256, 0),
                () -> LlcSamples.requestAddLink(256),
                () -> new RequestAddLink(true, List.of(gid)),
                () -> LlcSamples.confirmRkey(1, 3),
                () -> new ConfirmRkey(1, false, true, false, 0, 0, 0, List.of()),
                () -> new ConfirmRkey(1, false, false, true, 0, 0, 0, List.of()),
                () -> new ConfirmRkey(1, false, false, false, 0, 0, 1, List.of()),
                () -> new ConfirmRkey.RkeyOnLink(256, 0, 0),
                () -> LlcSamples.deleteRkey(1, 9),
                () -> LlcSamples.deleteRkey(2, 256),
                () -> new DeleteRkey(1, false, true, 0, 0, List.of()),
                () -> new DeleteRkey(1, false, false, 0, 1, List.of()),
                () -> new DeleteRkey(2, true, false, 1, 0, List.of(1)),
                () -> new DeleteRkey(1, true, false, 1, 0, List.of()));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void shouldRefuseRecordWhenAFieldCannotBeWritten(Executable violation) {
        assertThrows(IllegalArgumentException.class, violation);
    }

    @Test
    void shouldRefuseRangeWhenItIsNotWithinTheArray() {
        assertThrows(IndexOutOfBoundsException.class, () -> LlcCodec.decode(new byte[44], 1, 44));
        assertThrows(IndexOutOfBoundsException.class, () -> LlcCodec.decode(new byte[44], -1, 44));
    }

    private static LlcMessage decode(byte[] bytes) throws LlcException {
        return LlcCodec.decode(bytes, 0, bytes.length);
    }

    private static void assertEncoded(String hex, LlcMessage message) {
        assertEquals(hex, HEX.formatHex(LlcCodec.encode(message)));
    }

    /** The same message of version 2 with bytes behind it. */
    private static byte[] longer(byte[] bytes, int length) {
        byte[] longer = Arrays.copyOf(bytes, length);
        Arrays.fill(longer, bytes.length, length, (byte) 0x5A);
        longer[1] = (byte) length;
        longer[2] = (byte) (length >>> 8);
        return longer;
    }

    private static void swap(byte[] bytes, int at) {
        byte first = bytes[at];
        bytes[at] = bytes[at + 1];
        bytes[at + 1] = first;
    }

    private static BitSet positions(int... positions) {
        BitSet set = new BitSet();
        for (int position : positions) {
            set.set(position);
        }
        return set;
    }
}
