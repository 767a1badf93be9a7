package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;
import static org.smc4j.it.transparency.End.took;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** {@code Socket}: resets, lingering, urgent data, closing under a blocked thread, several threads on one socket. */
final class LifeScenarios {
    private static final String[] WRITE_TO_NOBODY = {"Broken pipe", "Connection reset", "Connection reset by peer"};

    private LifeScenarios() {
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>(resets());
        all.addAll(urgent());
        all.addAll(asynchronousClose());
        all.addAll(threads());
        return all;
    }

    private static List<Scenario> resets() {
        return List.of(
                Scenario.of("life.linger-0-resets-after-the-data", end -> {
                    final Socket socket = end.accept();
                    socket.getOutputStream().write(new Content(1).bytes(0, 1000));
                    end.hear("ready");
                    socket.setSoLinger(true, 0);
                    socket.close();
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    End.until("1000 bytes available", 3_000, () -> socket.getInputStream().available() == 1000);
                    end.say("ready");
                    end.hear("closed");
                    End.readAndCheck(socket.getInputStream(), new Content(1), 0, 1000);
                    resetIsSticky(socket);
                }),
                Scenario.of("life.linger-0-resets-a-blocked-reader", end -> {
                    final Socket socket = end.accept();
                    end.hear("reading");
                    End.pause();
                    socket.setSoLinger(true, 0);
                    socket.close();
                }, end -> {
                    final Socket socket = end.dial();
                    end.say("reading");
                    resetIsSticky(socket);
                }),
                Scenario.of("life.linger-0-resets-a-blocked-writer", end -> {
                    final Socket socket = end.accept();
                    end.hear("writing");
                    Thread.sleep(300);
                    socket.setSoLinger(true, 0);
                    socket.close();
                }, end -> {
                    final Socket socket = end.dial();
                    end.say("writing");
                    fails(SocketException.class, "write to a peer that resets", () -> writeForever(socket),
                            WRITE_TO_NOBODY);
                }),
                Scenario.of("life.close-with-unread-data-breaks-the-first-write", end -> {
                    final Socket socket = end.accept();
                    End.until("bytes available", 3_000, () -> socket.getInputStream().available() > 0);
                    socket.close();
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    socket.getOutputStream().write(new byte[100]);
                    end.hear("closed");
                    End.pause();
                    brokenByUnreadData(end, socket);
                }),
                Scenario.of("life.close-with-unread-data-after-an-answer", end -> {
                    final Socket socket = end.accept();
                    End.until("bytes available", 3_000, () -> socket.getInputStream().available() > 0);
                    socket.getOutputStream().write(new Content(2).bytes(0, 500));
                    end.hear("answered");
                    socket.close();
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    socket.getOutputStream().write(new byte[100]);
                    End.until("500 bytes available", 3_000, () -> socket.getInputStream().available() == 500);
                    end.say("answered");
                    end.hear("closed");
                    End.pause();
                    End.readAndCheck(socket.getInputStream(), new Content(2), 0, 500);
                    brokenByUnreadData(end, socket);
                }),
                Scenario.of("life.write-after-the-peer-closed", end -> {
                    end.accept().close();
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("closed");
                    fails(SocketException.class, "writes after the peer closed", () -> writeForever(socket),
                            WRITE_TO_NOBODY);
                    fails(SocketException.class, "one more write", () -> socket.getOutputStream().write(1),
                            WRITE_TO_NOBODY);
                }),
                Scenario.of("life.first-write-after-the-peer-closed-succeeds", end -> {
                    end.accept().close();
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("closed");
                    same(-1, socket.getInputStream().read(), "end of stream");
                    // TCP cannot know yet whether the peer only shut its output.
                    socket.getOutputStream().write(1);
                    End.pause();
                    fails(SocketException.class, "second write", () -> socket.getOutputStream().write(1),
                            WRITE_TO_NOBODY);
                }),
                Scenario.of("life.write-after-reset", end -> {
                    final Socket socket = end.accept();
                    socket.setSoLinger(true, 0);
                    socket.close();
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("closed");
                    End.pause();
                    fails(SocketException.class, "write after a reset", () -> socket.getOutputStream().write(1),
                            WRITE_TO_NOBODY);
                    check(!socket.isClosed(), "a reset does not close the socket object");
                }),
                Scenario.of("life.data-sent-before-close-arrives", end -> {
                    try (Socket socket = end.accept()) {
                        socket.getOutputStream().write(new Content(3).bytes(0, 60_000));
                    }
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("closed");
                    End.readAndCheck(socket.getInputStream(), new Content(3), 0, 60_000);
                    same(-1, socket.getInputStream().read(), "end of stream");
                }),
                Scenario.data("life.linger-positive-delivers-to-a-slow-reader", end -> {
                    try (Socket socket = end.accept()) {
                        socket.setSoLinger(true, 10);
                        socket.getOutputStream().write(new Content(4).bytes(0, 3_000_000));
                    }
                }, end -> {
                    final InputStream in = end.dial().getInputStream();
                    Thread.sleep(300);
                    End.readAndCheck(in, new Content(4), 0, 3_000_000);
                    same(-1, in.read(), "end of stream");
                }),
                Scenario.data("life.close-without-linger-delivers-to-a-slow-reader", end -> {
                    try (Socket socket = end.accept()) {
                        socket.getOutputStream().write(new Content(4).bytes(0, 3_000_000));
                    }
                }, end -> {
                    final InputStream in = end.dial().getInputStream();
                    Thread.sleep(300);
                    End.readAndCheck(in, new Content(4), 0, 3_000_000);
                    same(-1, in.read(), "end of stream");
                }),
                Scenario.of("life.close-does-not-wait-for-the-reader", end -> {
                    final Socket socket = end.accept();
                    final byte[] block = new byte[100];
                    socket.getOutputStream().write(block);
                    final long start = System.nanoTime();
                    socket.close();
                    took(start, 0, 500, "close without linger while nobody reads");
                    end.say("closed");
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("closed");
                    same(100, socket.getInputStream().readAllBytes().length, "bytes");
                }),
                Scenario.of("life.reset-while-both-directions-are-full", end -> {
                    final Socket socket = end.accept();
                    final FutureTask<Void> writer = expectBrokenWriter(end, socket);
                    end.hear("full");
                    Thread.sleep(200);
                    socket.close();
                    End.await(writer, 5_000);
                }, end -> {
                    final Socket socket = end.dial();
                    end.say("full");
                    fails(SocketException.class, "write", () -> writeForever(socket), WRITE_TO_NOBODY);
                }));
    }

