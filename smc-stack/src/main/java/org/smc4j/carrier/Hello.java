package org.smc4j.carrier;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The first frame of each end, in network order: length (2), type 0 (1), version (1), magic (4), flags (1), three zero bytes,
 * nonce (32), proof (32).
 *
 * @param secret whether the sender has a shared secret
 * @param nonce  chosen by the sender for this connection only
 * @param proof  that the server has the secret; zero in the HELLO of the client, whose first message proves as much
 */
record Hello(int version, boolean secret, byte[] nonce, byte[] proof) {
    static final int VERSION = 1;
    static final int NONCE_SIZE = 32;
    static final int PROOF_OFFSET = 12 + NONCE_SIZE;
    static final int SIZE = PROOF_OFFSET + SharedSecret.MAC_SIZE;
    private static final int MAGIC = 0x534D4352;
    private static final byte TYPE = 0;
    private static final int SECRET = 1;

    /** Without proof. */
    static Hello of(boolean secret, byte[] nonce) {
        return new Hello(VERSION, secret, nonce, new byte[SharedSecret.MAC_SIZE]);
    }

    byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE);
        buffer.putShort((short) SIZE).put(TYPE).put((byte) version).putInt(MAGIC).put((byte) (secret ? SECRET : 0));
        return buffer.put(new byte[3]).put(nonce).put(proof).array();
    }

    /**
     * Reads a HELLO, which the buffer must hold exactly. That of another version is read as far as all versions agree: up to the
     * magic number.
     *
     * @throws PeerException for any other bytes
     */
    static Hello decode(ByteBuffer buffer) throws PeerException {
        if (buffer.remaining() != SIZE || buffer.getShort() != SIZE || buffer.get() != TYPE) {
            throw PeerException.malformed("no HELLO");
        }
        int version = Byte.toUnsignedInt(buffer.get());
        int magic = buffer.getInt();
        if (magic != MAGIC) {
            throw PeerException.malformed("magic " + Integer.toHexString(magic));
        }
        if (version != VERSION) {
            throw PeerException.malformed("version " + version + " of the protocol");
        }
        boolean secret = (buffer.get() & SECRET) != 0;
        buffer.position(buffer.position() + 3);
        byte[] nonce = new byte[NONCE_SIZE];
        byte[] proof = new byte[SharedSecret.MAC_SIZE];
        buffer.get(nonce).get(proof);
        return new Hello(version, secret, nonce, proof);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Hello that && version == that.version && secret == that.secret
                && Arrays.equals(nonce, that.nonce) && Arrays.equals(proof, that.proof);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(nonce);
    }
}
