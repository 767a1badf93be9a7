package org.smc4j.clc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Valid messages with one thing broken, and the field that the refusal must name. */
@Timeout(10)
class ClcMalformedTest {
    private static final ClcMessage D_V2 = Samples.specProposal();
    private static final ClcMessage FULL = Samples.fullProposal();
    private static final ClcMessage R_V1 = Samples.v1Proposal(ClcTechnologies.SMCR, null);
    private static final ClcMessage BOTH_V1 = Samples.v1Proposal(ClcTechnologies.BOTH, IsmEntry.NONE);
    private static final ClcMessage ACCEPT_D = Samples.specAccept();
    private static final ClcMessage REUSE_D = Samples.answerD(ClcType.ACCEPT, 2, null);
    private static final ClcMessage RELEASE_0_D = Samples.answerD(ClcType.ACCEPT, 2, Samples.extension(0));
    private static final ClcMessage ACCEPT_D_V1 = Samples.answerD(ClcType.ACCEPT, 1, null);
    private static final ClcMessage REUSE_R = Samples.answerR(ClcType.ACCEPT, 2, null);
    private static final ClcMessage ACCEPT_R = Samples.answerR(ClcType.ACCEPT, 2, Samples.extension(1));
    private static final ClcMessage CONFIRM_R = Samples.answerR(ClcType.CONFIRM, 2, Samples.extension(1), Samples.GID);
    private static final ClcMessage DECLINE = ClcDecline.v2(1);

    static List<Arguments> faults() {
        return List.of(
                fault("eyecatcher", "neither SMCR nor SMCD", D_V2, 3, 0xC5),
                fault("trailer", "neither SMCR nor SMCD", D_V2, 223, 0x00),
                fault("trailer", "of an Accept", ACCEPT_D, 126, 0x00),
                fault("type", "zero", D_V2, 4, 0),
                fault("type", "five", D_V2, 4, 5),
                fault("length", "one less", D_V2, 6, 0xDF),
                fault("length", "one more", D_V2, 6, 0xE1),
                fault("length", "zero", DECLINE, 6, 0),
                fault("version", "zero", D_V2, 7, 0x06),
                fault("version", "zero in a Decline", DECLINE, 7, 0x00),
                fault("length", "v1 Decline with the length of v2", DECLINE, 7, 0x10),
                fault("IP area offset", "beyond the anchor area", FULL, 39, 41),
                fault("IP area offset", "high byte", FULL, 38, 1),
                fault("IP area offset", "not 40 in v2", FULL, 39, 32),
                fault("count of IPv6 prefixes", "nine in v2", FULL, 87, 9),
                fault("count of IPv6 prefixes", "nine in v1", R_V1, 47, 9),
                fault("count of IPv6 prefixes", "byte 47 of a v2-only Proposal", D_V2, 47, 9),
                fault("IPv6 prefix", "counted but absent", R_V1, 47, 1),
                fault("v2 extension offset", "absent", D_V2, 51, 0),
                fault("v2 extension offset", "too small", D_V2, 51, 27),
                fault("v2 extension offset", "too large", D_V2, 51, 173),
                fault("v2 extension offset", "ignoring the IP area", FULL, 51, 28),
                fault("count of UEIDs", "nine", D_V2, 80, 9),
                fault("SMC-D extension offset", "a UEID more than present", D_V2, 80, 2),
                fault("SMC-D extension offset", "a UEID less than present", D_V2, 80, 0),
                fault("SMC-D extension offset", "absent", D_V2, 87, 0),
                fault("SMC-D extension offset", "beyond 288", D_V2, 86, 0x40),
                fault("count of ISM entries", "nine", D_V2, 81, 9),
                fault("length", "an entry less", D_V2, 81, 1),
                fault("ISM GID", "an entry more", D_V2, 81, 3),
                fault("length", "R v2 only with an SMC-D extension", D_V2, 7, 0x22),
                fault("length", "nothing offered with v2 but an extension", D_V2, 7, 0x2A),
                fault("technologies", "nothing offered with v1", BOTH_V1, 7, 0x12),
                fault("length", "v1 length in v2", ACCEPT_D_V1, 7, 0x21),
                fault("length", "v2 length in v1", REUSE_D, 7, 0x11),
                fault("length", "v2 length in v1, SMC-R", REUSE_R, 7, 0x10),
                fault("length", "SMC-D length as SMC-R", REUSE_D, 7, 0x20),
                fault("technology", "none", REUSE_D, 7, 0x22),
                fault("technology", "both", REUSE_D, 7, 0x23),
                fault("first contact extension", "first contact without extension", REUSE_D, 7, 0x29),
                fault("first contact extension", "first contact without extension, SMC-R", REUSE_R, 7, 0x28),
                fault("max connections", "release 1 with the extension of release 0", RELEASE_0_D, 75, 0x21),
                fault("count of GIDs", "Confirm without GID list", ACCEPT_R, 4, 3),
                fault("count of GIDs", "one more than present", CONFIRM_R, 156, 2),
                fault("count of GIDs", "255", CONFIRM_R, 156, 0xFF));
    }

    private static Arguments fault(String field, String what, ClcMessage message, int index, int value) {
        return Arguments.of(field + ": " + what, message, index, value, field);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void shouldNameTheFieldWhenOneByteIsWrong(String name, ClcMessage message, int index, int value, String field) {
        byte[] bytes = ClcCodec.encode(message);
        bytes[index] = (byte) value;
        ClcException refusal = assertThrows(ClcException.class, () -> ClcCodec.decode(bytes, 0, bytes.length));
        assertEquals(field, refusal.field(), refusal.getMessage());
        assertFalse(refusal.expected().isEmpty());
        String start = "CLC message: " + field + ": expected " + refusal.expected() + ", found ";
        assertTrue(refusal.getMessage().startsWith(start), refusal.getMessage());
    }
}
