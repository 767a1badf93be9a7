package org.smc4j.carrier;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.smc4j.ffi.linux.SocketAddresses;

/**
 * A TCP connection by the addresses of its client and its server.
 *
 * @param client 4 or 16 bytes; IPv4-mapped addresses are IPv4
 * @param clientPort 0–65535
 * @param server 4 or 16 bytes
 * @param serverPort 0–65535
 */
public record FourTuple(byte[] client, int clientPort, byte[] server, int serverPort) {
    /** Bytes of the encoded form: two addresses of 16 bytes (IPv4 as mapped) and ports, in network order. */
    public static final int ENCODED_SIZE = 36;
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;

    public static FourTuple of(SocketAddresses.Address client, SocketAddresses.Address server) {
        return new FourTuple(client.bytes(), client.port(), server.bytes(), server.port());
    }

    /** Reads the encoded form, of which the buffer must hold all. */
    public static FourTuple decode(ByteBuffer buffer) {
        byte[] client = address(buffer);
        int clientPort = Short.toUnsignedInt(buffer.getShort());
        byte[] server = address(buffer);
        return new FourTuple(client, clientPort, server, Short.toUnsignedInt(buffer.getShort()));
    }

    /** Writes the encoded form. */
    public void encode(ByteBuffer buffer) {
        putAddress(buffer, client);
        buffer.putShort((short) clientPort);
        putAddress(buffer, server);
        buffer.putShort((short) serverPort);
    }

    public InetAddress clientAddress() {
        return inetAddress(client);
    }

    public InetAddress serverAddress() {
        return inetAddress(server);
    }

    /** Whether it is the connection of the server's socket with these addresses; either may be null. */
    public boolean matches(SocketAddresses.Address local, SocketAddresses.Address remote) {
        return local != null && remote != null && local.port() == serverPort && remote.port() == clientPort
                && Arrays.equals(local.bytes(), server) && Arrays.equals(remote.bytes(), client);
    }

    private static byte[] address(ByteBuffer buffer) {
        byte[] bytes = new byte[IPV6];
        buffer.get(bytes);
        for (int i = 0; i < IPV6 - IPV4; i++) {
            if (bytes[i] != (i < 10 ? 0 : -1)) {
                return bytes;
            }
        }
        return Arrays.copyOfRange(bytes, IPV6 - IPV4, IPV6);
    }

    private static void putAddress(ByteBuffer buffer, byte[] address) {
        if (address.length == IPV4) {
            buffer.putLong(0).putShort((short) 0).putShort((short) -1);
        }
        buffer.put(address);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FourTuple that && clientPort == that.clientPort && serverPort == that.serverPort
                && Arrays.equals(client, that.client) && Arrays.equals(server, that.server);
    }

    @Override
    public int hashCode() {
        return (Arrays.hashCode(client) * 31 + clientPort) * 31 + serverPort;
    }

    @Override
    public String toString() {
        return text(client, clientPort) + " > " + text(server, serverPort);
    }

    private static String text(byte[] address, int port) {
        return inetAddress(address).getHostAddress() + ":" + port;
    }

    private static InetAddress inetAddress(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
