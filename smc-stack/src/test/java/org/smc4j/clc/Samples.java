package org.smc4j.clc;

import java.util.List;
import java.util.stream.IntStream;

/** Messages of every shape, made by hand; those of spec page 10, section 12, also as bytes. */
final class Samples {
    static final Gid GID = new Gid(0x1011121314151617L, 0x18191a1b1c1d1e1fL);
    static final Eid EID = Eid.ueid("SPEC-EXAMPLE");
    static final SystemId SYSTEM_ID = new SystemId(0x5553455250454552L);
    static final Mac MAC = new Mac(0xc2f4f986fb46L);
    static final Hostname HOST = Hostname.of("host");

    static final String SPEC_PROPOSAL = """
            e2d4c3d90100e026000000000000000000000000000000000000000000000000
            000000000000000000000000000000000000001c000000000000000000000000
            0000000000000000000000000000000001020010000000400000000000000000
            000000000000000000000001000000000000000000000000535045432d455841
            4d504c4520202020202020202020202020202020202020200000000000000000
            0000000000000000000000000000000000000000000000000000000000000000
            00000000000000001011121314151617ff0118191a1b1c1d1e1fff01e2d4c3d9
            """.replace("\n", "");
    static final String SPEC_ACCEPT = """
            e2d4c3c402008229101112131415161711223344556677880020000000010000
            ff01535045432d4558414d504c45202020202020202020202020202020202020
            202018191a1b1c1d1e1f00210000686f73742020202020202020202020202020
            202020202020202020202020202000000001000000000000000000000000e2d4
            c3c4
            """.replace("\n", "");
    static final String SPEC_DECLINE = """
            e2d4c3d904002c20000000000000000003030007200000000000000000000000
            0000000000000000e2d4c3d9
            """.replace("\n", "");

    private Samples() {
    }

    static ClcProposal specProposal() {
        return ClcProposal.smcdV2(GID, 0xFF01, List.of(EID));
    }

    static ClcAcceptConfirmD specAccept() {
        return ClcAcceptConfirmD.smcdV2(ClcType.ACCEPT, GID, 0xFF01, EID, 0x1122334455667788L, 2, 0x00010000,
                FirstContactExtension.smcd(HOST, ClcMessage.FEATURE_EMULATED_ISM));
    }

    /** Every area there is, each as large as it may be: 652 bytes. */
    static ClcProposal fullProposal() {
        List<IpArea.Ipv6Prefix> prefixes =
                IntStream.range(0, 8).mapToObj(i -> new IpArea.Ipv6Prefix(0xfd00000800000000L + i, i, 64 + i)).toList();
        List<Eid> ueids = IntStream.range(0, 8).mapToObj(i -> Eid.ueid("UEID-" + i)).toList();
        List<IsmEntry> entries =
                IntStream.range(0, 8).mapToObj(i -> new IsmEntry(0x8000000000000000L + i, 0x100 + i)).toList();
        return new ClcProposal(2, ClcTechnologies.BOTH, ClcTechnologies.BOTH, SYSTEM_ID, GID, MAC,
                new IsmEntry(0xfedcba9876543210L, 0x7ff), new IpArea(0, 0, prefixes),
                new V2Extension(ueids, 1, true, GID, 255, 2, 0x8001,
                        new SmcdV2Extension(new Eid("IBM-SYSZ-ISMSEID00000000ABCD3906"), entries)));
    }

    /** A version-1 client; without a device it sends no anchor area. */
    static ClcProposal v1Proposal(ClcTechnologies typeV1, IsmEntry ismV1) {
        return new ClcProposal(1, typeV1, ClcTechnologies.SMCR, SYSTEM_ID, GID, MAC, ismV1,
                new IpArea(0x0a080000, 24, List.of()), null);
    }

    static ClcAcceptConfirmD answerD(ClcType type, int version, FirstContactExtension extension) {
        ClcAcceptConfirmD.V2 v2 = version == 1 ? null : new ClcAcceptConfirmD.V2(0xFFFF, EID, GID.low(), extension);
        return new ClcAcceptConfirmD(type, version, version == 1 || extension != null, GID.high(), -2, 255, 15, -1, v2);
    }

    static ClcAcceptConfirmR answerR(ClcType type, int version, FirstContactExtension extension, Gid... gids) {
        ClcAcceptConfirmR.V2 v2 = version == 1 ? null : new ClcAcceptConfirmR.V2(EID, extension, List.of(gids));
        return new ClcAcceptConfirmR(type, version, version == 1 || extension != null, SYSTEM_ID, GID, MAC, 0xFFFFFE,
                -3, 255, -4, 15, 5, -5, 0xFFFFFD, v2);
    }

    static FirstContactExtension extension(int release) {
        return new FirstContactExtension(true, 1, release, HOST, release == 0 ? 0 : 255, release * 2, release * 0xFFFE);
    }

    /** One of each shape. */
    static List<ClcMessage> all() {
        return List.of(
                specProposal(), fullProposal(),
                v1Proposal(ClcTechnologies.SMCR, null), v1Proposal(ClcTechnologies.BOTH, new IsmEntry(-6, 0xFFFF)),
                specAccept(),
                answerD(ClcType.ACCEPT, 1, null), answerD(ClcType.CONFIRM, 2, null),
                answerD(ClcType.CONFIRM, 2, extension(0)),
                answerD(ClcType.ACCEPT, 3, extension(1)),
                answerR(ClcType.CONFIRM, 1, null), answerR(ClcType.ACCEPT, 2, null),
                answerR(ClcType.ACCEPT, 2, extension(0)),
                answerR(ClcType.CONFIRM, 2, extension(1), GID, Gid.NONE), answerR(ClcType.CONFIRM, 15, extension(1)),
                ClcDecline.v2(0x03030007),
                new ClcDecline(1, false, SYSTEM_ID, -7, 0, List.of()),
                new ClcDecline(2, true, SYSTEM_ID, 0x04000000, 15, List.of(1, -2, 3, Integer.MIN_VALUE)));
    }
}
