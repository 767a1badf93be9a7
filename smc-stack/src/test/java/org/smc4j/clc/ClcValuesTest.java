package org.smc4j.clc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class ClcValuesTest {
    @ParameterizedTest
    @ValueSource(strings = {"A", "0", "SPEC-EXAMPLE", "A.B-C.9", "A-", "A.",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345", "A   "})
    void shouldAcceptUeidWhenItFollowsTheSyntax(String text) {
        assertTrue(Eid.isUeid(text));
        assertEquals(text.strip(), Eid.ueid(text).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " A", "a", ".A", "-A", "A B", "Aa", "A_B", "A..B", "A\0", "\u00c4", "A\u0391",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456"})
    void shouldRefuseUeidWhenItBreaksTheSyntax(String text) {
        assertFalse(Eid.isUeid(text));
        assertThrows(IllegalArgumentException.class, () -> Eid.ueid(text));
    }

    @Test
    void shouldBeEqualWhenOnlyThePaddingDiffers() {
        assertEquals(new Eid("A"), new Eid("A  "));
        assertEquals(new Eid("A").hashCode(), new Eid("A  ").hashCode());
        assertNotEquals(new Eid("A"), new Eid("A\0"));
        assertEquals(new Gid(1, 2), new Gid(1, 2));
        assertEquals(new Gid(1, 2).hashCode(), new Gid(1, 2).hashCode());
        assertNotEquals(new Gid(1, 2), new Gid(2, 1));
    }

    @Test
    void shouldPrintHexAndPrintableTextOnly() {
        assertEquals("0000000000000001ffffffffffffffff", new Gid(1, -1).toString());
        assertEquals("00000000000000ff", new SystemId(255).toString());
        assertEquals("c2f4f986fb46", Samples.MAC.toString());
        assertEquals("A?[31m", new Eid("A\u001b[31m").toString());
        assertEquals("none", Eid.NONE.toString());
        assertEquals("h?st", new Hostname("h\nst").toString());
    }

    @Test
    void shouldMakeAnyNameFitWhenHostnameIsTooLongOrNotAscii() {
        assertEquals("h?st", Hostname.of("h\u00f6st").text());
        assertEquals("x".repeat(32), Hostname.of("x".repeat(64)).text());
    }

    @Test
    void shouldRefuseWhenFieldsDoNotFitTheirBits() {
        List<Executable> wrong = List.of(
                () -> new Mac(1L << 48), () -> new Mac(-1), () -> new Eid("x".repeat(33)), () -> new Eid("\u0391"),
                () -> new IsmEntry(0, 0x10000), () -> new IsmDevice(Gid.NONE, -1),
                () -> new IpArea(0, 256, List.of()), () -> new IpArea.Ipv6Prefix(0, 0, -1),
                () -> ClcProposal.smcdV2(Samples.GID, 0xFEFF, List.of(Samples.EID)),
                () -> ClcProposal.smcdV2(Samples.GID, 0xFFFF, Collections.nCopies(9, Samples.EID)),
                () -> ClcAcceptConfirmD.smcdV2(ClcType.DECLINE, Samples.GID, 0xFFFF, Samples.EID, 1, 0, 1, null),
                () -> ClcAcceptConfirmD.smcdV2(ClcType.ACCEPT, Samples.GID, 0xFFFF, Samples.EID, 1, 16, 1, null),
                () -> ClcAcceptConfirmD.smcdV2(ClcType.ACCEPT, Samples.GID, 0x100, Samples.EID, 1, 0, 1, null),
                () -> new ClcAcceptConfirmD.V2(0, Samples.EID, 0,
                        new FirstContactExtension(false, 2, 0, Samples.HOST, 0, 0, 1)),
                () -> Samples.answerR(ClcType.ACCEPT, 2, Samples.extension(1), Samples.GID),
                () -> Samples.answerR(ClcType.CONFIRM, 2, null, Samples.GID),
                () -> new ClcDecline(1, false, SystemId.NONE, 0, 0, List.of(0)),
                () -> new ClcDecline(2, false, SystemId.NONE, 0, 0, List.of()),
                () -> new ClcDecline(16, false, SystemId.NONE, 0, 0, List.of(0, 0, 0, 0)));
        for (int i = 0; i < wrong.size(); i++) {
            assertThrows(IllegalArgumentException.class, wrong.get(i), "case " + i);
        }
    }

    @Test
    void shouldRefuseProposalWhenAreasDoNotMatchTheOffer() {
        IpArea area = Samples.fullProposal().ipArea();
        V2Extension withD = Samples.fullProposal().v2Extension();
        List<Executable> wrong = List.of(
                () -> proposal(2, ClcTechnologies.NONE, ClcTechnologies.BOTH, IsmEntry.NONE, area, withD),
                () -> proposal(2, ClcTechnologies.SMCR, ClcTechnologies.BOTH, IsmEntry.NONE, null, withD),
                () -> proposal(2, ClcTechnologies.SMCR, ClcTechnologies.BOTH, IsmEntry.NONE, area, null),
                () -> proposal(2, ClcTechnologies.SMCR, ClcTechnologies.SMCR, IsmEntry.NONE, area, withD),
                () -> proposal(2, ClcTechnologies.SMCR, ClcTechnologies.NONE, null, area, null),
                () -> proposal(1, ClcTechnologies.NONE, ClcTechnologies.NONE, IsmEntry.NONE, null, null),
                () -> proposal(1, ClcTechnologies.SMCR, ClcTechnologies.BOTH, null, area, withD),
                () -> proposal(2, ClcTechnologies.NONE, ClcTechnologies.BOTH, new IsmEntry(9, 1), null, withD));
        for (int i = 0; i < wrong.size(); i++) {
            assertThrows(IllegalArgumentException.class, wrong.get(i), "case " + i);
        }
    }

    private static ClcProposal proposal(int version, ClcTechnologies typeV1, ClcTechnologies typeV2, IsmEntry ismV1,
                                        IpArea area, V2Extension extension) {
        return new ClcProposal(version, typeV1, typeV2, SystemId.NONE, Gid.NONE, Mac.NONE, ismV1, area, extension);
    }
}
