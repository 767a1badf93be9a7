package org.smc4j.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.PeerException;

/**
 * What a process and the proxy of its host say to each other, one in each packet, in network order: kind (1), three zero bytes,
 * then by kind.
 */
sealed interface LocalFrame {
    int HEADER_SIZE = 4;

    /**
     * From a process, first of all; nothing.
     *
     * @param settings the digest of the settings that must be the same: {@value #SETTINGS_SIZE} bytes
     */
    record Join(byte[] settings) implements LocalFrame {
        static final int SETTINGS_SIZE = 32;
    }

    /** From the proxy: it serves the process. */
    record Joined() implements LocalFrame {
    }

    /** From the proxy, which then hangs up: its settings are others. */
    record OtherSettings() implements LocalFrame {
    }

    /**
     * From a process: port (2), zero (2), address (4 or 16).
     *
     * @param on whether it begins or ends to listen there
     */
    record Listener(boolean on, InetAddress address, int port) implements LocalFrame {
    }

    /**
     * Both ways: peer (4), message.
     *
     * @param peer the connection to the other host, 0 if the sender does not know it
     */
    record Message(int peer, HandshakeMessage message) implements LocalFrame {
    }

    private static ByteBuffer start(int kind, int size) {
        return ByteBuffer.allocate(HEADER_SIZE + size).putInt(kind << 24);
    }

    default byte[] encode() {
        return switch (this) {
            case Join join -> start(1, join.settings.length).put(join.settings).array();
            case Joined _ -> start(2, 0).array();
            case OtherSettings _ -> start(3, 0).array();
            case Listener listener -> {
                byte[] address = listener.address.getAddress();
                yield start(listener.on ? 4 : 5, 4 + address.length).putShort((short) listener.port).putShort((short) 0)
                        .put(address).array();
            }
            case Message message -> {
                byte[] encoded = message.message.encode();
                yield start(6, 4 + encoded.length).putInt(message.peer).put(encoded).array();
            }
        };
    }

    /**
     * Reads what one packet holds.
     *
     * @throws PeerException for any other bytes
     */
    static LocalFrame decode(ByteBuffer packet) throws PeerException {
        if (packet.remaining() < HEADER_SIZE) {
            throw PeerException.malformed("packet of " + packet.remaining() + " bytes");
        }
        int kind = packet.getInt() >>> 24;
        int size = packet.remaining();
        switch (kind) {
            case 1 -> {
                if (size == Join.SETTINGS_SIZE) {
                    byte[] settings = new byte[size];
                    packet.get(settings);
                    return new Join(settings);
                }
            }
            case 2 -> {
                return new Joined();
            }
            case 3 -> {
                return new OtherSettings();
            }
            case 4, 5 -> {
                if (size == 8 || size == 20) {
                    return listener(kind == 4, packet);
                }
            }
            case 6 -> {
                if (size > Integer.BYTES) {
                    return new Message(packet.getInt(), HandshakeMessage.decode(packet.slice()));
                }
            }
            default -> {
            }
        }
        throw PeerException.malformed("packet of kind " + kind + " with " + size + " bytes");
    }

    private static Listener listener(boolean on, ByteBuffer packet) {
        int port = Short.toUnsignedInt(packet.getShort());
        packet.getShort();
        byte[] address = new byte[packet.remaining()];
        packet.get(address);
        try {
            return new Listener(on, InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
