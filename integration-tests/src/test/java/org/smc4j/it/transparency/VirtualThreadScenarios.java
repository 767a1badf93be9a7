package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Blocking calls on virtual threads. Each scenario runs inside a recording that must not see a carrier pinned, not even
 * for a moment.
 */
final class VirtualThreadScenarios {
    private VirtualThreadScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        all.add(unpinned("socket-echo", end -> {
            final Socket socket = end.accept();
            socket.getInputStream().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        }, end -> {
            final Socket socket = end.dial();
            for (int i = 0; i < 500; i++) {
                socket.getOutputStream().write(new Content(1).bytes(i * 100L, 100));
                End.readAndCheck(socket.getInputStream(), new Content(1), i * 100L, 100);
            }
            socket.shutdownOutput();
            same(-1, socket.getInputStream().read(), "end");
        }));
        all.add(unpinned("channel-echo", end -> {
            final SocketChannel channel = end.acceptChannel();
            final ByteBuffer buffer = ByteBuffer.allocate(1_000);
            while (channel.read(buffer.clear()) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            for (int i = 0; i < 500; i++) {
                channel.write(ByteBuffer.wrap(new Content(1).bytes(i * 100L, 100)));
                End.readAndCheck(channel.socket().getInputStream(), new Content(1), i * 100L, 100);
            }
            channel.shutdownOutput();
        }));
        all.add(unpinned("large-stream-with-blocked-writer-and-reader", end -> {
            final Socket socket = end.accept();
            Thread.sleep(200);
            End.readAndCheck(socket.getInputStream(), new Content(2), 0, 8_000_000);
            Thread.sleep(200);
            socket.getOutputStream().write(1);
        }, end -> {
            final Socket socket = end.dial();
            socket.getOutputStream().write(new Content(2).bytes(0, 8_000_000));
            same(1, socket.getInputStream().read(), "answer");
        }));
        all.add(unpinned("accept-connect-and-timeouts", end -> {
            final ServerSocket listener = end.keep(new ServerSocket(0, 50, End.here()));
            listener.setSoTimeout(150);
            fails(SocketTimeoutException.class, "accept", listener::accept, "Accept timed out");
            listener.setSoTimeout(0);
            end.say("port", listener.getLocalPort());
            for (int i = 0; i < 20; i++) {
                try (Socket socket = listener.accept()) {
                    Thread.sleep(2);
                    same(i, socket.getInputStream().read(), "byte");
                }
            }
        }, end -> {
            final int port = end.hearInt("port");
            for (int i = 0; i < 20; i++) {
                try (Socket socket = new Socket(End.there(), port)) {
                    socket.setSoTimeout(i < 2 ? 100 : 3_000);
                    if (i < 2) {
                        fails(SocketTimeoutException.class, "read", () -> socket.getInputStream().read(),
                                "Read timed out");
                        socket.setSoTimeout(3_000);
                    }
                    socket.getOutputStream().write(i);
                    same(-1, socket.getInputStream().read(), "end");
                }
            }
        }));
        all.add(unpinned("select", end -> {
            final SocketChannel channel = end.acceptChannel();
            for (int i = 0; i < 100; i++) {
                channel.write(ByteBuffer.allocate(10));
                same(1, channel.read(ByteBuffer.allocate(1)), "acknowledgement");
            }
        }, end -> {
            final SocketChannel channel = end.dialChannel();
            channel.configureBlocking(false);
            final Selector selector = end.keep(Selector.open());
            channel.register(selector, SelectionKey.OP_READ);
            for (int i = 0; i < 100; i++) {
                for (int n = 0; n < 10; n += channel.read(ByteBuffer.allocate(100))) {
                    same(1, selector.select(3_000), "keys selected");
                    selector.selectedKeys().clear();
                }
                channel.write(ByteBuffer.allocate(1));
            }
        }));
        all.add(crowd("1000-sockets-echo", 1_000, false));
        all.add(crowd("1000-channels-echo", 1_000, true));
        all.addAll(interrupts());
        return all;
    }

    /** Both halves on virtual threads, under a recording; the first round only loads the classes. */
    private static Scenario unpinned(final String name, final Scenario.Half server, final Scenario.Half client) {
        return Scenario.data("virtual." + name, end -> recorded(end, server), end -> recorded(end, client)).limit(30);
    }

