package org.smc4j.bench.plain;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What the measured programs say to each other.
 *
 * <p>A connection begins with a greeting of {@link #GREETING_SIZE} bytes. Then come messages of one size. A message
 * starts with its sequence number and ends with the complement of it, so a byte lost, added or moved is seen at the
 * next boundary.
 */
public final class Message {
    /** Bytes of the smallest message: header and trailer. */
    public static final int MIN_SIZE = 16;
    /** Bytes of the greeting, and of the receiver's answer to a marked message. */
    public static final int GREETING_SIZE = 16;
    /** Header bit: the receiver answers with its byte count and its clock, once it has this message whole. */
    public static final long MARK = Long.MIN_VALUE;

    private static final int MAGIC = 0x42454E43;

    /** What the server does with the messages of a connection. */
    public enum Purpose {
        /** Sends every message back. */
        ECHO,
        /** Checks every message and answers only the marked ones. */
        SINK
    }

    /** A connection's first bytes, decoded. */
    record Greeting(Purpose purpose, int size) {
    }

    private Message() {
    }

    /** Writes the sequence number (and perhaps {@link #MARK}) at both ends of a message that fills its buffer. */
    public static void stamp(ByteBuffer message, long header) {
        message.putLong(0, header);
        message.putLong(message.capacity() - Long.BYTES, ~header);
    }

    /** Fails unless the first {@code size} bytes of the buffer are the message with this header. */
    public static void check(ByteBuffer message, int size, long header) throws IOException {
        if (message.getLong(0) != header || message.getLong(size - Long.BYTES) != ~header) {
            throw new IOException("message " + header + " of " + size + " bytes arrived damaged");
        }
    }

    static ByteBuffer greeting(Purpose purpose, int size) {
        return ByteBuffer.allocate(GREETING_SIZE).putInt(MAGIC).putInt(purpose.ordinal()).putInt(size).putInt(0).flip();
    }

    static Greeting greeting(ByteBuffer bytes) throws IOException {
        if (bytes.getInt(0) != MAGIC || bytes.getInt(8) < MIN_SIZE) {
            throw new IOException("not a greeting");
        }
        return new Greeting(Purpose.values()[bytes.getInt(4)], bytes.getInt(8));
    }
}
