package org.smc4j.carrier;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One message of a handshake between hosts, in network order: length (2), type (1), reason (1), local id (4), remote id (4),
 * 4-tuple (36), payload. The ids are those of spec/80-cm-rej-timeout.md §3: each end names the handshake by an id of its own,
 * which the other end repeats as the remote id.
 *
 * @param reason   why it is a DECLINE, null for other types
 * @param localId  the sender's id; 0 if it ends the handshake and never gave it one
 * @param remoteId the receiver's id; 0 while the sender does not know it, as in a PROPOSAL and in a DECLINE before any answer
 * @param payload  a CLC message, byte for byte, or nothing; at most {@link #MAX_PAYLOAD} bytes
 */
public record HandshakeMessage(Type type, DeclineReason reason, int localId, int remoteId, FourTuple tuple, byte[] payload) {
    /**
     * What a message is. CHECK asks what the answer to a PROPOSAL would be; ATTACHED says that the end that proposed reads from SMC
     * what comes that way, which READY, the answer, says of the other end.
     */
    public enum Type {
        PROPOSAL(1), ACCEPT(2), CONFIRM(3), DECLINE(4), READY(5), CHECK(6), ATTACHED(7);

        private static final Type[] ALL = values();
        private final int code;

        Type(int code) {
            this.code = code;
        }

        /** Whether it is the first message of a handshake. */
        public boolean opens() {
            return this == PROPOSAL || this == CHECK;
        }

        /** Whether it is the last one as a rule. */
        public boolean ends() {
            return this == DECLINE || this == READY;
        }

        private static Type of(int code) {
            return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
        }
    }

    public static final int HEADER_SIZE = 12 + FourTuple.ENCODED_SIZE;
    /** Several times the longest CLC message of spec/10-clc.md. */
    public static final int MAX_PAYLOAD = 4096;
    private static final byte[] NOTHING = new byte[0];

    public static HandshakeMessage decline(DeclineReason reason, int localId, int remoteId, FourTuple tuple) {
        return new HandshakeMessage(Type.DECLINE, reason, localId, remoteId, tuple, NOTHING);
    }

    public HandshakeMessage withLocalId(int id) {
        return new HandshakeMessage(type, reason, id, remoteId, tuple, payload);
    }

    public HandshakeMessage withRemoteId(int id) {
        return new HandshakeMessage(type, reason, localId, id, tuple, payload);
    }

    public byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_SIZE + payload.length);
        buffer.putShort((short) buffer.capacity()).put((byte) type.code);
        buffer.put((byte) (reason == null ? 0 : reason.code())).putInt(localId).putInt(remoteId);
        tuple.encode(buffer);
        return buffer.put(payload).array();
    }

    /**
     * Reads one message, which the buffer must hold exactly.
     *
     * @throws PeerException for any other bytes
     */
    public static HandshakeMessage decode(ByteBuffer buffer) throws PeerException {
        int size = buffer.remaining();
        if (size < HEADER_SIZE || size > HEADER_SIZE + MAX_PAYLOAD) {
            throw PeerException.malformed("message of " + size + " bytes");
        }
        int length = Short.toUnsignedInt(buffer.getShort());
        if (length != size) {
            throw PeerException.malformed("message of " + size + " bytes that says " + length);
        }
        byte typeCode = buffer.get();
        byte reasonCode = buffer.get();
        Type type = Type.of(typeCode);
        if (type == null) {
            throw PeerException.malformed("message of type " + typeCode);
        }
        DeclineReason reason = DeclineReason.of(Byte.toUnsignedInt(reasonCode));
        if (type == Type.DECLINE ? reason == null : reasonCode != 0) {
            throw PeerException.malformed(type + " with reason " + Byte.toUnsignedInt(reasonCode));
        }
        int localId = buffer.getInt();
        int remoteId = buffer.getInt();
        if (!areIds(type, localId, remoteId)) {
            throw PeerException.malformed(type + " with ids " + localId + " and " + remoteId);
        }
        FourTuple tuple = FourTuple.decode(buffer);
        byte[] payload = new byte[buffer.remaining()];
        buffer.get(payload);
        return new HandshakeMessage(type, reason, localId, remoteId, tuple, payload);
    }

    private static boolean areIds(Type type, int localId, int remoteId) {
        return switch (type) {
            case PROPOSAL, CHECK -> localId != 0 && remoteId == 0;
            case ACCEPT, CONFIRM, ATTACHED -> localId != 0 && remoteId != 0;
            case READY -> remoteId != 0;
            case DECLINE -> localId != 0 || remoteId != 0;
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HandshakeMessage that && type == that.type && reason == that.reason && localId == that.localId
                && remoteId == that.remoteId && tuple.equals(that.tuple) && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return (localId * 31 + remoteId) * 31 + type.hashCode();
    }

    @Override
    public String toString() {
        return type + (reason == null ? "" : " " + reason) + " " + Integer.toUnsignedString(localId) + "/"
                + Integer.toUnsignedString(remoteId) + " " + tuple;
    }
}
