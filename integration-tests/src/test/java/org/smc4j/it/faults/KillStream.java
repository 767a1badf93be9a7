package org.smc4j.it.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One connection of the kill test as seen from either end: a socket or a channel, of which one byte that the client sends first
 * tells the kind.
 */
final class KillStream implements AutoCloseable {
    /** What happens on a connection when the victim is killed. */
    enum Kind {
        /** Socket streams, full in both directions. */
        STREAMS,
        /** The survivor is blocked in a write: the victim does not read. */
        WRITER_BLOCKED,
        /** The survivor uses a selector and reads slowly: the victim is blocked in a write. */
        SELECTOR,
        /** The survivor's threads are virtual. */
        VIRTUAL,
        /** The survivor has half-closed. */
        SURVIVOR_HALF_CLOSED,
        /** The victim has half-closed. */
        VICTIM_HALF_CLOSED;

        private static final Kind[] ALL = values();

        static Kind of(int index) {
            return ALL[index];
        }

        static int count() {
            return ALL.length;
        }

        /** Whether the connection is a channel; else a socket with streams. */
        boolean isChannel() {
            return this == WRITER_BLOCKED || this == SELECTOR || this == VICTIM_HALF_CLOSED;
        }

        boolean victimReads() {
            return this != WRITER_BLOCKED && this != SURVIVOR_HALF_CLOSED;
        }

        boolean victimWrites() {
            return this != VICTIM_HALF_CLOSED;
        }

        boolean survivorWrites() {
            return this != SURVIVOR_HALF_CLOSED && this != SELECTOR;
        }

        long seedOfVictim(long seed) {
            return seed * 1000 + ordinal();
        }

        long seedOfSurvivor(long seed) {
            return seed * 1000 + 500 + ordinal();
        }
    }

    private final Socket socket;
    private final SocketChannel channel;
    private Selector selector;

    KillStream(Socket socket) {
        this.socket = socket;
        this.channel = null;
    }

    KillStream(SocketChannel channel) {
        this.socket = null;
        this.channel = channel;
    }

    /** Reads from here on wait in a selector. */
    void useSelector() throws IOException {
        selector = Selector.open();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
    }

    int read(byte[] target) throws IOException {
        if (channel == null) {
            return socket.getInputStream().read(target);
        }
        ByteBuffer buffer = ByteBuffer.wrap(target);
        int n = channel.read(buffer);
        while (n == 0 && selector != null) {
            selector.select();
            selector.selectedKeys().clear();
            n = channel.read(buffer);
        }
        return n;
    }

    int readByte() throws IOException {
        byte[] one = new byte[1];
        return read(one) < 0 ? -1 : one[0];
    }

    void write(byte[] source, int length) throws IOException {
        if (channel == null) {
            socket.getOutputStream().write(source, 0, length);
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(source, 0, length);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    int localPort() throws IOException {
        return channel == null ? socket.getLocalPort() : ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    int remotePort() throws IOException {
        return channel == null ? socket.getPort() : ((InetSocketAddress) channel.getRemoteAddress()).getPort();
    }

    void shutdownOutput() throws IOException {
        if (channel == null) {
            socket.shutdownOutput();
        } else {
            channel.shutdownOutput();
        }
    }

    @Override
    public void close() throws IOException {
        if (selector != null) {
            selector.close();
        }
        if (channel == null) {
            socket.close();
        } else {
            channel.close();
        }
    }
}
