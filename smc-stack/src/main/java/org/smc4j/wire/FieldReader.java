package org.smc4j.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Takes fields, in network order, off the front of a message. Reading past the end of the message throws the exception of the
 * codec, never anything else.
 *
 * @param <E> the exception of the codec
 */
public abstract class FieldReader<E extends WireException> {
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private final int start;
    private final int end;
    private int at;

    /** Reads {@code length} bytes from {@code offset} on; both are within the array. */
    protected FieldReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.buffer = ByteBuffer.wrap(bytes);
        this.start = offset;
        this.end = offset + length;
        this.at = offset;
    }

    /** The exception for bytes that end too early. */
    protected abstract E refusal(String field, String expected, String found);

    /** Bytes from the start of the message to the next field. */
    public final int position() {
        return at - start;
    }

    public final int remaining() {
        return end - at;
    }

    public final void skip(int count, String field) throws E {
        advance(count, field);
    }

    public final int u8(String field) throws E {
        return bytes[advance(1, field)] & 0xFF;
    }

    /** The byte at this distance from the start of the message, without moving on. */
    public final int peekU8(int position, String field) throws E {
        if (position >= end - start) {
            throw refusal(field, "a byte at " + position, "a message of " + (end - start) + " bytes");
        }
        return bytes[start + position] & 0xFF;
    }

    public final int u16(String field) throws E {
        return buffer.getShort(advance(2, field)) & 0xFFFF;
    }

    public final int u24(String field) throws E {
        int index = advance(3, field);
        return (bytes[index] & 0xFF) << 16 | buffer.getShort(index + 1) & 0xFFFF;
    }

    public final int i32(String field) throws E {
        return buffer.getInt(advance(4, field));
    }

    public final long u48(String field) throws E {
        int index = advance(6, field);
        return (buffer.getShort(index) & 0xFFFFL) << 32 | buffer.getInt(index + 2) & 0xFFFF_FFFFL;
    }

    public final long i64(String field) throws E {
        return buffer.getLong(advance(8, field));
    }

    /** One character per byte, so that any bytes survive. */
    public final String latin1(int size, String field) throws E {
        return new String(bytes, advance(size, field), size, StandardCharsets.ISO_8859_1);
    }

    private int advance(int count, String field) throws E {
        if (count > end - at) {
            throw refusal(field, count + " bytes at " + position(), "only " + (end - at));
        }
        int index = at;
        at += count;
        return index;
    }
}
