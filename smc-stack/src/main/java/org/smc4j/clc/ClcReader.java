package org.smc4j.clc;

import java.nio.ByteBuffer;

/**
 * Takes fields off the front of a message. Reading past the end of the message is a {@link ClcException}, never
 * anything else.
 */
final class ClcReader {
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private final int start;
    private final int end;
    private int at;

    /** Reads {@code length} bytes from {@code offset} on; both are within the array. */
    ClcReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.buffer = ByteBuffer.wrap(bytes);
        this.start = offset;
        this.end = offset + length;
        this.at = offset;
    }

    /** Bytes from the start of the message to the next field. */
    int position() {
        return at - start;
    }

    int remaining() {
        return end - at;
    }

    void skip(int count, String field) throws ClcException {
        advance(count, field);
    }

    int u8(String field) throws ClcException {
        return bytes[advance(1, field)] & 0xFF;
    }

    /** The byte at this distance from the start of the message, without moving on. */
    int peekU8(int position, String field) throws ClcException {
        if (position >= end - start) {
            throw new ClcException(field, "a byte at " + position, "a message of " + (end - start) + " bytes");
        }
        return bytes[start + position] & 0xFF;
    }

    int u16(String field) throws ClcException {
        return buffer.getShort(advance(2, field)) & 0xFFFF;
    }

    int u24(String field) throws ClcException {
        int index = advance(3, field);
        return (bytes[index] & 0xFF) << 16 | buffer.getShort(index + 1) & 0xFFFF;
    }

    int i32(String field) throws ClcException {
        return buffer.getInt(advance(4, field));
    }

    long i64(String field) throws ClcException {
        return buffer.getLong(advance(8, field));
    }

    Gid gid(String field) throws ClcException {
        int index = advance(16, field);
        return new Gid(buffer.getLong(index), buffer.getLong(index + 8));
    }

    SystemId systemId() throws ClcException {
        return new SystemId(i64("system id"));
    }

    Mac mac() throws ClcException {
        int index = advance(6, "port MAC");
        return new Mac((buffer.getShort(index) & 0xFFFFL) << 32 | buffer.getInt(index + 2) & 0xFFFF_FFFFL);
    }

    Eid eid(String field) throws ClcException {
        return new Eid(PaddedText.read(bytes, advance(PaddedText.SIZE, field)));
    }

    Hostname hostname() throws ClcException {
        return new Hostname(PaddedText.read(bytes, advance(PaddedText.SIZE, "hostname")));
    }

    private int advance(int count, String field) throws ClcException {
        if (count > end - at) {
            throw new ClcException(field, count + " bytes at " + position(), "only " + (end - at));
        }
        int index = at;
        at += count;
        return index;
    }
}
