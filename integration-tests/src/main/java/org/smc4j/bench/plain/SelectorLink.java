package org.smc4j.bench.plain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A non-blocking channel with a selector of its own, used as event loops do: select to read, write at once. */
final class SelectorLink extends Link {
    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    SelectorLink(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.selector = Selector.open();
        this.key = channel.register(selector, SelectionKey.OP_READ);
    }

    @Override
    ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    @Override
    void write(ByteBuffer bytes) throws IOException {
        channel.write(bytes);
        if (bytes.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
            do {
                select();
                channel.write(bytes);
            } while (bytes.hasRemaining());
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    @Override
    int read(ByteBuffer bytes) throws IOException {
        int count;
        do {
            select();
            count = channel.read(bytes);
        } while (count == 0);
        return count;
    }

    private void select() throws IOException {
        selector.select();
        selector.selectedKeys().clear();
    }

    @Override
    void disconnect() throws IOException {
        selector.close();
        channel.close();
    }
}
