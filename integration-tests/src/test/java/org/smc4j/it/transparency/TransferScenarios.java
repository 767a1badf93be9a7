package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.same;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** {@code FileChannel.transferTo} and {@code transferFrom}: the paths on which the kernel moves the bytes. */
final class TransferScenarios {
    private static final int SIZE = 5_000_000;

    private TransferScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        for (boolean blocking : new boolean[] {true, false}) {
            final String mode = blocking ? "" : "-non-blocking";
            all.add(Scenario.data("transfer.file-to-socket" + mode, end -> {
                try (FileChannel file = file(SIZE)) {
                    final SocketChannel channel = end.acceptChannel();
                    channel.configureBlocking(blocking);
                    transferTo(file, 0, SIZE, channel);
                    channel.shutdownOutput();
                }
            }, end -> {
                final SocketChannel channel = end.dialChannel();
                End.readAndCheck(channel.socket().getInputStream(), new Content(1), 0, SIZE);
                same(-1, channel.read(ByteBuffer.allocate(1)), "end of stream");
            }));
            all.add(Scenario.data("transfer.file-to-socket-to-slow-reader" + mode, end -> {
                try (FileChannel file = file(SIZE)) {
                    final SocketChannel channel = end.acceptChannel();
                    channel.configureBlocking(blocking);
                    transferTo(file, 0, SIZE, channel);
                    channel.shutdownOutput();
                }
            }, end -> {
                final SocketChannel channel = end.dialChannel();
                Thread.sleep(300);
                End.readAndCheck(channel.socket().getInputStream(), new Content(1), 0, SIZE);
                same(-1, channel.read(ByteBuffer.allocate(1)), "end of stream");
            }));
            all.add(Scenario.data("transfer.socket-to-file" + mode, end -> {
                final SocketChannel channel = end.acceptChannel();
                channel.configureBlocking(blocking);
                try (FileChannel file = file(0)) {
                    for (long n = 0; n < SIZE;) {
                        n += file.transferFrom(channel, n, SIZE - n);
                    }
                    same(0L, file.transferFrom(channel, SIZE, 0), "transfer of nothing");
                    final byte[] seen = new byte[SIZE];
                    file.read(ByteBuffer.wrap(seen), 0);
                    new Content(2).check(seen, 0, SIZE, 0);
                }
                end.say("done");
            }, end -> {
                final SocketChannel channel = end.dialChannel();
                final ByteBuffer out = ByteBuffer.wrap(new Content(2).bytes(0, SIZE));
                while (out.hasRemaining()) {
                    channel.write(out);
                }
                end.hear("done");
            }));
        }
        all.add(Scenario.data("transfer.pieces-between-writes", end -> {
            try (FileChannel file = file(SIZE)) {
                final SocketChannel channel = end.acceptChannel();
                // The pieces of one stream, alternately from memory and from the file, small ones and large ones.
                int position = 0;
                for (int length : new int[] {1, 100, 10_000, 3, 70_000, 65_536, 500_000, 17, 1_000_000, 1, 300_000}) {
                    final ByteBuffer piece = ByteBuffer.wrap(new Content(1).bytes(position, length));
                    while (piece.hasRemaining()) {
                        channel.write(piece);
                    }
                    position += length;
                    transferTo(file, position, length, channel);
                    position += length;
                }
                end.say("total", position);
                channel.shutdownOutput();
            }
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            final byte[] seen = channel.socket().getInputStream().readAllBytes();
            new Content(1).check(seen, 0, seen.length, 0);
            same(end.hearInt("total"), seen.length, "bytes");
        }));
        all.add(Scenario.data("transfer.beyond-the-end-of-the-file", end -> {
            try (FileChannel file = file(1_000)) {
                final SocketChannel channel = end.acceptChannel();
                same(400L, file.transferTo(600, 5_000, channel), "bytes up to the end of the file");
                same(0L, file.transferTo(1_000, 10, channel), "bytes at the end of the file");
                same(0L, file.transferTo(2_000, 10, channel), "bytes beyond the end of the file");
                same(0L, file.transferTo(0, 0, channel), "transfer of nothing");
                channel.shutdownOutput();
            }
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            End.readAndCheck(channel.socket().getInputStream(), new Content(1), 600, 400);
            same(-1, channel.read(ByteBuffer.allocate(1)), "end of stream");
        }));
        all.add(Scenario.data("transfer.socket-to-file-up-to-the-end-of-stream", end -> {
            final SocketChannel channel = end.acceptChannel();
            try (FileChannel file = file(0)) {
                long total = 0;
                for (long n; (n = file.transferFrom(channel, total, 1 << 20)) > 0;) {
                    total += n;
                }
                same(123_456L, total, "bytes before the end");
            }
            end.say("done");
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            final ByteBuffer out = ByteBuffer.wrap(new Content(2).bytes(0, 123_456));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            channel.shutdownOutput();
            end.hear("done");
        }));
        all.add(Scenario.data("transfer.echo-through-two-files", end -> {
            final SocketChannel channel = end.acceptChannel();
            try (FileChannel file = file(0)) {
                for (long n = 0; n < 400_000;) {
                    n += file.transferFrom(channel, n, 400_000 - n);
                }
                transferTo(file, 0, 400_000, channel);
            }
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            try (FileChannel file = file(SIZE)) {
                transferTo(file, 1_111, 400_000, channel);
            }
            End.readAndCheck(channel.socket().getInputStream(), new Content(1), 1_111, 400_000);
        }));
        all.add(Scenario.of("transfer.to-a-peer-that-closed", end -> {
            end.acceptChannel().close();
            end.say("closed");
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            end.hear("closed");
            try (FileChannel file = file(SIZE)) {
                End.fails(IOException.class, "transfers to a peer that closed", () -> {
                    for (int i = 0; i < 100; i++) {
                        file.transferTo(0, SIZE, channel);
                        End.pause();
                    }
                }, "Broken pipe", "Connection reset by peer");
            }
        }));
        return all;
    }

    private static void transferTo(final FileChannel file, final long from, final long length,
            final SocketChannel channel)
            throws IOException {
        for (long n = 0; n < length;) {
            final long moved = file.transferTo(from + n, length - n, channel);
            check(moved >= 0 && moved <= length - n, "transferTo returns at most what was asked for, seen " + moved);
            if (moved == 0) {
                Thread.onSpinWait();
            }
            n += moved;
        }
    }

    /** A temporary file with content, gone when closed. */
    private static FileChannel file(final int size) throws IOException {
        final Path path = Files.createTempFile("transfer", ".bin");
        final FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        file.write(ByteBuffer.wrap(new Content(1).bytes(0, size)), 0);
        return file;
    }
}
