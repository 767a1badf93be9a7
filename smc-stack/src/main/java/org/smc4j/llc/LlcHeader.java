package org.smc4j.llc;

import java.nio.ByteOrder;

import org.smc4j.wire.FieldWriter;

/**
 * The four bytes before the fields of a message (spec/20-llc.md §2).
 *
 * @param rejectReason bits 3–0 of byte 2; version 2 has none, for its length takes the place
 * @param writerOrder  the byte order of the writer, in which version 2 has its length and the count of rkeys
 */
record LlcHeader(LlcType type, int version, int rejectReason, int flags, ByteOrder writerOrder) {
    static final int RESPONSE = 0x80;
    static final int SIZE = 4;

    /** Ours: that of the machines we run on. */
    private static final ByteOrder OWN_ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int VERSION_NIBBLE_1 = 0;
    private static final int VERSION_NIBBLE_2 = 2;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    boolean response() {
        return has(RESPONSE);
    }

    /** Takes the header of a message of {@code length} bytes, at least {@link LlcCodec#SIZE}. */
    static LlcHeader read(LlcReader in, int length) throws LlcException {
        int code = in.u8("type");
        int version = switch (code >>> 4) {
            case VERSION_NIBBLE_1 -> LlcMessage.VERSION_1;
            case VERSION_NIBBLE_2 -> LlcMessage.VERSION_2;
            default -> throw new LlcException("type", "version 0 or 2 in the high nibble", code >>> 4);
        };
        LlcType type = LlcType.of(code & 0xF);
        if (type == null || !type.existsIn(version)) {
            throw new LlcException("type", "a type of version " + version, code & 0xF);
        }
        if (version == LlcMessage.VERSION_1) {
            int declared = in.u8("length");
            if (declared != LlcCodec.SIZE || length != LlcCodec.SIZE) {
                throw new LlcException("length", LlcCodec.SIZE + " in version 1", declared + " in " + length + " bytes");
            }
            int rejectReason = in.u8("reject reason") & 0xF;
            return new LlcHeader(type, version, rejectReason, in.u8("flags"), ByteOrder.BIG_ENDIAN);
        }
        int declared = in.u16("length");
        return new LlcHeader(type, version, 0, in.u8("flags"), writerOrder(declared, length));
    }

    /** The order in which the declared length, read in network order, is the length of the message. */
    private static ByteOrder writerOrder(int declared, int length) throws LlcException {
        if (reverse(declared) == length) {
            return ByteOrder.LITTLE_ENDIAN;
        }
        if (declared == length) {
            return ByteOrder.BIG_ENDIAN;
        }
        throw new LlcException("length", length + ", the size of the message", reverse(declared));
    }

    /** Starts a message of {@code length} bytes with our header. */
    static FieldWriter write(LlcMessage message, int rejectReason, int flags, int length) {
        FieldWriter out = new FieldWriter(length);
        boolean version1 = message.version() == LlcMessage.VERSION_1;
        out.u8((version1 ? VERSION_NIBBLE_1 : VERSION_NIBBLE_2) << 4 | message.type().code());
        if (version1) {
            out.u8(length);
            out.u8(rejectReason);
        } else {
            out.u16(u16InOwnOrder(length));
        }
        out.u8(flags | (message.response() ? RESPONSE : 0));
        return out;
    }

    /** What a 16-bit field, read in network order, means to its writer. */
    int u16InWriterOrder(int value) {
        return inOrder(writerOrder, value);
    }

    /** How our 16-bit field is written in network order. */
    static int u16InOwnOrder(int value) {
        return inOrder(OWN_ORDER, value);
    }

    private static int inOrder(ByteOrder order, int value) {
        return order == ByteOrder.BIG_ENDIAN ? value : reverse(value);
    }

    private static int reverse(int u16) {
        return Short.reverseBytes((short) u16) & 0xFFFF;
    }
}
