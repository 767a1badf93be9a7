package org.smc4j.it.transparency;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Streams of bytes through every API: nothing lost, nothing added, nothing out of order. */
final class DataScenarios {
    private static final int[] SIZES = {1, 2, 7, 63, 1000, 4096, 16_383, 65_535, 65_536, 65_537, 262_145, 1 << 20,
            8 << 20};

    private DataScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        for (Wire.Kind kind : Wire.Kind.values()) {
            final String group = "data-" + kind.text() + ".";
            for (int size : SIZES) {
                all.add(exchange(group + "exchange-" + size, kind, kind, size));
            }
            all.add(pingPong(group + "ping-pong-1x500", kind, 1, 500));
            all.add(pingPong(group + "ping-pong-64x500", kind, 64, 500));
            all.add(pingPong(group + "ping-pong-5000x200", kind, 5000, 200));
            all.add(oneWay(group + "many-small-writes-13x20000", kind, 20_000 * 13, 13, 50_000));
            all.add(oneWay(group + "large-writes-small-reads", kind, 1 << 20, 1 << 18, 17));
            all.add(oneWay(group + "one-write-of-4-MiB", kind, 4 << 20, 4 << 20, 1 << 16));
            all.add(slowReader(group + "slow-reader-stops-the-writer", kind));
            all.add(serverFirst(group + "server-speaks-first", kind));
            all.add(duplex(group + "full-duplex-random-sizes", kind, 6 << 20));
            all.add(turns(group + "requests-and-answers-of-random-sizes", kind, 300));
        }
        for (Wire.Kind server : Wire.Kind.values()) {
            for (Wire.Kind client : Wire.Kind.values()) {
                if (server != client) {
                    all.add(exchange("mixed." + server.text() + "-serves-" + client.text(), server, client, 300_000));
                }
            }
        }
        return all;
    }

    private static Scenario exchange(final String name, final Wire.Kind server, final Wire.Kind client,
            final int size) {
        return Scenario.data(name, end -> {
            final Wire wire = server.accept(end);
            receive(wire, new Content(size), size, 1 << 16);
            atEnd(wire);
            send(wire, new Content(size + 1), size, 1 << 16);
            wire.finish();
        }, end -> {
            final Wire wire = client.dial(end);
            send(wire, new Content(size), size, 1 << 16);
            wire.finish();
            receive(wire, new Content(size + 1), size, 1 << 16);
            atEnd(wire);
        });
    }

    private static Scenario pingPong(final String name, final Wire.Kind kind, final int size, final int rounds) {
        return Scenario.data(name, end -> {
            final Wire wire = kind.accept(end);
            final byte[] buffer = new byte[size];
            for (int i = 0; i < rounds; i++) {
                readFully(wire, buffer);
                wire.send(buffer, 0, size);
            }
            atEnd(wire);
        }, end -> {
            final Wire wire = kind.dial(end);
            final Content content = new Content(size);
            final byte[] buffer = new byte[size];
            for (int i = 0; i < rounds; i++) {
                wire.send(content.bytes((long) i * size, size), 0, size);
                readFully(wire, buffer);
                content.check(buffer, 0, size, (long) i * size);
            }
            wire.finish();
        });
    }

    private static Scenario oneWay(final String name, final Wire.Kind kind, final int total, final int write,
            final int read) {
        return Scenario.data(name, end -> {
            final Wire wire = kind.accept(end);
            receive(wire, new Content(total), total, read);
            atEnd(wire);
        }, end -> {
            final Wire wire = kind.dial(end);
            send(wire, new Content(total), total, write);
            wire.finish();
        });
    }

    private static Scenario slowReader(final String name, final Wire.Kind kind) {
        final int total = 24 << 20;
        return Scenario.data(name, end -> {
            final Wire wire = kind.accept(end);
            end.hear("started");
            Thread.sleep(250);
            end.say("still-blocked?");
            End.same("true", end.hear("blocked"), "the writer of 24 MiB is blocked while nobody reads");
            receive(wire, new Content(total), total, 1 << 18);
            atEnd(wire);
        }, end -> {
            final Wire wire = kind.dial(end);
            end.say("started");
            final var writer = end.start(() -> {
                send(wire, new Content(total), total, 1 << 18);
                wire.finish();
                return null;
            });
            end.hear("still-blocked?");
            end.say("blocked", !writer.isDone());
        });
    }

    private static Scenario serverFirst(final String name, final Wire.Kind kind) {
        return Scenario.data(name, end -> {
            final Wire wire = kind.accept(end);
            send(wire, new Content(1), 20_000, 1_000);
            receive(wire, new Content(2), 20_000, 1_000);
            wire.finish();
        }, end -> {
            final Wire wire = kind.dial(end);
            receive(wire, new Content(1), 20_000, 30_000);
            send(wire, new Content(2), 20_000, 30_000);
            atEnd(wire);
        });
    }

    private static Scenario duplex(final String name, final Wire.Kind kind, final int total) {
        return Scenario.data(name, end -> duplex(end, kind.accept(end), 1, 2, total),
                end -> duplex(end, kind.dial(end), 2, 1, total));
    }

    private static void duplex(final End end, final Wire wire, final int mine, final int theirs, final int total)
            throws Exception {
        final var writer = end.start(() -> {
            randomSizes(mine, total, (position, length) -> {
                wire.send(new Content(mine).bytes(position, length), 0, length);
            });
            wire.finish();
            return null;
        });
        final Content content = new Content(theirs);
        final SplittableRandom random = new SplittableRandom(theirs * 7L);
        final byte[] buffer = new byte[100_000];
        long position = 0;
        for (int n; (n = wire.read(buffer, 0, random.nextInt(1, buffer.length))) >= 0; position += n) {
            content.check(buffer, 0, n, position);
        }
        End.same((long) total, position, "bytes before end of stream");
        End.await(writer, 15_000);
    }

    private static Scenario turns(final String name, final Wire.Kind kind, final int rounds) {
        return Scenario.data(name, end -> {
            final Wire wire = kind.accept(end);
            final SplittableRandom random = new SplittableRandom(rounds);
            for (int i = 0; i < rounds; i++) {
                receive(wire, new Content(i), size(random), 1 << 16);
                send(wire, new Content(-i), size(random), 1 << 16);
            }
            atEnd(wire);
        }, end -> {
            final Wire wire = kind.dial(end);
            final SplittableRandom random = new SplittableRandom(rounds);
            for (int i = 0; i < rounds; i++) {
                send(wire, new Content(i), size(random), 1 << 16);
                receive(wire, new Content(-i), size(random), 1 << 16);
            }
            wire.finish();
        });
    }

    /** Mostly small, some around the usual buffer sizes, a few large. */
    private static int size(final SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(1, 200_000);
            case 1 -> random.nextInt(65_500, 65_600);
            case 2 -> random.nextInt(4_090, 4_100);
            default -> random.nextInt(1, 500);
        };
    }

    interface Piece {
        void at(long position, int length) throws Exception;
    }

    static void randomSizes(final long seed, final int total, final Piece piece) throws Exception {
        final SplittableRandom random = new SplittableRandom(seed);
        for (int position = 0; position < total;) {
            final int length = Math.min(size(random), total - position);
            piece.at(position, length);
            position += length;
        }
    }

    static void send(final Wire wire, final Content content, final int total, final int piece) throws Exception {
        for (int position = 0; position < total; position += piece) {
            final int length = Math.min(piece, total - position);
            wire.send(content.bytes(position, length), 0, length);
        }
    }

    static void receive(final Wire wire, final Content content, final int total, final int piece) throws Exception {
        final byte[] buffer = new byte[piece];
        for (int position = 0; position < total;) {
            final int n = wire.read(buffer, 0, Math.min(piece, total - position));
            if (n <= 0) {
                throw new AssertionError("read returned " + n + " at position " + position + " of " + total);
            }
            content.check(buffer, 0, n, position);
            position += n;
        }
    }

    private static void readFully(final Wire wire, final byte[] buffer) throws Exception {
        for (int n = 0; n < buffer.length;) {
            final int read = wire.read(buffer, n, buffer.length - n);
            if (read <= 0) {
                throw new AssertionError("read returned " + read + " after " + n + " of " + buffer.length + " bytes");
            }
            n += read;
        }
    }

    /** The end of the stream is there, and stays there. */
    static void atEnd(final Wire wire) throws Exception {
        End.same(-1, wire.read(new byte[10], 0, 10), "read at the end of the stream");
        End.same(-1, wire.read(new byte[10], 0, 10), "second read at the end of the stream");
    }
}