    private static FutureTask<Void> expectBrokenWriter(final End end, final Socket socket) {
        return end.start(() -> {
            fails(SocketException.class, "blocked write on a socket that is closed here", () -> writeForever(socket),
                    "Socket closed");
            return null;
        });
    }

    private static void writeForever(final Socket socket) throws IOException {
        final byte[] block = new byte[50_000];
        for (long i = 0; i < 10_000; i++) {
            socket.getOutputStream().write(block);
        }
    }

    private static void resetIsSticky(final Socket socket) {
        for (int i = 0; i < 3; i++) {
            fails(SocketException.class, "read after a reset", () -> socket.getInputStream().read(),
                    "Connection reset");
        }
    }

    /** The JDK sends a FIN before the RST of the kernel: readers see the end of the stream, writers the RST. */
    private static void brokenByUnreadData(final End end, final Socket socket) throws IOException {
        same(-1, socket.getInputStream().read(), "read after the peer closed with unread data");
        same(-1, socket.getInputStream().read(), "second read after the peer closed with unread data");
        final SocketException broken = fails(SocketException.class,
                "first write after the peer closed with unread data",
                () -> socket.getOutputStream().write(1), WRITE_TO_NOBODY);
        end.see("message of the first write", broken.getMessage());
        end.see("available", socket.getInputStream().available());
        end.see("read after the failed write", outcome(() -> socket.getInputStream().read()));
    }

