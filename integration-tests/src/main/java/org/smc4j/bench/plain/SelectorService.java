package org.smc4j.bench.plain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Serves all connections of one listener with one selector and one thread. */
final class SelectorService implements Runnable {
    /** Reads of one connection before the others get their turn, as event loops do it. */
    private static final int READS_PER_TURN = 16;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final ByteBuffer shared = ByteBuffer.allocateDirect(Link.RECEIVE_BUFFER);

    SelectorService(ServerSocketChannel listener) throws IOException {
        this.listener = listener;
        this.selector = Selector.open();
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** What is known of a connection; the buffer holds one message of an echo, or the greeting before that. */
    private static final class Peer {
        private final SocketChannel channel;
        private ByteBuffer message = ByteBuffer.allocate(Message.GREETING_SIZE);
        private Message.Greeting greeting;
        private SinkCheck check;
        private boolean sending;

        Peer(SocketChannel channel) {
            this.channel = channel;
        }
    }

    @Override
    public void run() {
        try {
            while (true) {
                selector.select(this::ready);
            }
        } catch (IOException e) {
            System.err.println("server: selector: " + e);
        }
    }

    private void ready(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else {
                serve(key, (Peer) key.attachment());
            }
        } catch (IOException e) {
            System.err.println("server: " + e);
            close(key);
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = listener.accept();
        while (channel != null) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new Peer(channel));
            channel = listener.accept();
        }
    }

    private void serve(SelectionKey key, Peer peer) throws IOException {
        if (peer.check != null) {
            drain(key, peer);
        } else if (peer.sending) {
            answer(key, peer);
        } else {
            receive(key, peer);
        }
    }

    private void drain(SelectionKey key, Peer peer) throws IOException {
        for (int i = 0; i < READS_PER_TURN; i++) {
            shared.clear();
            final int count = peer.channel.read(shared);
            if (count < 0) {
                close(key);
                return;
            }
            peer.check.accept(shared, count);
            if (count < shared.capacity()) {
                return;
            }
        }
    }

    private void receive(SelectionKey key, Peer peer) throws IOException {
        final int count = peer.channel.read(peer.message);
        if (count < 0) {
            close(key);
        } else if (!peer.message.hasRemaining()) {
            if (peer.greeting == null) {
                greeted(key, peer);
            } else {
                peer.message.flip();
                answer(key, peer);
            }
        }
    }

    private void greeted(SelectionKey key, Peer peer) throws IOException {
        peer.greeting = Message.greeting(peer.message);
        final int size = peer.greeting.size();
        if (peer.greeting.purpose() == Message.Purpose.SINK) {
            final ByteBuffer reply = ByteBuffer.allocateDirect(Message.GREETING_SIZE);
            peer.check = new SinkCheck(size, reply, bytes -> sendAnswer(peer.channel, bytes));
            drain(key, peer);
        } else {
            peer.message = ByteBuffer.allocateDirect(size);
            receive(key, peer);
        }
    }

    /** An answer is tiny and rare, so it always fits the send buffer. */
    private static void sendAnswer(SocketChannel channel, ByteBuffer bytes) throws IOException {
        channel.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("no room for an answer of " + bytes.capacity() + " bytes");
        }
    }

    private static void answer(SelectionKey key, Peer peer) throws IOException {
        peer.channel.write(peer.message);
        final boolean unfinished = peer.message.hasRemaining();
        if (unfinished != peer.sending) {
            key.interestOps(unfinished ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            peer.sending = unfinished;
        }
        if (!unfinished) {
            peer.message.clear();
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.cancel();
            key.channel().close();
        } catch (IOException e) {
            System.err.println("server: close: " + e);
        }
    }
}
