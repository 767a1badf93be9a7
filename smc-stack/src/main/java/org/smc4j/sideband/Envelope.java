package org.smc4j.sideband;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.smc4j.carrier.FourTuple;

/**
 * One message on the sideband, in network order: magic (4), version (1), type (1), two zero bytes, handshake id (8), 4-tuple
 * (36), payload length (2), payload. The payload of a CLC type is that CLC message, byte for byte; READY has none.
 *
 * @param id chosen by the client of the handshake, unique on its sideband connection
 */
record Envelope(Type type, long id, FourTuple tuple, byte[] payload) {
    /** What a message is; CHECK asks what the answer to a Proposal would be, STATUS asks for the sockets of the process. */
    enum Type {
        PROPOSAL(1, 0), ACCEPT(2, 2), CONFIRM(3, 2), DECLINE(4, 0), READY(5, 0), CHECK(6, 0), STATUS(7, 0), REPORT(8, 0);

        private static final Type[] ALL = values();
        final int code;
        /** How many descriptors come with it: a DMB and a doorbell, or none. */
        final int descriptors;

        Type(int code, int descriptors) {
            this.code = code;
            this.descriptors = descriptors;
        }

        static Type of(int code) {
            return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
        }
    }

    /** The peer does not speak this protocol, or lies about a length. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message, null, false, false);
        }
    }

    static final int HEADER_SIZE = 18 + FourTuple.ENCODED_SIZE;
    private static final int MAGIC = 0x534D4334;
    private static final byte VERSION = 1;
    private static final FourTuple NO_TUPLE = new FourTuple(new byte[4], 0, new byte[4], 0);

    static Envelope withoutConnection(Type type, byte[] payload) {
        return new Envelope(type, 0, NO_TUPLE, payload);
    }

    byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_SIZE + payload.length);
        buffer.putInt(MAGIC).put(VERSION).put((byte) type.code).putShort((short) 0).putLong(id);
        tuple.encode(buffer);
        buffer.putShort((short) payload.length).put(payload);
        return buffer.array();
    }

    static Envelope decode(ByteBuffer buffer) throws MalformedException {
        if (buffer.remaining() < HEADER_SIZE) {
            throw new MalformedException("shorter than an envelope: " + buffer.remaining() + " bytes");
        }
        int magic = buffer.getInt();
        byte version = buffer.get();
        if (magic != MAGIC || version != VERSION) {
            throw new MalformedException("magic " + Integer.toHexString(magic) + ", version " + version);
        }
        int code = buffer.get();
        Type type = Type.of(code);
        if (type == null) {
            throw new MalformedException("type " + code);
        }
        buffer.getShort();
        long id = buffer.getLong();
        FourTuple tuple = FourTuple.decode(buffer);
        int length = Short.toUnsignedInt(buffer.getShort());
        if (length != buffer.remaining()) {
            throw new MalformedException("payload of " + buffer.remaining() + " bytes instead of " + length);
        }
        byte[] payload = new byte[length];
        buffer.get(payload);
        return new Envelope(type, id, tuple, payload);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Envelope that && type == that.type && id == that.id && tuple.equals(that.tuple)
                && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id) * 31 + type.hashCode();
    }
}
