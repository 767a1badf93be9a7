package org.smc4j.bench.plain;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Many connections through one selector, each with one message under way all the time. */
final class ManyConnections {
    private static final int SIZE = 64;

    private final Selector selector;
    private long trips;
    private int underWay;
    private boolean draining;

    private ManyConnections(Selector selector) {
        this.selector = selector;
    }

    private static final class Peer {
        private final ByteBuffer out = ByteBuffer.allocateDirect(SIZE);
        private final ByteBuffer in = ByteBuffer.allocateDirect(SIZE);
        private long sequence;
    }

    static String echo(String target, int connections, long warmUp, long duration) throws IOException {
        final List<SocketChannel> channels = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            final ManyConnections loop = new ManyConnections(selector);
            for (int i = 0; i < connections; i++) {
                final SocketChannel channel =
                    SocketChannel.open(new InetSocketAddress("127.0.0.1", Integer.parseInt(target)));
                channels.add(channel);
                channel.configureBlocking(false);
                channel.write(Message.greeting(Message.Purpose.ECHO, SIZE));
                final Peer peer = new Peer();
                channel.register(selector, SelectionKey.OP_READ, peer);
                loop.send(channel, peer);
            }
            loop.runUntil(System.nanoTime() + warmUp);
            loop.trips = 0;
            final long start = System.nanoTime();
            loop.runUntil(start + duration);
            final double seconds = (System.nanoTime() - start) / 1e9;
            final long trips = loop.trips;
            loop.drain();
            return "per_second=" + trips / seconds + " count=" + trips;
        } finally {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    private void runUntil(long end) throws IOException {
        while (System.nanoTime() - end < 0) {
            turn();
        }
    }

    /** Closing with an answer under way would reset the connection, which is another test. */
    private void drain() throws IOException {
        draining = true;
        while (underWay > 0) {
            turn();
        }
    }

    private void turn() throws IOException {
        selector.select(1000);
        final Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
        while (ready.hasNext()) {
            final SelectionKey key = ready.next();
            ready.remove();
            receive((SocketChannel) key.channel(), (Peer) key.attachment());
        }
    }

    private void receive(SocketChannel channel, Peer peer) throws IOException {
        if (channel.read(peer.in) < 0) {
            throw new EOFException("server closed one of many connections");
        }
        if (!peer.in.hasRemaining()) {
            Message.check(peer.in, SIZE, peer.sequence);
            peer.in.clear();
            peer.sequence++;
            trips++;
            underWay--;
            if (!draining) {
                send(channel, peer);
            }
        }
    }

    private void send(SocketChannel channel, Peer peer) throws IOException {
        underWay++;
        Message.stamp(peer.out, peer.sequence);
        peer.out.clear();
        channel.write(peer.out);
        if (peer.out.hasRemaining()) {
            throw new IOException("no room for a message of " + SIZE + " bytes");
        }
    }
}