    private static void recorded(final End end, final Scenario.Half half) throws Exception {
        final Scenario.Half onVirtualThread = e -> End.await(e.start(true, () -> {
            half.run(e);
            return null;
        }), 25_000);
        // Class initialisation pins by nature, so the round that counts must be the second one.
        onVirtualThread.run(end);
        end.meet("warm");
        final Path file = Files.createTempFile("pinned", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.VirtualThreadPinned").withThreshold(java.time.Duration.ZERO).withStackTrace();
            recording.start();
            onVirtualThread.run(end);
            recording.stop();
            recording.dump(file);
            final List<RecordedEvent> pinned = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
                    .filter(event -> !isOfPollerStart(event)).toList();
            if (!pinned.isEmpty()) {
                throw new AssertionError(pinned.size() + " times a virtual thread pinned its carrier, for example:\n"
                        + pinned.stream().limit(3).map(RecordedEvent::toString).collect(Collectors.joining("\n")));
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /**
     * The JDK starts a poller thread for each carrier while it initialises the class of all of them, and the thread then waits for that:
     * when the first read of a virtual thread waits only in the round that counts, it is seen here, with or without an agent.
     */
    private static boolean isOfPollerStart(final RecordedEvent event) {
        return event.hasField("pinnedReason")
                && "Waited for initialization of sun.nio.ch.Poller by another thread".equals(event.getString("pinnedReason"));
    }

    /** A thread per connection, all of them talking at once. */
    private static Scenario crowd(final String name, final int connections, final boolean channels) {
        return Scenario.data("virtual." + name, end -> {
            final ServerSocketChannel listener = end.listenChannel();
            for (int i = 0; i < connections; i++) {
                final SocketChannel channel = end.keep(listener.accept());
                end.start(true, () -> {
                    final byte[] buffer = new byte[500];
                    final Wire wire = channels ? new Wire.OfChannel(channel) : new Wire.OfSocket(channel.socket());
                    for (int n; (n = wire.read(buffer, 0, buffer.length)) >= 0;) {
                        wire.write(buffer, 0, n);
                    }
                    channel.close();
                    return null;
                });
            }
            end.hear("done");
        }, end -> {
            final var address = end.peerAddress();
            final List<FutureTask<?>> clients = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                final Content content = new Content(i);
                final Wire wire = channels ? new Wire.OfChannel(end.keep(SocketChannel.open(address)))
                        : new Wire.OfSocket(end.keep(new Socket(address.getAddress(), address.getPort())));
                clients.add(end.start(true, () -> {
                    for (int round = 0; round < 3; round++) {
                        wire.write(content.bytes(round * 400L, 400), 0, 400);
                        final byte[] buffer = new byte[400];
                        for (int n = 0; n < 400;) {
                            final int read = wire.read(buffer, n, 400 - n);
                            if (read <= 0) {
                                throw new AssertionError("read returned " + read + " at position "
                                        + (round * 400 + n) + " of the echo of 1200 bytes");
                            }
                            n += read;
                        }
                        content.check(buffer, 0, 400, round * 400L);
                    }
                    wire.finish();
                    return null;
                }));
            }
            for (FutureTask<?> client : clients) {
                End.await(client, 25_000);
            }
            end.say("done");
        }).limit(40);
    }

    private static List<Scenario> interrupts() {
        return List.of(
                interrupt("read", socket -> socket.getInputStream().read()),
                interrupt("write", socket -> {
                    while (true) {
                        socket.getOutputStream().write(new byte[100_000]);
                    }
                }),
                close("read", socket -> socket.getInputStream().read()),
                close("write", socket -> {
                    while (true) {
                        socket.getOutputStream().write(new byte[100_000]);
                    }
                }),
                Scenario.of("virtual.interrupt-of-accept", end -> {
                    final ServerSocket listener = end.keep(new ServerSocket(0, 5, End.here()));
                    interrupted(end, "accept", listener::accept);
                    check(listener.isClosed(), "an interrupt closes the listener");
                }, End::role),
                Scenario.of("virtual.close-of-accept", end -> {
                    final ServerSocket listener = end.keep(new ServerSocket(0, 5, End.here()));
                    final FutureTask<?> blocked = end.start(true, () ->
                            fails(SocketException.class, "accept when closed", listener::accept, "Socket closed"));
                    Thread.sleep(150);
                    listener.close();
                    End.await(blocked, 3_000);
                }, End::role),
                Scenario.of("virtual.interrupt-of-connect", end -> {
                    final ServerSocket full = end.keep(new ServerSocket(0, 1, End.here()));
                    end.say("port", full.getLocalPort());
                    end.hear("done");
                }, end -> {
                    final var address = end.peerAddress();
                    LifeScenarios.fillBacklog(end, address);
                    final Socket socket = end.keep(new Socket());
                    interrupted(end, "connect", () -> {
                        socket.connect(address);
                        return null;
                    });
                    check(socket.isClosed(), "an interrupt closes the socket");
                    end.say("done");
                }));
    }

    private interface Blocking {
        Object run(Socket socket) throws IOException;
    }

    private static Scenario interrupt(final String what, final Blocking op) {
        return Scenario.of("virtual.interrupt-of-" + what, end -> {
            final Socket socket = end.accept();
            end.hear("interrupted");
            end.see("bytes end with", LifeScenarios.outcome(() -> {
                socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                return "end of stream";
            }));
        }, end -> {
            final Socket socket = end.dial();
            interrupted(end, what, () -> op.run(socket));
            check(socket.isClosed(), "an interrupt closes the socket of a virtual thread");
            end.say("interrupted");
        });
    }

    private static Scenario close(final String what, final Blocking op) {
        return Scenario.of("virtual.close-of-" + what, End::accept, end -> {
            final Socket socket = end.dial();
            final FutureTask<?> blocked = end.start(true, () ->
                    fails(SocketException.class, what + " when closed", () -> op.run(socket), "Socket closed"));
            Thread.sleep(180);
            check(!blocked.isDone(), what + " blocks");
            socket.close();
            End.await(blocked, 3_000);
        });
    }

    private static void interrupted(final End end, final String what, final End.Op op) throws Exception {
        final FutureTask<Boolean> blocked = new FutureTask<>(() -> {
            fails(SocketException.class, "interrupted " + what, op::run, "Closed by interrupt");
            return Thread.currentThread().isInterrupted();
        });
        final Thread thread = end.thread(true, blocked);
        Thread.sleep(180);
        check(!blocked.isDone(), what + " blocks");
        thread.interrupt();
        same(true, End.await(blocked, 3_000), "interrupt flag after the exception");
    }
}
