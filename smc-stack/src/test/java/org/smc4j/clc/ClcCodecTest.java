package org.smc4j.clc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.smc4j.diag.ReasonCode;

@Timeout(10)
class ClcCodecTest {
    static List<ClcMessage> samples() {
        return Samples.all();
    }

    static List<Arguments> sizes() {
        return List.of(
                Arguments.of("largest Proposal", 652, Samples.fullProposal()),
                Arguments.of("v1 Proposal without anchor", 52, Samples.v1Proposal(ClcTechnologies.SMCR, null)),
                Arguments.of("v1 Proposal with anchor", 92, Samples.v1Proposal(ClcTechnologies.BOTH, IsmEntry.NONE)),
                Arguments.of("D v1", 48, Samples.answerD(ClcType.ACCEPT, 1, null)),
                Arguments.of("D v2 reuse", 78, Samples.answerD(ClcType.ACCEPT, 2, null)),
                Arguments.of("D v2.0 first contact", 114, Samples.answerD(ClcType.ACCEPT, 2, Samples.extension(0))),
                Arguments.of("D v2.1 first contact", 130, Samples.answerD(ClcType.CONFIRM, 2, Samples.extension(1))),
                Arguments.of("R v1", 68, Samples.answerR(ClcType.CONFIRM, 1, null)),
                Arguments.of("R v2 reuse", 108, Samples.answerR(ClcType.CONFIRM, 2, null)),
                Arguments.of("R v2.0 Accept, first contact", 160,
                        Samples.answerR(ClcType.ACCEPT, 2, Samples.extension(0))),
                Arguments.of("R v2 Confirm, first contact, no GID", 164,
                        Samples.answerR(ClcType.CONFIRM, 2, Samples.extension(1))),
                Arguments.of("R v2 Confirm, first contact, 2 GIDs", 196,
                        Samples.answerR(ClcType.CONFIRM, 2, Samples.extension(1), Samples.GID, Samples.GID)),
                Arguments.of("Decline v1", 28, new ClcDecline(1, false, SystemId.NONE, 0, 0, List.of())),
                Arguments.of("Decline v2", 44, ClcDecline.v2(0)));
    }

    @Test
    void shouldGiveTheBytesOfTheSpecificationWhenMadeByTheConveniences() throws ClcException {
        assertBytes(Samples.SPEC_PROPOSAL, Samples.specProposal());
        assertBytes(Samples.SPEC_ACCEPT, Samples.specAccept());
        assertBytes(Samples.SPEC_DECLINE, ClcDecline.v2(ReasonCode.NOSMCD2DEV));
    }