    /** A result or an exception as text. */
    static String outcome(final End.Op op) {
        try {
            return String.valueOf(op.run());
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static List<Scenario> urgent() {
        return List.of(
                Scenario.of("life.urgent-byte-is-dropped-without-OOBINLINE", end -> {
                    final Socket socket = end.accept();
                    same(false, socket.getOOBInline(), "default of OOBINLINE");
                    end.say("ready");
                    End.readAndCheckBytes(socket.getInputStream(), new byte[] {1, 2, 4, 5});
                    same(-1, socket.getInputStream().read(), "end of stream");
                }, end -> urgentClient(end)),
                Scenario.of("life.urgent-byte-is-in-the-stream-with-OOBINLINE", end -> {
                    final Socket socket = end.accept();
                    socket.setOOBInline(true);
                    end.say("ready");
                    End.readAndCheckBytes(socket.getInputStream(), new byte[] {1, 2, 3, 4, 5});
                    same(-1, socket.getInputStream().read(), "end of stream");
                }, end -> urgentClient(end)),
                Scenario.of("life.urgent-byte-in-the-middle-of-a-long-stream", end -> {
                    final Socket socket = end.accept();
                    socket.setOOBInline(true);
                    end.say("ready");
                    End.readAndCheck(socket.getInputStream(), new Content(6), 0, 300_000);
                    same(99, socket.getInputStream().read(), "the urgent byte");
                    End.readAndCheck(socket.getInputStream(), new Content(6), 300_000, 300_000);
                    same(-1, socket.getInputStream().read(), "end of stream");
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("ready");
                    socket.getOutputStream().write(new Content(6).bytes(0, 300_000));
                    socket.sendUrgentData(99);
                    socket.getOutputStream().write(new Content(6).bytes(300_000, 300_000));
                    socket.shutdownOutput();
                }),
                Scenario.of("life.urgent-byte-first", end -> {
                    final Socket socket = end.accept();
                    socket.setOOBInline(true);
                    end.say("ready");
                    same(7, socket.getInputStream().read(), "the urgent byte");
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("ready");
                    socket.sendUrgentData(7);
                }),
                Scenario.of("life.many-urgent-bytes-with-OOBINLINE", end -> {
                    final Socket socket = end.accept();
                    socket.setOOBInline(true);
                    end.say("ready");
                    for (int i = 0; i < 200; i++) {
                        same(i, socket.getInputStream().read(), "byte " + i);
                        socket.getOutputStream().write(i);
                    }
                }, end -> {
                    final Socket socket = end.dial();
                    end.hear("ready");
                    for (int i = 0; i < 200; i++) {
                        if (i % 2 == 0) {
                            socket.sendUrgentData(i);
                        } else {
                            socket.getOutputStream().write(i);
                        }
                        same(i, socket.getInputStream().read(), "answer " + i);
                    }
                }),
                Scenario.of("life.urgent-data-errors", end -> end.accept(), end -> {
                    final Socket socket = end.dial();
                    socket.shutdownOutput();
                    fails(IOException.class, "urgent data after shutdownOutput", () -> socket.sendUrgentData(1),
                            "Broken pipe");
                    socket.close();
                    fails(SocketException.class, "urgent data after close", () -> socket.sendUrgentData(1),
                            "Socket closed");
                }));
    }

    private static void urgentClient(final End end) throws IOException, InterruptedException {
        final Socket socket = end.dial();
        end.hear("ready");
        socket.getOutputStream().write(new byte[] {1, 2});
        socket.sendUrgentData(3);
        socket.getOutputStream().write(new byte[] {4, 5});
        socket.shutdownOutput();
    }

    private static List<Scenario> asynchronousClose() {
        return List.of(
                Scenario.of("life.close-wakes-a-blocked-read", end -> {
                    same(-1, end.accept().getInputStream().read(), "the peer sees the end of the stream");
                }, end -> {
                    final Socket socket = end.dial();
                    closedUnder(end, socket, "read", () -> socket.getInputStream().read());
                }),
                Scenario.of("life.close-wakes-a-blocked-timed-read", end -> end.accept(), end -> {
                    final Socket socket = end.dial();
                    socket.setSoTimeout(30_000);
                    closedUnder(end, socket, "timed read", () -> socket.getInputStream().read());
                }),
                Scenario.of("life.close-wakes-a-blocked-read-after-traffic", end -> {
                    final Socket socket = end.accept();
                    same(100, socket.getInputStream().readNBytes(100).length, "bytes");
                    socket.getOutputStream().write(new byte[100]);
                    same(-1, socket.getInputStream().read(), "the peer sees the end of the stream");
                }, end -> {
                    final Socket socket = end.dial();
                    socket.getOutputStream().write(new byte[100]);
                    socket.getInputStream().readNBytes(100);
                    closedUnder(end, socket, "read", () -> socket.getInputStream().read());
                }),
                Scenario.of("life.close-wakes-a-blocked-write", end -> {
                    final Socket socket = end.accept();
                    end.hear("closed");
                    final byte[] buffer = new byte[100_000];
                    long position = 0;
                    for (int n; (n = socket.getInputStream().read(buffer)) >= 0; position += n) {
                        new Content(8).check(buffer, 0, n, position);
                    }
                    check(position > 0, "what was written before the close arrives");
                }, end -> {
                    final Socket socket = end.dial();
                    closedUnder(end, socket, "write", () -> {
                        for (long position = 0;; position += 50_000) {
                            socket.getOutputStream().write(new Content(8).bytes(position, 50_000));
                        }
                    });
                    end.say("closed");
                }),
                Scenario.of("life.close-wakes-a-blocked-accept", end -> {
                    final ServerSocket listener = end.keep(new ServerSocket(0, 5, End.here()));
                    closedUnder(end, listener, "accept", listener::accept);
                }, End::role),
                Scenario.of("life.close-wakes-a-blocked-timed-accept", end -> {
                    final ServerSocket listener = end.keep(new ServerSocket(0, 5, End.here()));
                    listener.setSoTimeout(30_000);
                    closedUnder(end, listener, "timed accept", listener::accept);
                }, End::role),
                Scenario.of("life.close-wakes-a-blocked-connect", end -> {
                    final ServerSocket full = end.keep(new ServerSocket(0, 1, End.here()));
                    end.say("port", full.getLocalPort());
                    end.hear("done");
                }, end -> {
                    final InetSocketAddress address = end.peerAddress();
                    fillBacklog(end, address);
                    final Socket socket = end.keep(new Socket());
                    closedUnder(end, socket, "connect", () -> {
                        socket.connect(address);
                        return null;
                    });
                    end.say("done");
                }),
                Scenario.of("life.interrupt-does-not-disturb-a-platform-thread", end -> {
                    final Socket socket = end.accept();
                    end.hear("interrupted");
                    socket.getOutputStream().write(5);
                }, end -> {
                    final Socket socket = end.dial();
                    final FutureTask<Boolean> reader = new FutureTask<>(() -> {
                        same(5, socket.getInputStream().read(), "byte read by the interrupted thread");
                        return Thread.interrupted();
                    });
                    final Thread thread = end.thread(false, reader);
                    End.pause();
                    thread.interrupt();
                    End.pause();
                    check(!reader.isDone(), "read of a platform thread goes on after an interrupt");
                    end.say("interrupted");
                    same(true, End.await(reader, 3_000), "interrupt flag after the read");
                }));
    }

    static void fillBacklog(final End end, final InetSocketAddress address) throws IOException {
        for (int i = 0; i < 20; i++) {
            final Socket socket = end.keep(new Socket());
            try {
                socket.connect(address, 250);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
        throw new AssertionError("a backlog of 1 took 20 connections");
    }

    private static void closedUnder(final End end, final AutoCloseable socket, final String what, final End.Op op)
            throws Exception {
        final FutureTask<SocketException> blocked = end.start(() -> fails(SocketException.class,
                "blocked " + what + " when the socket is closed", op::run, "Socket closed", "Socket is closed",
                "Closed by interrupt"));
        Thread.sleep(200);
        check(!blocked.isDone(), what + " blocks");
        socket.close();
        same("Socket closed", End.await(blocked, 3_000).getMessage(), "message of the blocked " + what);
    }

    private static List<Scenario> threads() {
        return List.of(
                Scenario.data("life.two-writers-do-not-mix-their-blocks", end -> {
                    final InputStream in = end.accept().getInputStream();
                    for (int i = 0; i < 400; i++) {
                        final byte[] block = in.readNBytes(5000);
                        final byte[] expected = new byte[5000];
                        java.util.Arrays.fill(expected, block[0]);
                        same(-1, java.util.Arrays.mismatch(expected, block), "first byte of another writer in block "
                                + i);
                    }
                }, end -> {
                    final Socket socket = end.dial();
                    for (int writer = 0; writer < 2; writer++) {
                        final byte[] block = new byte[5000];
                        java.util.Arrays.fill(block, (byte) (writer + 1));
                        end.start(() -> {
                            for (int i = 0; i < 200; i++) {
                                socket.getOutputStream().write(block);
                            }
                            return null;
                        });
                    }
                }),
                Scenario.data("life.two-readers-share-the-stream", end -> {
                    final OutputStream out = end.accept().getOutputStream();
                    for (int i = 0; i < 400; i++) {
                        out.write(new byte[5000]);
                    }
                    out.close();
                }, end -> {
                    final Socket socket = end.dial();
                    final var one = end.start(() -> socket.getInputStream()
                            .transferTo(OutputStream.nullOutputStream()));
                    final var two = end.start(() -> socket.getInputStream()
                            .transferTo(OutputStream.nullOutputStream()));
                    same(2_000_000L, End.await(one, 10_000) + End.await(two, 10_000), "bytes of both readers");
                }),
                Scenario.data("life.several-acceptors-share-a-listener", end -> {
                    final ServerSocket listener = end.listen();
                    final List<FutureTask<Integer>> acceptors = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        acceptors.add(end.start(() -> {
                            int sum = 0;
                            for (int n = 0; n < 10; n++) {
                                sum += end.keep(listener.accept()).getInputStream().read();
                            }
                            return sum;
                        }));
                    }
                    int sum = 0;
                    for (FutureTask<Integer> acceptor : acceptors) {
                        sum += End.await(acceptor, 10_000);
                    }
                    same(40 * 39 / 2, sum, "sum of the bytes of all connections");
                }, end -> {
                    final int port = end.hearInt("port");
                    for (int i = 0; i < 40; i++) {
                        end.keep(new Socket(End.there(), port)).getOutputStream().write(i);
                    }
                }));
    }
}
