package org.smc4j.clc;

import java.util.ArrayList;
import java.util.List;

/**
 * Accept and Confirm between header and trailer (spec page 10, sections 4 to 6). From version 2 on a message may be
 * longer than what is known here: as in the kernel, the rest is ignored.
 */
final class AcceptConfirmCodec {
    private static final int R_BODY_V1 = 56;
    private static final int R_BODY_V2 = 96;
    private static final int D_BODY_V1 = 36;
    private static final int D_BODY_V2 = 66;
    private static final int GID_LIST_HEADER = 4;
    private static final int GID_SIZE = 16;
    private static final int V2_DIRECT = 0x80;

    private AcceptConfirmCodec() {
    }

    static ClcAcceptConfirm decode(ClcReader in, ClcType type, int version, boolean firstContact,
                                   ClcTechnologies technology) throws ClcException {
        return switch (technology) {
            case SMCR -> {
                requireSize(in, version, R_BODY_V1, R_BODY_V2);
                yield decodeR(in, type, version, firstContact);
            }
            case SMCD -> {
                requireSize(in, version, D_BODY_V1, D_BODY_V2);
                yield decodeD(in, type, version, firstContact);
            }
            default -> throw new ClcException("technology", "0 (SMC-R) or 1 (SMC-D)", technology.code());
        };
    }

    private static void requireSize(ClcReader in, int version, int bodyV1, int bodyV2) throws ClcException {
        int overhead = ClcCodec.HEADER_SIZE + ClcCodec.TRAILER_SIZE;
        int found = in.remaining();
        if (version == ClcMessage.VERSION_1 ? found != bodyV1 : found < bodyV2) {
            String expected = version == ClcMessage.VERSION_1 ? Integer.toString(bodyV1 + overhead)
                    : "at least " + (bodyV2 + overhead);
            throw new ClcException("length", expected, found + overhead);
        }
    }

    private static ClcAcceptConfirmR decodeR(ClcReader in, ClcType type, int version, boolean firstContact)
            throws ClcException {
        SystemId systemId = in.systemId();
        Gid gid = in.gid("link GID");
        Mac mac = in.mac();
        int qpNumber = in.u24("QP number");
        int rkey = in.i32("RMB rkey");
        int rmbeIndex = in.u8("RMBE index");
        int alertToken = in.i32("alert token");
        int sizeAndMtu = in.u8("RMBE size and MTU");
        in.skip(1, "reserved");
        long rmbAddress = in.i64("RMB address");
        in.skip(1, "reserved");
        int initialPsn = in.u24("initial PSN");
        ClcAcceptConfirmR.V2 v2 = null;
        if (version > ClcMessage.VERSION_1) {
            Eid eid = in.eid("EID");
            in.skip(8, "reserved");
            FirstContactExtension extension = firstContact ? decodeFirstContact(in, true) : null;
            List<Gid> gids = firstContact && type == ClcType.CONFIRM ? gidList(in) : List.of();
            v2 = new ClcAcceptConfirmR.V2(eid, extension, gids);
        }
        return new ClcAcceptConfirmR(type, version, firstContact, systemId, gid, mac, qpNumber, rkey, rmbeIndex,
                alertToken, sizeAndMtu >>> 4, sizeAndMtu & 0xF, rmbAddress, initialPsn, v2);
    }

