package org.smc4j.wire;

import java.nio.ByteBuffer;

/** Appends fields, in network order, to a message whose length is known. */
public class FieldWriter {
    private final ByteBuffer buffer;

    public FieldWriter(int length) {
        buffer = ByteBuffer.allocate(length);
    }

    public final void zeros(int count) {
        buffer.position(buffer.position() + count);
    }

    public final void u8(int value) {
        buffer.put((byte) value);
    }

    public final void u16(int value) {
        buffer.putShort((short) value);
    }

    public final void u24(int value) {
        buffer.put((byte) (value >>> 16)).putShort((short) value);
    }

    public final void i32(int value) {
        buffer.putInt(value);
    }

    public final void u48(long value) {
        buffer.putShort((short) (value >>> 32)).putInt((int) value);
    }

    public final void i64(long value) {
        buffer.putLong(value);
    }

    /** Zeros up to the end of the message. */
    public final void zerosToTheEnd() {
        buffer.position(buffer.limit());
    }

    /** The finished message. */
    public final byte[] bytes() {
        if (buffer.hasRemaining()) {
            throw new IllegalStateException(buffer.remaining() + " bytes of the message not written");
        }
        return buffer.array();
    }
}
