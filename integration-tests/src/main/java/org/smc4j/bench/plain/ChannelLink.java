package org.smc4j.bench.plain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A blocking channel with direct buffers. */
final class ChannelLink extends Link {
    private final SocketChannel channel;

    ChannelLink(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    @Override
    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    int read(ByteBuffer bytes) throws IOException {
        return channel.read(bytes);
    }

    @Override
    void disconnect() throws IOException {
        channel.close();
    }
}
