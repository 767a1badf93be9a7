package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;
import static org.smc4j.it.transparency.End.took;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** {@code SocketChannel} and {@code ServerSocketChannel}: buffers, modes, connecting, adaptors. */
final class ChannelScenarios {
    private ChannelScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>(buffers());
        all.addAll(modes());
        all.addAll(connecting());
        all.addAll(adaptors());
        return all;
    }

    private static void writeAll(final SocketChannel channel, final ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static void fill(final SocketChannel channel, final ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            check(channel.read(buffer) > 0, "a blocking read returns bytes; " + buffer.remaining() + " are missing");
        }
    }

    private static void checkContent(final Content content, final ByteBuffer buffer, final int position) {
        final byte[] seen = new byte[buffer.remaining()];
        buffer.duplicate().get(seen);
        content.check(seen, 0, seen.length, position);
    }

    /** An echo of 100,000 bytes through buffers of one kind; the positions around the used part must stay untouched. */
    private static Scenario buffer(final String kind, final IntFunction<ByteBuffer> allocate) {
        final int size = 100_000;
        return Scenario.data("channel.buffer-" + kind, end -> {
            final SocketChannel channel = end.acceptChannel();
            final ByteBuffer buffer = allocate.apply(size);
            fill(channel, buffer);
            same(size, buffer.position(), "position after reading");
            buffer.flip();
            writeAll(channel, buffer);
            same(size, buffer.position(), "position after writing");
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            final ByteBuffer out = allocate.apply(size);
            out.put(new Content(size).bytes(0, size)).flip();
            writeAll(channel, out);
            final ByteBuffer in = allocate.apply(size);
            in.limit(size / 3);
            fill(channel, in);
            in.limit(size);
            fill(channel, in);
            checkContent(new Content(size), in.flip(), 0);
        });
    }

    private static List<Scenario> buffers() {
        return List.of(
                buffer("heap", ByteBuffer::allocate),
                buffer("direct", ByteBuffer::allocateDirect),
                buffer("heap-slice", n -> ByteBuffer.allocate(n + 200).slice(77, n)),
                buffer("direct-slice", n -> ByteBuffer.allocateDirect(n + 200).slice(78, n)),
                buffer("segment-shared-arena", n -> Arena.ofShared().allocate(n + 8).asSlice(3, n).asByteBuffer()),
                buffer("segment-auto-arena", n -> Arena.ofAuto().allocate(n, 1).asByteBuffer()),
                buffer("segment-heap", n -> java.lang.foreign.MemorySegment.ofArray(new byte[n]).asByteBuffer()),
                Scenario.data("channel.buffer-of-a-confined-arena", end -> {
                    try (Arena arena = Arena.ofConfined()) {
                        final var segment = arena.allocate(5_000);
                        fill(end.acceptChannel(), segment.asByteBuffer());
                        same(new Content(4).bytes(4_999, 1)[0], segment.get(ValueLayout.JAVA_BYTE, 4_999), "last byte");
                    }
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    try (Arena arena = Arena.ofConfined()) {
                        final ByteBuffer buffer = arena.allocate(5_000).asByteBuffer();
                        writeAll(channel, buffer.put(new Content(4).bytes(0, 5_000)).flip());
                    }
                }),
                Scenario.data("channel.read-only-buffers", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    fails(IllegalArgumentException.class, "read into a read-only buffer",
                            () -> channel.read(ByteBuffer.allocate(5).asReadOnlyBuffer()));
                    final ByteBuffer in = ByteBuffer.allocate(6_000);
                    fill(channel, in);
                    checkContent(new Content(5), in.flip(), 0);
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final ByteBuffer direct = ByteBuffer.allocateDirect(3_000).put(new Content(5).bytes(0, 3_000))
                            .flip();
                    writeAll(channel, direct.asReadOnlyBuffer());
                    writeAll(channel, ByteBuffer.wrap(new Content(5).bytes(3_000, 3_000)).asReadOnlyBuffer());
                }),
                Scenario.data("channel.huge-buffers", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    final ByteBuffer in = ByteBuffer.allocateDirect(32 << 20);
                    fill(channel, in);
                    checkContent(new Content(6), in.flip(), 0);
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    writeAll(channel, ByteBuffer.allocateDirect(32 << 20).put(new Content(6).bytes(0, 32 << 20))
                            .flip());
                }),
                Scenario.of("channel.empty-buffers", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    same(0, channel.write(ByteBuffer.allocate(0)), "write of an empty buffer");
                    same(0L, channel.write(new ByteBuffer[] {ByteBuffer.allocate(0), ByteBuffer.allocate(0)}),
                            "gathering write of empty buffers");
                    same(0L, channel.write(new ByteBuffer[0]), "gathering write of nothing");
                    channel.write(ByteBuffer.wrap(new byte[] {1}));
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    same(0, channel.read(ByteBuffer.allocate(0)), "read into an empty buffer");
                    final ByteBuffer in = ByteBuffer.allocate(3);
                    same(1L, channel.read(new ByteBuffer[] {ByteBuffer.allocate(0), in, ByteBuffer.allocate(0)}),
                            "scattering read between empty buffers");
                    same((byte) 1, in.get(0), "byte");
                }),
                Scenario.data("channel.gather-and-scatter", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    final ByteBuffer[] pieces = pieces(1, 100, 0, 7, 65_536, 3, 5_000);
                    long total = 0;
                    for (ByteBuffer last = pieces[pieces.length - 1]; last.hasRemaining();) {
                        total += channel.read(pieces);
                    }
                    same(70_647L, total, "bytes read");
                    int position = 0;
                    for (ByteBuffer piece : pieces) {
                        checkContent(new Content(7), piece.flip(), position);
                        position += piece.limit();
                    }
                    channel.write(ByteBuffer.wrap(new byte[1]));
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final ByteBuffer[] pieces = pieces(40_000, 1, 0, 30_000, 646);
                    int position = 0;
                    for (ByteBuffer piece : pieces) {
                        piece.put(new Content(7).bytes(position, piece.capacity())).flip();
                        position += piece.capacity();
                    }
                    while (pieces[pieces.length - 1].hasRemaining()) {
                        channel.write(pieces);
                    }
                    fill(channel, ByteBuffer.allocate(1));
                }),
                Scenario.data("channel.gather-with-offset-and-more-than-IOV_MAX", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    final ByteBuffer in = ByteBuffer.allocate(3_000 * 10);
                    fill(channel, in);
                    checkContent(new Content(8), in.flip(), 0);
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final ByteBuffer[] pieces = new ByteBuffer[3_002];
                    for (int i = 1; i <= 3_000; i++) {
                        pieces[i] = ByteBuffer.wrap(new Content(8).bytes((i - 1) * 10L, 10));
                    }
                    for (long sent = 0; sent < 30_000;) {
                        sent += channel.write(pieces, 1, 3_000);
                    }
                    fails(IndexOutOfBoundsException.class, "write beyond the array", () ->
                            channel.write(pieces, 5, 4_000));
                }));
    }

    private static ByteBuffer[] pieces(final int... sizes) {
        final ByteBuffer[] pieces = new ByteBuffer[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            pieces[i] = i % 2 == 0 ? ByteBuffer.allocate(sizes[i]) : ByteBuffer.allocateDirect(sizes[i]);
        }
        return pieces;
    }

    private static List<Scenario> modes() {
        return List.of(
                Scenario.of("channel.non-blocking-read-returns-0-then-bytes-then-end", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    end.hear("empty");
                    channel.write(ByteBuffer.wrap(new byte[10]));
                    end.hear("read");
                    channel.shutdownOutput();
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    channel.configureBlocking(false);
                    final ByteBuffer in = ByteBuffer.allocate(100);
                    same(0, channel.read(in), "read when nothing is there");
                    same(0L, channel.read(new ByteBuffer[] {in}), "scattering read when nothing is there");
                    end.say("empty");
                    End.until("10 bytes arrive", 3_000, () -> channel.read(in) >= 0 && in.position() == 10);
                    same(0, channel.read(in), "read when all was read");
                    end.say("read");
                    End.until("the end arrives", 3_000, () -> channel.read(in) == -1);
                    same(-1, channel.read(in), "read again at the end");
                }),
                Scenario.data("channel.non-blocking-write-is-partial-when-the-peer-does-not-read", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    final int total = end.hearInt("total");
                    final ByteBuffer in = ByteBuffer.allocate(total);
                    fill(channel, in);
                    checkContent(new Content(9), in.flip(), 0);
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    channel.configureBlocking(false);
                    final Content content = new Content(9);
                    int total = 0;
                    for (int quiet = 0; quiet < 20;) {
                        final int n = channel.write(ByteBuffer.wrap(content.bytes(total, 300_000)));
                        total += n;
                        check(total < 200_000_000, "somewhere the stream is full");
                        quiet = n == 0 ? quiet + 1 : 0;
                        Thread.sleep(n == 0 ? 10 : 0);
                    }
                    same(0, channel.write(ByteBuffer.wrap(new byte[1])), "write of one byte when full");
                    same(0L, channel.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[1])}),
                            "gathering write when full");
                    end.say("total", total);
                }),
                Scenario.data("channel.configureBlocking-toggles-in-mid-stream", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    final ByteBuffer in = ByteBuffer.allocate(1 << 20);
                    for (int i = 0; in.hasRemaining(); i++) {
                        channel.configureBlocking(i % 2 == 0);
                        in.limit(Math.min(in.capacity(), in.position() + 10_000));
                        while (in.hasRemaining()) {
                            check(channel.read(in) >= (channel.isBlocking() ? 1 : 0), "bytes before the end");
                        }
                        in.limit(in.capacity());
                    }
                    checkContent(new Content(10), in.flip(), 0);
                    channel.configureBlocking(true);
                    channel.write(ByteBuffer.wrap(new byte[1]));
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final ByteBuffer out = ByteBuffer.wrap(new Content(10).bytes(0, 1 << 20));
                    for (int i = 0; out.hasRemaining(); i++) {
                        channel.configureBlocking(i % 2 == 1);
                        out.limit(Math.min(out.capacity(), out.position() + 7_000));
                        writeAll(channel, out);
                        out.limit(out.capacity());
                    }
                    channel.configureBlocking(true);
                    fill(channel, ByteBuffer.allocate(1));
                }),
                Scenario.of("channel.mode-errors", end -> end.acceptChannel(), end -> {
                    final SocketChannel channel = end.dialChannel();
                    channel.configureBlocking(false);
                    fails(IllegalBlockingModeException.class, "adaptor's read on a non-blocking channel",
                            () -> channel.socket().getInputStream().read());
                    try (Selector selector = Selector.open()) {
                        final SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                        fails(IllegalBlockingModeException.class, "configureBlocking(true) while registered",
                                () -> channel.configureBlocking(true));
                        key.cancel();
                        selector.selectNow();
                        channel.configureBlocking(true);
                    }
                    final SocketChannel fresh = end.keep(SocketChannel.open());
                    fails(NotYetConnectedException.class, "read before connect", () ->
                            fresh.read(ByteBuffer.allocate(1)));
                    fails(NotYetConnectedException.class, "write before connect", () ->
                            fresh.write(ByteBuffer.allocate(1)));
                    fails(NotYetConnectedException.class, "shutdownInput before connect", fresh::shutdownInput);
                }),
                Scenario.of("channel.shutdownInput-and-shutdownOutput", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    channel.write(ByteBuffer.wrap(new byte[5]));
                    end.meet("written");
                    final ByteBuffer in = ByteBuffer.allocate(10);
                    same(3, channel.read(in), "bytes before the peer's shutdownOutput");
                    same(-1, channel.read(in), "end of stream");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    end.meet("written");
                    same(channel, channel.shutdownInput(), "shutdownInput returns the channel");
                    same(-1, channel.read(ByteBuffer.allocate(3)), "read after shutdownInput");
                    channel.shutdownInput();
                    channel.write(ByteBuffer.wrap(new byte[3]));
                    channel.shutdownOutput();
                    channel.shutdownOutput();
                    end.see("write after shutdownOutput",
                            LifeScenarios.outcome(() -> channel.write(ByteBuffer.allocate(1))));
                    check(channel.isOpen() && channel.isConnected(), "still open");
                }),
                Scenario.of("channel.shutdownInput-wakes-the-blocked-reader", end -> end.acceptChannel(), end -> {
                    final SocketChannel channel = end.dialChannel();
                    final var reader = end.start(() -> channel.read(ByteBuffer.allocate(1)));
                    Thread.sleep(200);
                    channel.shutdownInput();
                    same(-1, End.await(reader, 3_000), "blocked read when shutdownInput is called");
                }),
                Scenario.data("channel.streams-of-Channels", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    final InputStream in = Channels.newInputStream(channel);
                    final var back = Channels.newOutputStream((ByteChannel) channel);
                    in.transferTo(back);
                    channel.shutdownOutput();
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    end.start(() -> {
                        Channels.newOutputStream((ByteChannel) channel).write(new Content(11).bytes(0, 300_000));
                        channel.shutdownOutput();
                        return null;
                    });
                    End.readAndCheck(Channels.newInputStream(channel), new Content(11), 0, 300_000);
                }));
    }

    private static List<Scenario> connecting() {
        return List.of(
                Scenario.of("channel.finishConnect-non-blocking", end -> {
                    end.acceptChannel().write(ByteBuffer.wrap(new byte[] {7}));
                }, end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open());
                    channel.configureBlocking(false);
                    fails(NoConnectionPendingException.class, "finishConnect before connect", channel::finishConnect);
                    final InetSocketAddress address = end.peerAddress();
                    if (!channel.connect(address)) {
                        check(channel.isConnectionPending() && !channel.isConnected(), "connection pending");
                        fails(ConnectionPendingException.class, "connect while pending", () ->
                                channel.connect(address));
                        End.until("finishConnect succeeds", 3_000, channel::finishConnect);
                    }
                    check(channel.isConnected() && !channel.isConnectionPending(), "connected");
                    check(channel.finishConnect(), "finishConnect again is true");
                    fails(AlreadyConnectedException.class, "connect again", () -> channel.connect(address));
                    final ByteBuffer in = ByteBuffer.allocate(1);
                    End.until("byte arrives", 3_000, () -> channel.read(in) == 1);
                    same((byte) 7, in.get(0), "byte");
                }),
                Scenario.of("channel.finishConnect-with-selector", end -> {
                    end.acceptChannel().write(ByteBuffer.wrap(new byte[] {7}));
                }, end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open());
                    channel.configureBlocking(false);
                    final Selector selector = end.keep(Selector.open());
                    final boolean at = channel.connect(end.peerAddress());
                    final SelectionKey key = channel.register(selector, at ? 0 : SelectionKey.OP_CONNECT);
                    if (!at) {
                        same(1, selector.select(3_000), "keys selected");
                        check(key.isConnectable(), "connectable");
                        check(channel.finishConnect(), "finishConnect");
                        selector.selectedKeys().clear();
                    }
                    key.interestOps(SelectionKey.OP_READ);
                    same(1, selector.select(3_000), "keys selected for reading");
                    same(1, channel.read(ByteBuffer.allocate(5)), "bytes");
                }),
                Scenario.of("channel.finishConnect-in-blocking-mode", end -> end.acceptChannel(), end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open());
                    channel.configureBlocking(false);
                    channel.connect(end.peerAddress());
                    channel.configureBlocking(true);
                    check(channel.finishConnect(), "finishConnect blocks until connected");
                }),
                Scenario.of("channel.connect-refused-blocking", ChannelScenarios::closedPort, end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open());
                    final InetSocketAddress address = end.peerAddress();
                    fails(ConnectException.class, "connect", () -> channel.connect(address), "Connection refused");
                    check(!channel.isOpen(), "a channel whose connect failed is closed");
                }),
                Scenario.of("channel.connect-refused-non-blocking", ChannelScenarios::closedPort, end -> {
                    final SocketChannel channel = end.keep(SocketChannel.open());
                    channel.configureBlocking(false);
                    final InetSocketAddress address = end.peerAddress();
                    final Selector selector = end.keep(Selector.open());
                    final SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
                    fails(ConnectException.class, "connect and finishConnect", () -> {
                        check(!channel.connect(address), "not connected");
                        same(1, selector.select(3_000), "keys selected");
                        check(key.isConnectable(), "connectable");
                        channel.finishConnect();
                    }, "Connection refused");
                    check(!channel.isOpen(), "a channel whose connect failed is closed");
                }),
                Scenario.of("channel.accept-non-blocking", end -> {
                    final ServerSocketChannel listener = end.listenChannel();
                    listener.configureBlocking(false);
                    same(null, listener.accept(), "accept when nobody is there");
                    end.say("go");
                    final SocketChannel[] accepted = new SocketChannel[1];
                    End.until("a connection arrives", 3_000, () -> (accepted[0] = listener.accept()) != null);
                    final SocketChannel channel = end.keep(accepted[0]);
                    check(channel.isBlocking(), "an accepted channel is blocking whatever its listener is");
                    channel.write(ByteBuffer.wrap(new byte[2]));
                }, end -> {
                    final InetSocketAddress address = end.peerAddress();
                    end.hear("go");
                    fill(end.keep(SocketChannel.open(address)), ByteBuffer.allocate(2));
                }),
                Scenario.data("channel.many-short-connections", end -> {
                    final ServerSocketChannel listener = end.listenChannel();
                    for (int i = 0; i < 200; i++) {
                        try (SocketChannel channel = listener.accept()) {
                            final ByteBuffer buffer = ByteBuffer.allocate(50);
                            fill(channel, buffer);
                            writeAll(channel, buffer.flip());
                        }
                    }
                }, end -> {
                    final InetSocketAddress address = end.peerAddress();
                    for (int i = 0; i < 200; i++) {
                        try (SocketChannel channel = SocketChannel.open(address)) {
                            writeAll(channel, ByteBuffer.wrap(new Content(i).bytes(0, 50)));
                            final ByteBuffer buffer = ByteBuffer.allocate(60);
                            while (channel.read(buffer) >= 0) {
                                check(buffer.position() <= 50, "no more than 50 bytes");
                            }
                            same(50, buffer.position(), "bytes before the end");
                            checkContent(new Content(i), buffer.flip(), 0);
                        }
                    }
                }));
    }

    private static void closedPort(final End end) throws IOException {
        final ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(End.here(), 0));
        final int port = listener.socket().getLocalPort();
        listener.close();
        end.say("port", port);
    }

    private static List<Scenario> adaptors() {
        return List.of(
                Scenario.of("channel.adaptor-read-timeout-and-usable-afterwards", end -> {
                    final Socket socket = end.acceptChannel().socket();
                    end.hear("timed-out");
                    socket.getOutputStream().write(new byte[100]);
                    end.hear("done");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final Socket socket = channel.socket();
                    socket.setSoTimeout(200);
                    final long start = System.nanoTime();
                    final SocketTimeoutException e =
                            fails(SocketTimeoutException.class, "timed read", () -> socket.getInputStream().read());
                    took(start, 190, 1_500, "timed read");
                    end.see("message", e.getMessage());
                    end.say("timed-out");
                    same(100, socket.getInputStream().readNBytes(100).length, "bytes after the timeout");
                    socket.setSoTimeout(0);
                    check(channel.isOpen() && channel.isBlocking(), "channel open and blocking");
                    end.say("done");
                }),
                Scenario.of("channel.adaptor-accept-timeout", end -> {
                    final ServerSocketChannel listener = end.keep(ServerSocketChannel.open());
                    listener.bind(new InetSocketAddress(End.here(), 0));
                    listener.socket().setSoTimeout(150);
                    fails(SocketTimeoutException.class, "timed accept", () -> listener.socket().accept());
                    listener.socket().setSoTimeout(3_000);
                    end.say("port", listener.socket().getLocalPort());
                    final Socket socket = end.keep(listener.socket().accept());
                    check(socket.getChannel() != null, "a socket accepted by an adaptor has a channel");
                    socket.getOutputStream().write(1);
                }, end -> same(1, end.dialChannel().socket().getInputStream().read(), "byte")),
                Scenario.of("channel.adaptor-connect-with-timeout", end -> end.acceptChannel()
                        .write(ByteBuffer.allocate(1)),
                        end -> {
                            final SocketChannel channel = end.keep(SocketChannel.open());
                            channel.socket().connect(end.peerAddress(), 3_000);
                            check(channel.isConnected(), "channel connected by its adaptor");
                            same(1, channel.read(ByteBuffer.allocate(5)), "bytes");
                        }),
                Scenario.of("channel.adaptor-urgent-data", end -> {
                    final SocketChannel channel = end.acceptChannel();
                    channel.socket().setOOBInline(true);
                    end.say("ready");
                    final ByteBuffer in = ByteBuffer.allocate(3);
                    fill(channel, in);
                    same("[1, 2, 3]", java.util.Arrays.toString(in.array()), "bytes");
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    end.hear("ready");
                    channel.write(ByteBuffer.wrap(new byte[] {1}));
                    channel.socket().sendUrgentData(2);
                    channel.write(ByteBuffer.wrap(new byte[] {3}));
                }),
                Scenario.of("channel.adaptor-available-and-close", end -> {
                    end.acceptChannel().write(ByteBuffer.allocate(33));
                }, end -> {
                    final SocketChannel channel = end.dialChannel();
                    final InputStream in = channel.socket().getInputStream();
                    End.until("33 bytes available", 3_000, () -> in.available() == 33);
                    in.read();
                    same(32, in.available(), "available");
                    channel.socket().close();
                    check(!channel.isOpen(), "closing the adaptor closes the channel");
                }));
    }
}
