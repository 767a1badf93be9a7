package org.smc4j.carrier;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import org.smc4j.ffi.linux.SocketAddresses.Address;

/**
 * One end of a connection between hosts, without its socket: HELLO, frames, proof of the secret.
 *
 * <pre>
 *  client                                    server
 *  HELLO, nonce            --------------->
 *                          &lt;---------------  HELLO, nonce, proof
 *  message, MAC            --------------->
 *                          &lt;---------------  message, MAC
 * </pre>
 *
 * The keys of both directions come from the secret, both HELLOs and the addresses of both ends. So nothing that was said on one
 * connection, or in one direction, or between other hosts, passes on another; and as the MAC covers the number of the frame,
 * none passes twice or out of turn. With a secret nothing is accepted before its proof; an end that has none is refused, and so
 * is one that has, by an end without.
 */
final class Session {
    private static final byte[] LABEL = "smc4j sideband".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLIENT_LABEL = "client".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SERVER_LABEL = "server".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH_SIZE = Short.BYTES;

    private final boolean client;
    private final SharedSecret secret;  // null without one
    private final byte[] addresses;
    private byte[] hello;
    private boolean open;
    private boolean proven;
    private Mac sendMac;
    private Mac receiveMac;
    private long sent;
    private long received;

    private Session(boolean client, SharedSecret secret, byte[] nonce, Address clientAddress, Address serverAddress) {
        this.client = client;
        this.secret = secret;
        this.hello = Hello.of(secret != null, nonce).encode();
        ByteBuffer both = ByteBuffer.allocate(FourTuple.ENCODED_SIZE);
        // Ports may be told differently at both ends of a translator, and are no part of who a host is.
        new FourTuple(clientAddress.bytes(), 0, serverAddress.bytes(), 0).encode(both);
        this.addresses = both.array();
    }

    /**
     * The end that connected.
     *
     * @param secret null if none is configured
     * @param nonce  {@link Hello#NONCE_SIZE} random bytes that were never used before
     */
    static Session client(SharedSecret secret, byte[] nonce, Address local, Address remote) {
        return new Session(true, secret, nonce, local, remote);
    }

    /** The end that was connected to; as {@link #client}. */
    static Session server(SharedSecret secret, byte[] nonce, Address local, Address remote) {
        return new Session(false, secret, nonce, remote, local);
    }

    /** Our HELLO: what the client says first, and the server when it has received the client's, even if it refuses that. */
    byte[] hello() {
        return hello.clone();
    }

    /** Whether messages can be sealed. */
    boolean isOpen() {
        return open;
    }

    /** Whether the peer has said all that a stranger cannot say: with a secret, something under its MAC. */
    boolean isProven() {
        return proven;
    }

    /**
     * The size in bytes of the frame that begins in the buffer, which stays as it is; 0 while that cannot be told.
     *
     * @throws PeerException if it is none that may come now
     */
    int frameSize(ByteBuffer buffer) throws PeerException {
        if (buffer.remaining() < LENGTH_SIZE) {
            return 0;
        }
        int length = Short.toUnsignedInt(buffer.getShort(buffer.position()));
        int minimum = open ? HandshakeMessage.HEADER_SIZE : Hello.SIZE;
        int maximum = open ? HandshakeMessage.HEADER_SIZE + HandshakeMessage.MAX_PAYLOAD : Hello.SIZE;
        if (length < minimum || length > maximum) {
            throw PeerException.malformed("frame of " + length + " bytes");
        }
        return length + (open ? macSize() : 0);
    }

    /** The largest size of a frame in bytes. */
    int maxFrameSize() {
        return HandshakeMessage.HEADER_SIZE + HandshakeMessage.MAX_PAYLOAD + macSize();
    }

    /**
     * Takes a whole frame, which the buffer must hold exactly.
     *
     * @return the message, or null if it was the HELLO
     * @throws PeerException if it is refused, which ends the session
     */
    HandshakeMessage receive(ByteBuffer frame) throws PeerException {
        if (!open) {
            receiveHello(frame);
            return null;
        }
        byte[] bytes = new byte[frame.remaining() - macSize()];
        frame.get(bytes);
        if (secret != null) {
            byte[] mac = new byte[SharedSecret.MAC_SIZE];
            frame.get(mac);
            if (!MessageDigest.isEqual(mac, mac(receiveMac, ++received, bytes, bytes.length))) {
                throw new PeerException(DeclineReason.SECRET, "a message without proof of the secret");
            }
        }
        proven = true;
        HandshakeMessage message = HandshakeMessage.decode(ByteBuffer.wrap(bytes));
        if (message.reason() != null && message.reason().isOfThisHost()) {
            throw PeerException.malformed("reason " + message.reason() + " from another host");
        }
        if (client && message.type().opens()) {
            throw PeerException.malformed(message.type() + " on a connection of ours");
        }
        return message;
    }

    /** The frame of a message, to be sent in the order in which they were sealed. */
    byte[] seal(HandshakeMessage message) {
        byte[] bytes = message.encode();
        if (secret == null) {
            return bytes;
        }
        byte[] sealed = Arrays.copyOf(bytes, bytes.length + SharedSecret.MAC_SIZE);
        System.arraycopy(mac(sendMac, ++sent, bytes, bytes.length), 0, sealed, bytes.length, SharedSecret.MAC_SIZE);
        return sealed;
    }

    private void receiveHello(ByteBuffer frame) throws PeerException {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        Hello theirs = Hello.decode(ByteBuffer.wrap(bytes));
        if (theirs.secret() != (secret != null)) {
            throw new PeerException(DeclineReason.SECRET, secret == null ? "demands a secret, and none is configured here"
                    : "has no secret, and one is configured here");
        }
        if (secret != null) {
            exchangeProofs(bytes, theirs);
        } else {
            proven = true;
        }
        open = true;
    }

    private void exchangeProofs(byte[] theirBytes, Hello theirs) throws PeerException {
        byte[] common = secret.mac(LABEL, unproven(client ? hello : theirBytes), unproven(client ? theirBytes : hello),
                addresses);
        SharedSecret connectionKey = new SharedSecret(common);
        Mac clientMac = new SharedSecret(connectionKey.mac(CLIENT_LABEL)).start();
        Mac serverMac = new SharedSecret(connectionKey.mac(SERVER_LABEL)).start();
        sendMac = client ? clientMac : serverMac;
        receiveMac = client ? serverMac : clientMac;
        byte[] proof = mac(serverMac, 0, client ? theirBytes : hello, Hello.PROOF_OFFSET);
        if (!client) {
            System.arraycopy(proof, 0, hello, Hello.PROOF_OFFSET, proof.length);
        } else if (MessageDigest.isEqual(proof, theirs.proof())) {
            proven = true;
        } else {
            throw new PeerException(DeclineReason.SECRET, "has another secret, or sees other addresses than we do");
        }
    }

    private static byte[] unproven(byte[] hello) {
        return Arrays.copyOf(hello, Hello.PROOF_OFFSET);
    }

    private static byte[] mac(Mac mac, long number, byte[] bytes, int length) {
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
        mac.update(bytes, 0, length);
        return mac.doFinal();
    }

    private int macSize() {
        return secret == null ? 0 : SharedSecret.MAC_SIZE;
    }
}
