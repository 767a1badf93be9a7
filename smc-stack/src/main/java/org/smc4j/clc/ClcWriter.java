package org.smc4j.clc;

import java.nio.ByteBuffer;

/** Appends fields to a message whose length is known. */
final class ClcWriter {
    private final ByteBuffer buffer;

    ClcWriter(int length) {
        buffer = ByteBuffer.allocate(length);
    }

    void zeros(int count) {
        buffer.position(buffer.position() + count);
    }

    void u8(int value) {
        buffer.put((byte) value);
    }

    void u16(int value) {
        buffer.putShort((short) value);
    }

    void u24(int value) {
        buffer.put((byte) (value >>> 16)).putShort((short) value);
    }

    void i32(int value) {
        buffer.putInt(value);
    }

    void i64(long value) {
        buffer.putLong(value);
    }

    void gid(Gid gid) {
        buffer.putLong(gid.high()).putLong(gid.low());
    }

    void mac(Mac mac) {
        buffer.putShort((short) (mac.value() >>> 32)).putInt((int) mac.value());
    }

    /** A text field, blank padded. */
    void text(String text) {
        PaddedText.write(text, buffer.array(), buffer.position());
        zeros(PaddedText.SIZE);
    }

    /** The finished message. */
    byte[] bytes() {
        if (buffer.hasRemaining()) {
            throw new IllegalStateException(buffer.remaining() + " bytes of the message not written");
        }
        return buffer.array();
    }
}
