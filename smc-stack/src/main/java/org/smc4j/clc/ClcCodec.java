package org.smc4j.clc;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Turns CLC messages into bytes and back (spec page 10). For everything that a kernel sends, {@code encode(decode(x))}
 * is {@code x}; for every message, {@code decode(encode(m))} equals {@code m}.
 */
public final class ClcCodec {
    /** The bytes before the fields of a message: enough to know its length. */
    public static final int HEADER_SIZE = 8;
    static final int TRAILER_SIZE = 4;

    /** "SMCR" in EBCDIC. */
    private static final int EYECATCHER_R = 0xE2D4C3D9;
    /** "SMCD" in EBCDIC. */
    private static final int EYECATCHER_D = 0xE2D4C3C4;
    /** First contact in Accept and Confirm, out of sync in Decline. */
    private static final int FLAG = 0x08;
    private static final int DECLINE_SIZE_V1 = 28;
    private static final int DECLINE_SIZE_V2 = 44;

    private ClcCodec() {
    }

    /**
     * The message that these bytes are, no byte more or less.
     *
     * @throws ClcException              for anything that is not a valid message; nothing else is thrown because of the
     *                                   bytes
     * @throws IndexOutOfBoundsException if offset and length are not within the array
     */
    public static ClcMessage decode(byte[] bytes, int offset, int length) throws ClcException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        ClcReader in = new ClcReader(bytes, offset, length);
        requireEyecatcher("eyecatcher", in.i32("eyecatcher"));
        int code = in.u8("type");
        ClcType type = ClcType.of(code);
        if (type == null) {
            throw new ClcException("type", "1 to 4", code);
        }
        int declared = in.u16("length");
        if (declared != length) {
            throw new ClcException("length", length + ", the size of the message", declared);
        }
        int flags = in.u8("version");
        int version = flags >>> 4;
        if (version < ClcMessage.VERSION_1) {
            throw new ClcException("version", "1 or more", version);
        }
        if (type == ClcType.DECLINE) {
            return decodeDecline(in, length, version, (flags & FLAG) != 0);
        }
        if (length < HEADER_SIZE + TRAILER_SIZE) {
            throw new ClcException("length", "header and trailer", length);
        }
        ClcReader body = new ClcReader(bytes, offset, length - TRAILER_SIZE);
        body.skip(HEADER_SIZE, "header");
        ClcMessage message;
        if (type == ClcType.PROPOSAL) {
            message = ProposalCodec.decode(body, version, ClcTechnologies.of(flags), ClcTechnologies.of(flags >>> 2));
        } else {
            message = AcceptConfirmCodec.decode(body, type, version, (flags & FLAG) != 0, ClcTechnologies.of(flags));
        }
        requireEyecatcher("trailer", new ClcReader(bytes, offset + length - TRAILER_SIZE, TRAILER_SIZE).i32("trailer"));
        return message;
    }

    /** The bytes of a message, as Linux would send it. */
    public static byte[] encode(ClcMessage message) {
        if (message instanceof ClcProposal proposal) {
            ClcWriter out = begin(proposal, EYECATCHER_R, ProposalCodec.bodySize(proposal),
                    proposal.typeV2().code() << 2 | proposal.typeV1().code());
            ProposalCodec.encode(proposal, out);
            return end(out, EYECATCHER_R);
        }
        if (message instanceof ClcAcceptConfirmD answer) {
            ClcWriter out = begin(answer, EYECATCHER_D, AcceptConfirmCodec.bodySize(answer),
                    flag(answer.firstContact()) | ClcTechnologies.SMCD.code());
            AcceptConfirmCodec.encode(answer, out);
            return end(out, EYECATCHER_D);
        }
        if (message instanceof ClcAcceptConfirmR answer) {
            ClcWriter out = begin(answer, EYECATCHER_R, AcceptConfirmCodec.bodySize(answer),
                    flag(answer.firstContact()) | ClcTechnologies.SMCR.code());
            AcceptConfirmCodec.encode(answer, out);
            return end(out, EYECATCHER_R);
        }
        return encodeDecline((ClcDecline) message);
    }

    private static ClcWriter begin(ClcMessage message, int eyecatcher, int bodySize, int flags) {
        int length = HEADER_SIZE + bodySize + TRAILER_SIZE;
        ClcWriter out = new ClcWriter(length);
        out.i32(eyecatcher);
        out.u8(message.type().code());
        out.u16(length);
        out.u8(message.version() << 4 | flags);
        return out;
    }

    private static byte[] end(ClcWriter out, int eyecatcher) {
        out.i32(eyecatcher);
        return out.bytes();
    }

    private static int flag(boolean set) {
        return set ? FLAG : 0;
    }

    private static void requireEyecatcher(String field, int value) throws ClcException {
        if (value != EYECATCHER_R && value != EYECATCHER_D) {
            throw new ClcException(field, "e2d4c3d9 or e2d4c3c4", Integer.toHexString(value));
        }
    }

    private static int declineSize(int version) {
        return version == ClcMessage.VERSION_1 ? DECLINE_SIZE_V1 : DECLINE_SIZE_V2;
    }

    // The trailer is not looked at: the kernel does not either, and a Decline is the last thing to be picky about.
    private static ClcDecline decodeDecline(ClcReader in, int length, int version, boolean outOfSync)
            throws ClcException {
        if (length != declineSize(version)) {
            throw new ClcException("length", declineSize(version) + " for a Decline of version " + version, length);
        }
        SystemId systemId = in.systemId();
        int diagnosis = in.i32("diagnosis");
        int osType = in.u8("OS type") >>> 4;
        in.skip(3, "reserved");
        int count = version == ClcMessage.VERSION_1 ? 0 : ClcDecline.ADDITIONAL;
        List<Integer> additional = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            additional.add(in.i32("additional diagnosis"));
        }
        return new ClcDecline(version, outOfSync, systemId, diagnosis, osType, additional);
    }

    private static byte[] encodeDecline(ClcDecline decline) {
        int bodySize = declineSize(decline.version()) - HEADER_SIZE - TRAILER_SIZE;
        ClcWriter out = begin(decline, EYECATCHER_R, bodySize, flag(decline.outOfSync()));
        out.i64(decline.systemId().value());
        out.i32(decline.diagnosis());
        out.u8(decline.osType() << 4);
        out.zeros(3);
        for (int diagnosis : decline.additionalDiagnoses()) {
            out.i32(diagnosis);
        }
        return end(out, EYECATCHER_R);
    }
}