    @ParameterizedTest(name = "{0}: {1} bytes")
    @MethodSource("sizes")
    void shouldHaveTheSizeOfTheSpecificationWhenEncoded(String name, int size, ClcMessage message) {
        assertEquals(size, ClcCodec.encode(message).length);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldGiveTheSameMessageWhenEncodedAndDecoded(ClcMessage message) throws ClcException {
        assertEquals(message, decode(ClcCodec.encode(message)));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseWhenMessageIsCutOrLonger(ClcMessage message) {
        byte[] bytes = ClcCodec.encode(message);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(ClcException.class, () -> decode(cut), "cut to " + length);
        }
        assertThrows(ClcException.class, () -> decode(Arrays.copyOf(bytes, bytes.length + 1)));
    }

    @Test
    void shouldPairEntriesOfTheSameEmulatedChidWhenAskedForDevices() {
        SmcdV2Extension extension = new SmcdV2Extension(Eid.NONE, List.of(new IsmEntry(1, 0x100),
                new IsmEntry(2, 0xFF01), new IsmEntry(3, 0xFF01), new IsmEntry(4, 0xFF02),
                new IsmEntry(5, 0x100), new IsmEntry(6, 0xFFFF)));
        assertEquals(List.of(new IsmDevice(new Gid(1, 0), 0x100), new IsmDevice(new Gid(2, 3), 0xFF01),
                new IsmDevice(new Gid(5, 0), 0x100)), extension.devices());
        assertEquals(List.of(new IsmDevice(Samples.GID, 0xFF01)),
                Samples.specProposal().v2Extension().smcd().devices());
    }

    @Test
    void shouldTellGidAndBufferSizeOfAnAnswer() {
        assertEquals(Samples.GID, Samples.specAccept().gid128());
        assertEquals(65536, Samples.specAccept().bufferSize());
        assertEquals(512 << 20, Samples.answerD(ClcType.ACCEPT, 1, null).bufferSize());
        assertEquals(new Gid(Samples.GID.high(), 0), Samples.answerD(ClcType.ACCEPT, 1, null).gid128());
        ClcAcceptConfirmD nativeDevice = new ClcAcceptConfirmD(ClcType.ACCEPT, 2, false, 1, 2, 0, 0, 3,
                new ClcAcceptConfirmD.V2(0x7FF, Samples.EID, 4, null));
        assertEquals(new Gid(1, 0), nativeDevice.gid128());
    }

    @Test
    void shouldOfferNothingWithVersion2WhenTheClientIsOfVersion1() {
        ClcProposal proposal = Samples.v1Proposal(ClcTechnologies.SMCR, null);
        assertEquals(ClcTechnologies.SMCR, proposal.typeV2());
        assertEquals(ClcTechnologies.NONE, proposal.v2());
        assertEquals(ClcTechnologies.SMCR, proposal.v1());
    }

    @Test
    void shouldBeOutOfSyncWhenDeclineSaysSo() {
        assertTrue(ClcDecline.v2(ReasonCode.SYNCERR).outOfSync());
        assertFalse(ClcDecline.v2(ReasonCode.MEM).outOfSync());
    }

    @Test
    void shouldAcceptEitherEyecatcherWhenDecoding() throws ClcException {
        byte[] bytes = ClcCodec.encode(Samples.specAccept());
        bytes[3] = (byte) 0xD9;
        bytes[bytes.length - 1] = (byte) 0xD9;
        assertEquals(Samples.specAccept(), decode(bytes));
    }

    @Test
    void shouldNotLookAtTheTrailerWhenMessageIsADecline() throws ClcException {
        byte[] bytes = ClcCodec.encode(ClcDecline.v2(1));
        Arrays.fill(bytes, bytes.length - 4, bytes.length, (byte) 0);
        assertEquals(ClcDecline.v2(1), decode(bytes));
    }

    @Test
    void shouldIgnoreReservedFieldsWhenTheyAreNotZero() throws ClcException {
        byte[] proposal = ClcCodec.encode(Samples.specProposal());
        Arrays.fill(proposal, 52, 80, (byte) 0xFF);
        proposal[82] = -1;
        proposal[83] |= 0x0E;
        Arrays.fill(proposal, 108, 120, (byte) 0xFF);
        Arrays.fill(proposal, 184, 200, (byte) 0xFF);
        assertEquals(Samples.specProposal(), decode(proposal));
        byte[] accept = ClcCodec.encode(Samples.specAccept());
        accept[7] |= 0x04;
        accept[25] |= 0x0F;
        accept[74] |= 0x7F;
        Arrays.fill(accept, 114, 126, (byte) 0xFF);
        assertEquals(Samples.specAccept(), decode(accept));
    }

    @Test
    void shouldIgnoreWhatFollowsTheKnownFieldsWhenAnswerIsOfALaterRelease() throws ClcException {
        byte[] known = ClcCodec.encode(Samples.specAccept());
        byte[] longer = Arrays.copyOf(known, known.length + 6);
        System.arraycopy(known, known.length - 4, longer, longer.length - 4, 4);
        longer[6] += 6;
        assertEquals(Samples.specAccept(), decode(longer));
    }

    @Test
    void shouldSkipTheUnknownAreaWhenVersion1ClientPutsTheIpAreaElsewhere() throws ClcException {
        ClcProposal proposal = Samples.v1Proposal(ClcTechnologies.BOTH, null);
        byte[] canonical = ClcCodec.encode(proposal);
        byte[] bytes = new byte[canonical.length + 5];
        System.arraycopy(canonical, 0, bytes, 0, 40);
        System.arraycopy(canonical, 40, bytes, 45, 12);
        bytes[6] += 5;
        bytes[39] = 5;
        ClcProposal decoded = (ClcProposal) decode(bytes);
        assertNull(decoded.ismV1());
        assertEquals(proposal, decoded);
    }

    @Test
    void shouldThrowIndexOutOfBoundsWhenRangeIsNotInTheArray() {
        assertThrows(IndexOutOfBoundsException.class, () -> ClcCodec.decode(new byte[28], 1, 28));
        assertThrows(IndexOutOfBoundsException.class, () -> ClcCodec.decode(new byte[28], -1, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> ClcCodec.decode(new byte[28], 0, -1));
    }

    private static void assertBytes(String hex, ClcMessage message) throws ClcException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertArrayEquals(bytes, ClcCodec.encode(message));
        assertEquals(message, decode(bytes));
    }

    private static ClcMessage decode(byte[] bytes) throws ClcException {
        return ClcCodec.decode(bytes, 0, bytes.length);
    }
}
