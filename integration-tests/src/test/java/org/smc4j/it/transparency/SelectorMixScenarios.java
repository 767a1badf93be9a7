package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.same;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;

/** Selectors with many keys, with keys of other kinds of channels, on virtual threads. */
final class SelectorMixScenarios {
    /** The JDK's selector asks for 1,024 events at a time. */
    private static final int MORE_THAN_A_WAIT_REPORTS = 1_100;
    private static final int SHARED_CONNECTIONS = 64;
    private static final int SHARED_ROUNDS = 300;

    private SelectorMixScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        all.add(echo("selector-mix.echo-of-10-connections", 10, 200_000, false));
        all.add(echo("selector-mix.echo-of-200-connections", 200, 10_000, false));
        all.add(echo("selector-mix.echo-of-2000-connections", 2_000, 300, false).limit(40));
        all.add(echo("selector-mix.echo-on-a-virtual-thread", 100, 10_000, true));
        all.add(Scenario.data("selector-mix.datagrams-pipes-and-unix-sockets-in-one-selector", end -> {
            final SocketChannel tcp = end.acceptChannel();
            final Path file = Files.createTempDirectory("unix").resolve("socket");
            end.keep(() -> Files.deleteIfExists(file.getParent()));
            end.keep(() -> Files.deleteIfExists(file));
            final ServerSocketChannel listener = end.keep(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
            listener.bind(UnixDomainSocketAddress.of(file));
            end.say("unix", file);
            final SocketChannel unix = end.keep(listener.accept());
            final int udp = end.hearInt("udp");
            try (DatagramChannel datagram = DatagramChannel.open()) {
                for (int i = 0; i < 10; i++) {
                    end.hear("next");
                    datagram.send(ByteBuffer.allocate(11), new InetSocketAddress(End.there(), udp));
                    unix.write(ByteBuffer.allocate(12));
                    tcp.write(ByteBuffer.allocate(13));
                }
            }
        }, end -> {
            final Selector selector = end.keep(Selector.open());
            register(selector, end.dialChannel(), 13);
            register(selector, end.keep(SocketChannel.open(UnixDomainSocketAddress.of(end.hear("unix")))), 12);
            final DatagramChannel datagram = end.keep(DatagramChannel.open());
            datagram.bind(new InetSocketAddress(End.here(), 0));
            register(selector, datagram, 11);
            final Pipe pipe = Pipe.open();
            end.keep(pipe.sink());
            register(selector, end.keep(pipe.source()), 14);
            end.say("udp", datagram.socket().getLocalPort());
            for (int i = 0; i < 10; i++) {
                end.say("next");
                pipe.sink().write(ByteBuffer.allocate(14));
                final Set<Integer> missing = new HashSet<>(Set.of(11, 12, 13, 14));
                End.until("all four kinds readable", 3_000, () -> {
                    selector.select(key -> missing.remove(read(key)), 500);
                    return missing.isEmpty();
                });
            }
        }));
        all.add(Scenario.of("selector-mix.only-the-ready-ones-among-many", end -> {
            final ServerSocketChannel listener = end.listenChannel();
            final List<SocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                channels.add(end.keep(listener.accept()));
            }
            for (int i = 0; i < 20; i++) {
                end.hear("next");
                channels.get(i * 14).write(ByteBuffer.wrap(new byte[] {(byte) i}));
            }
        }, end -> {
            final Selector selector = end.keep(Selector.open());
            final InetSocketAddress address = end.peerAddress();
            for (int i = 0; i < 300; i++) {
                register(selector, end.keep(SocketChannel.open(address)), i);
            }
            for (int i = 0; i < 20; i++) {
                end.say("next");
                same(1, selector.select(3_000), "keys selected");
                final SelectionKey key = selector.selectedKeys().iterator().next();
                same(i * 14, key.attachment(), "the connection that is ready");
                same(1, ((SocketChannel) key.channel()).read(ByteBuffer.allocate(2)), "bytes");
                selector.selectedKeys().clear();
            }
        }).limit(30));
        all.add(Scenario.of("selector-mix.more-ready-than-one-wait-can-report", end -> {
            final ServerSocketChannel listener = end.listenChannel();
            for (int i = 0; i < MORE_THAN_A_WAIT_REPORTS; i++) {
                end.keep(listener.accept()).write(ByteBuffer.allocate(1));
            }
            end.say("written");
            end.hear("done");
        }, end -> {
            final Selector selector = end.keep(Selector.open());
            final InetSocketAddress address = end.peerAddress();
            for (int i = 0; i < MORE_THAN_A_WAIT_REPORTS; i++) {
                register(selector, end.keep(SocketChannel.open(address)), i);
            }
            end.hear("written");
            // Nothing is read, so those that were reported stay ready.
            End.until("all are selected", 5_000, () -> {
                selector.selectNow();
                return selector.selectedKeys().size() == MORE_THAN_A_WAIT_REPORTS;
            });
            end.say("done");
        }).limit(30));
        all.add(Scenario.data("selector-mix.two-selectors-over-the-same-connections", end -> {
            final ServerSocketChannel listener = end.listenChannel();
            final List<SocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < SHARED_CONNECTIONS; i++) {
                channels.add(end.keep(listener.accept()));
            }
            for (int round = 0; round < SHARED_ROUNDS; round++) {
                end.hear("next");
                for (SocketChannel channel : channels) {
                    channel.write(ByteBuffer.allocate(1));
                }
            }
        }, end -> {
            final List<Selector> selectors = List.of(end.keep(Selector.open()), end.keep(Selector.open()));
            final InetSocketAddress address = end.peerAddress();
            final List<SocketChannel> channels = new ArrayList<>();
            for (int i = 0; i < SHARED_CONNECTIONS; i++) {
                final SocketChannel channel = end.keep(SocketChannel.open(address));
                channels.add(channel);
                for (Selector selector : selectors) {
                    register(selector, channel, i);
                }
            }
            for (int round = 0; round < SHARED_ROUNDS; round++) {
                final List<FutureTask<?>> waits = new ArrayList<>();
                for (Selector selector : selectors) {
                    waits.add(end.start(() -> selectEachOnce(selector)));
                }
                end.say("next");
                for (FutureTask<?> wait : waits) {
                    End.await(wait, 10_000);
                }
                for (SocketChannel channel : channels) {
                    same(1, channel.read(ByteBuffer.allocate(2)), "bytes");
                }
            }
        }));
        all.add(Scenario.data("selector-mix.connections-come-and-go", end -> {
            final EchoServer server = new EchoServer(end);
            final FutureTask<?> loop = end.start(() -> server.run(false));
            end.hear("done");
            server.stop();
            End.await(loop, 5_000);
        }, end -> {
            final InetSocketAddress address = end.peerAddress();
            for (int i = 0; i < 300; i++) {
                final SocketChannel channel = SocketChannel.open(address);
                channel.write(ByteBuffer.wrap(new Content(i).bytes(0, 200)));
                End.readAndCheck(channel.socket().getInputStream(), new Content(i), 0, 200);
                if (i % 3 == 0) {
                    channel.setOption(java.net.StandardSocketOptions.SO_LINGER, 0);
                }
                channel.close();
            }
            end.say("done");
        }));
        return all;
    }

    /** Sleeps for those that are missing only, so that each of them has to wake the selector. */
    private static Void selectEachOnce(final Selector selector) throws IOException {
        final List<SelectionKey> seen = new ArrayList<>();
        while (seen.size() < selector.keys().size()) {
            check(selector.select(key -> {
                key.interestOps(0);
                seen.add(key);
            }, 5_000) > 0, "one of the " + (selector.keys().size() - seen.size()) + " connections that are missing is ready");
        }
        for (SelectionKey key : seen) {
            key.interestOps(SelectionKey.OP_READ);
        }
        return null;
    }

    private static void register(final Selector selector, final java.nio.channels.SelectableChannel channel,
            final int attachment)
            throws IOException {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, attachment);
    }

    private static Integer read(final SelectionKey key) {
        final ByteBuffer in = ByteBuffer.allocate(100);
        try {
            if (key.channel() instanceof DatagramChannel datagram) {
                datagram.receive(in);
            } else {
                ((java.nio.channels.ReadableByteChannel) key.channel()).read(in);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        same(key.attachment(), in.position(), "bytes of " + key.channel());
        return in.position();
    }

    private static Scenario echo(final String name, final int connections, final int bytes, final boolean virtual) {
        return Scenario.data(name, end -> {
            final EchoServer server = new EchoServer(end);
            final FutureTask<?> loop = end.start(virtual, () -> server.run(true));
            end.hear("done");
            server.stop();
            End.await(loop, 5_000);
        }, end -> End.await(end.start(virtual, () -> {
            echoClient(end, connections, bytes);
            end.say("done");
            return null;
        }), 38_000));
    }

    /** All connections at once from one selector, each with its own content. */
    private static void echoClient(final End end, final int connections, final int bytes) throws Exception {
        final InetSocketAddress address = end.peerAddress();
        final Selector selector = end.keep(Selector.open());
        for (int i = 0; i < connections; i++) {
            final SocketChannel channel = end.keep(SocketChannel.open(address));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE, new Exchange(i, bytes));
        }
        int done = 0;
        while (done < connections) {
            check(selector.select(5_000) > 0, "something is ready while " + (connections - done)
                    + " echoes are missing");
            for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); keys.remove()) {
                final SelectionKey key = keys.next();
                if (((Exchange) key.attachment()).step(key)) {
                    done++;
                }
            }
        }
    }

    /** One connection's echo, as a client sees it. */
    private static final class Exchange {
        private final int number;
        private final Content content;
        private final ByteBuffer out;
        private final ByteBuffer in;

        Exchange(final int number, final int bytes) {
            this.number = number;
            content = new Content(number);
            out = ByteBuffer.wrap(content.bytes(0, bytes));
            in = ByteBuffer.allocate(bytes);
        }

        /** True when the echo is complete and right. */
        boolean step(final SelectionKey key) throws IOException {
            final SocketChannel channel = (SocketChannel) key.channel();
            if (key.isWritable()) {
                channel.write(out);
                if (!out.hasRemaining()) {
                    key.interestOps(SelectionKey.OP_READ);
                }
            }
            if (key.isReadable()) {
                final int from = in.position();
                check(channel.read(in) >= 0, "connection " + number + " lives until its echo is complete");
                content.check(in.array(), from, in.position() - from, from);
            }
            if (in.hasRemaining()) {
                return false;
            }
            key.cancel();
            return true;
        }
    }

    /** The classic single-threaded server: one selector, one buffer per connection. */
    static final class EchoServer {
        private final Selector selector;
        private final ServerSocketChannel listener;
        private volatile boolean stopped;

        EchoServer(final End end) throws IOException {
            selector = end.keep(Selector.open());
            listener = end.keep(ServerSocketChannel.open());
            listener.configureBlocking(false);
            listener.bind(new InetSocketAddress(End.here(), 0), 2_048);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            end.say("port", listener.socket().getLocalPort());
        }

        void stop() {
            stopped = true;
            selector.wakeup();
        }

        /** @param strict whether a reset of a connection is an error */
        Void run(final boolean strict) throws IOException {
            while (!stopped) {
                selector.select(key -> {
                    try {
                        serve(key);
                    } catch (IOException e) {
                        if (strict) {
                            throw new java.io.UncheckedIOException(e);
                        }
                        close(key);
                    }
                });
            }
            for (SelectionKey key : selector.keys()) {
                close(key);
            }
            return null;
        }

        private static void close(final SelectionKey key) {
            try {
                key.channel().close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        private void serve(final SelectionKey key) throws IOException {
            if (key.isAcceptable()) {
                for (SocketChannel channel; (channel = listener.accept()) != null;) {
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(4_096));
                }
                return;
            }
            final SocketChannel channel = (SocketChannel) key.channel();
            final ByteBuffer buffer = (ByteBuffer) key.attachment();
            if (key.isReadable() && channel.read(buffer) < 0) {
                channel.close();
                return;
            }
            buffer.flip();
            channel.write(buffer);
            final boolean more = buffer.hasRemaining();
            buffer.compact();
            key.interestOps((buffer.hasRemaining() ? SelectionKey.OP_READ : 0) | (more ? SelectionKey.OP_WRITE : 0));
        }
    }
}
