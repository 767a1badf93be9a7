package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.same;

import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;

/** Full duplex from both ends with random sizes, several connections at once, content checked byte by byte. */
final class StressScenarios {
    private StressScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        for (long seed = 1; seed <= 3; seed++) {
            all.add(duplex("stress.duplex-sockets-" + seed, seed, 6, 3_000_000, false));
            all.add(duplex("stress.duplex-virtual-threads-" + seed, seed, 12, 1_500_000, true));
            all.add(channels("stress.duplex-channels-that-change-their-mode-" + seed, seed));
        }
        all.add(Scenario.data("stress.open-write-close-in-parallel", end -> {
            final ServerSocket listener = end.listen();
            final List<FutureTask<Integer>> acceptors = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                acceptors.add(end.start(() -> {
                    for (int i = 0; i < 200; i++) {
                        try (Socket socket = listener.accept()) {
                            final InputStream in = socket.getInputStream();
                            final int number = in.read() << 8 | in.read();
                            final byte[] rest = in.readAllBytes();
                            new Content(number).check(rest, 0, rest.length, 0);
                            same(length(number), rest.length, "bytes of connection " + number);
                            socket.getOutputStream().write(number & 0xff);
                        }
                    }
                    return 200;
                }));
            }
            for (FutureTask<Integer> acceptor : acceptors) {
                End.await(acceptor, 15_000);
            }
        }, end -> {
            final int port = end.hearInt("port");
            final List<FutureTask<Integer>> clients = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                final int first = thread * 200;
                clients.add(end.start(() -> {
                    for (int number = first; number < first + 200; number++) {
                        try (Socket socket = new Socket(End.there(), port)) {
                            socket.getOutputStream().write(new byte[] {(byte) (number >> 8), (byte) number});
                            socket.getOutputStream().write(new Content(number).bytes(0, length(number)));
                            socket.shutdownOutput();
                            same(number & 0xff, socket.getInputStream().read(), "answer of connection " + number);
                            same(-1, socket.getInputStream().read(), "end of connection " + number);
                        }
                    }
                    return first;
                }));
            }
            for (FutureTask<Integer> client : clients) {
                End.await(client, 15_000);
            }
        }));
        return all;
    }

    private static int length(final int number) {
        return number * 7919 % 70_000;
    }

    private static Scenario duplex(final String name, final long seed, final int connections, final int total,
            final boolean virtual) {
        return Scenario.data(name, end -> {
            final ServerSocket listener = end.listen();
            for (int i = 0; i < connections; i++) {
                talk(end, virtual, new Wire.OfSocket(end.keep(listener.accept())), seed, total, i, true);
            }
        }, end -> {
            final int port = end.hearInt("port");
            for (int i = 0; i < connections; i++) {
                talk(end, virtual, new Wire.OfSocket(end.keep(new Socket(End.there(), port))), seed, total, i,
                        false);
            }
        }).limit(30);
    }

    /** Connection i of the client need not be connection i of the server, so the first byte says which it is. */
    private static void talk(final End end, final boolean virtual, final Wire wire, final long seed, final int total,
            final int number, final boolean server) {
        end.start(virtual, () -> {
            final byte[] first = {(byte) number};
            wire.write(first, 0, 1);
            wire.read(first, 0, 1);
            final long mine = seed * 1_000 + number * 2L + (server ? 1 : 0);
            final long theirs = seed * 1_000 + first[0] * 2L + (server ? 0 : 1);
            end.start(virtual, () -> {
                DataScenarios.randomSizes(mine, total, (position, length) ->
                        wire.write(new Content(mine).bytes(position, length), 0, length));
                wire.finish();
                return null;
            });
            final SplittableRandom random = new SplittableRandom(theirs);
            final byte[] buffer = new byte[150_000];
            long position = 0;
            for (int n; (n = wire.read(buffer, 0, random.nextInt(1, buffer.length))) >= 0; position += n) {
                new Content(theirs).check(buffer, 0, n, position);
            }
            same((long) total, position, "bytes of connection " + number);
            return null;
        });
    }

    private static Scenario channels(final String name, final long seed) {
        final int total = 5_000_000;
        return Scenario.data(name, end -> {
            final ServerSocketChannel listener = end.listenChannel();
            modes(end, end.keep(listener.accept()), seed, seed + 100, total);
        }, end -> modes(end, end.dialChannel(), seed + 100, seed, total)).limit(30);
    }

    /** One thread reads and writes in turns, blocking when it cannot hurt, and in pieces of every kind of buffer. */
    private static void modes(final End end, final SocketChannel channel, final long mine, final long theirs,
            final int total)
            throws Exception {
        final SplittableRandom random = new SplittableRandom(mine * 31);
        channel.configureBlocking(false);
        final ByteBuffer direct = ByteBuffer.allocateDirect(70_000);
        final byte[] seen = new byte[70_000];
        int sent = 0;
        long received = 0;
        while (sent < total || received < total) {
            final int length = Math.min(random.nextInt(1, 70_000), total - sent);
            if (length > 0) {
                final byte[] piece = new Content(mine).bytes(sent, length);
                final ByteBuffer buffer = random.nextBoolean() ? ByteBuffer.wrap(piece) : direct.clear().put(piece)
                        .flip();
                sent += random.nextBoolean() ? channel.write(buffer)
                        : (int) channel.write(new ByteBuffer[] {buffer.slice(0, length / 2), buffer.slice(length / 2,
                                length - length / 2)});
            }
            // Everything is sent, and the peer sends until its total: blocking is safe then.
            final boolean blocking = sent == total && received < total && random.nextBoolean();
            channel.configureBlocking(blocking);
            final ByteBuffer in = random.nextBoolean() ? direct : ByteBuffer.allocate(70_000);
            in.clear().limit(random.nextInt(1, 70_000));
            final int n = channel.read(in);
            if (n < 0) {
                same((long) total, received, "bytes before the end");
                continue;
            }
            in.flip().get(seen, 0, n);
            new Content(theirs).check(seen, 0, n, received);
            received += n;
            channel.configureBlocking(false);
        }
        channel.shutdownOutput();
        end.meet("all");
    }
}
