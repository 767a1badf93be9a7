package org.smc4j.cdc;

import java.nio.ByteOrder;

import org.smc4j.wire.FieldReader;

/** Takes fields off the front of a CDC message. */
final class CdcReader extends FieldReader<CdcException> {
    CdcReader(byte[] bytes, int offset, int length) {
        super(bytes, offset, length);
    }

    @Override
    protected CdcException refusal(String field, String expected, String found) {
        return new CdcException(field, expected, found);
    }

    void type() throws CdcException {
        int type = u8("type");
        if (type != CdcCodec.TYPE) {
            throw refusal("type", Integer.toString(CdcCodec.TYPE), Integer.toString(type));
        }
    }

    /** In network order, behind two reserved bytes. */
    Cursor cursor(String name) throws CdcException {
        skip(2, "reserved");
        return cursor(name, ByteOrder.BIG_ENDIAN);
    }

    Cursor cursor(String name, ByteOrder order) throws CdcException {
        int wrap = u16(name + " wrap");
        int count = i32(name + " count");
        if (order == ByteOrder.LITTLE_ENDIAN) {
            wrap = Short.toUnsignedInt(Short.reverseBytes((short) wrap));
            count = Integer.reverseBytes(count);
        }
        return new Cursor(wrap, Integer.toUnsignedLong(count));
    }
}