    private static List<Gid> gidList(ClcReader in) throws ClcException {
        int count = in.u8("count of GIDs");
        in.skip(3, "reserved");
        if (in.remaining() < count * GID_SIZE) {
            throw new ClcException("count of GIDs", "at most " + in.remaining() / GID_SIZE, count);
        }
        List<Gid> gids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            gids.add(in.gid("GID"));
        }
        return gids;
    }

    private static ClcAcceptConfirmD decodeD(ClcReader in, ClcType type, int version, boolean firstContact)
            throws ClcException {
        long gid = in.i64("GID");
        long dmbToken = in.i64("DMB token");
        int dmbeIndex = in.u8("DMBE index");
        int sizeCode = in.u8("DMBE size") >>> 4;
        in.skip(2, "reserved");
        int linkGroupId = in.i32("link group id");
        ClcAcceptConfirmD.V2 v2 = null;
        if (version > ClcMessage.VERSION_1) {
            int chid = in.u16("CHID");
            Eid eid = in.eid("EID");
            long gidExtension = in.i64("GID extension");
            v2 = new ClcAcceptConfirmD.V2(chid, eid, gidExtension, firstContact ? decodeFirstContact(in, false) : null);
        }
        return new ClcAcceptConfirmD(type, version, firstContact, gid, dmbToken, dmbeIndex, sizeCode, linkGroupId, v2);
    }

    private static FirstContactExtension decodeFirstContact(ClcReader in, boolean always52) throws ClcException {
        int flags = in.u8("first contact extension");
        int osAndRelease = in.u8("OS type and release");
        int release = osAndRelease & 0xF;
        in.skip(2, "reserved");
        Hostname hostname = in.hostname();
        int maxConnections = 0;
        int maxLinks = 0;
        int featureMask = 0;
        if (always52 || release > 0) {
            maxConnections = in.u8("max connections");
            maxLinks = in.u8("max links");
            featureMask = in.u16("feature mask");
            in.skip(12, "vendor options");
        }
        return new FirstContactExtension((flags & V2_DIRECT) != 0, osAndRelease >>> 4, release, hostname,
                maxConnections, maxLinks, featureMask);
    }

    static int bodySize(ClcAcceptConfirmR answer) {
        if (answer.v2() == null) {
            return R_BODY_V1;
        }
        if (answer.v2().firstContact() == null) {
            return R_BODY_V2;
        }
        int size = R_BODY_V2 + FirstContactExtension.SIZE;
        return answer.type() == ClcType.ACCEPT ? size : size + GID_LIST_HEADER + GID_SIZE * answer.v2().gids().size();
    }

    static int bodySize(ClcAcceptConfirmD answer) {
        if (answer.v2() == null) {
            return D_BODY_V1;
        }
        FirstContactExtension extension = answer.v2().firstContact();
        if (extension == null) {
            return D_BODY_V2;
        }
        return D_BODY_V2
                + (extension.release() == 0 ? FirstContactExtension.SIZE_RELEASE_0 : FirstContactExtension.SIZE);
    }

    static void encode(ClcAcceptConfirmR answer, ClcWriter out) {
        out.i64(answer.systemId().value());
        out.gid(answer.gid());
        out.mac(answer.mac());
        out.u24(answer.qpNumber());
        out.i32(answer.rkey());
        out.u8(answer.rmbeIndex());
        out.i32(answer.alertToken());
        out.u8(answer.sizeCode() << 4 | answer.mtuCode());
        out.zeros(1);
        out.i64(answer.rmbAddress());
        out.zeros(1);
        out.u24(answer.initialPsn());
        ClcAcceptConfirmR.V2 v2 = answer.v2();
        if (v2 == null) {
            return;
        }
        out.text(v2.eid().text());
        out.zeros(8);
        if (v2.firstContact() == null) {
            return;
        }
        encode(v2.firstContact(), true, out);
        if (answer.type() == ClcType.CONFIRM) {
            out.u8(v2.gids().size());
            out.zeros(3);
            for (Gid gid : v2.gids()) {
                out.gid(gid);
            }
        }
    }

    static void encode(ClcAcceptConfirmD answer, ClcWriter out) {
        out.i64(answer.gid());
        out.i64(answer.dmbToken());
        out.u8(answer.dmbeIndex());
        out.u8(answer.sizeCode() << 4);
        out.zeros(2);
        out.i32(answer.linkGroupId());
        ClcAcceptConfirmD.V2 v2 = answer.v2();
        if (v2 == null) {
            out.zeros(12);
            return;
        }
        out.u16(v2.chid());
        out.text(v2.eid().text());
        out.i64(v2.gidExtension());
        if (v2.firstContact() != null) {
            encode(v2.firstContact(), false, out);
        }
    }

    private static void encode(FirstContactExtension extension, boolean always52, ClcWriter out) {
        out.u8(extension.v2Direct() ? V2_DIRECT : 0);
        out.u8(extension.osType() << 4 | extension.release());
        out.zeros(2);
        out.text(extension.hostname().text());
        if (always52 || extension.release() > 0) {
            out.u8(extension.maxConnections());
            out.u8(extension.maxLinks());
            out.u16(extension.featureMask());
            out.zeros(12);
        }
    }
}
