package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;
import static org.smc4j.it.transparency.End.took;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Scanner;

/** {@code Socket} and {@code ServerSocket}: streams, timeouts, half-close, available. */
final class StreamScenarios {
    private StreamScenarios() {
    }

    static List<Scenario> all() {
        return List.of(
                Scenario.data("stream.single-bytes-with-read", end -> {
                    final OutputStream out = end.accept().getOutputStream();
                    for (int i = 0; i < 256; i++) {
                        out.write(i);
                    }
                }, end -> {
                    final InputStream in = end.dial().getInputStream();
                    for (int i = 0; i < 256; i++) {
                        same(i, in.read(), "byte " + i);
                    }
                }),
                Scenario.of("stream.zero-length-operations", end -> {
                    final Socket socket = end.accept();
                    socket.getOutputStream().write(new byte[0]);
                    socket.getOutputStream().write(9);
                    same(1, socket.getInputStream().read(), "the peer's byte");
                }, end -> {
                    final Socket socket = end.dial();
                    same(0, socket.getInputStream().read(new byte[0]), "read into an empty array");
                    same(0, socket.getInputStream().read(new byte[4], 2, 0), "read of length 0");
                    same(9, socket.getInputStream().read(), "the byte after an empty write");
                    socket.getOutputStream().write(1);
                }),
                Scenario.of("stream.illegal-ranges", end -> end.accept().getOutputStream().write(5), end -> {
                    final Socket socket = end.dial();
                    fails(IndexOutOfBoundsException.class, "read beyond the array",
                            () -> socket.getInputStream().read(new byte[4], 2, 3));
                    fails(IndexOutOfBoundsException.class, "write beyond the array",
                            () -> socket.getOutputStream().write(new byte[4], -1, 3));
                    fails(NullPointerException.class, "read(null)", () -> socket.getInputStream().read(null, 0, 1));
                    same(5, socket.getInputStream().read(), "the socket still works");
                }),
                Scenario.data("stream.data-and-object-streams", end -> {
                    final Socket socket = end.accept();
                    final DataInputStream in = new DataInputStream(socket.getInputStream());
                    same(42L, in.readLong(), "long");
                    same("grüße", in.readUTF(), "string");
                    final ObjectOutputStream out = new ObjectOutputStream(socket.getOutputStream());
                    out.writeObject(List.of(1, "two", 3.0));
                    out.flush();
                }, end -> {
                    final Socket socket = end.dial();
                    final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.writeLong(42);
                    out.writeUTF("grüße");
                    same(List.of(1, "two", 3.0), new ObjectInputStream(socket.getInputStream()).readObject(), "object");
                }),
                Scenario.data("stream.text-lines", end -> {
                    final PrintStream out = new PrintStream(end.accept().getOutputStream(), true,
                            StandardCharsets.UTF_8);
                    for (int i = 0; i < 2000; i++) {
                        out.println("line " + i);
                    }
                    out.close();
                }, end -> {
                    final Scanner scanner = new Scanner(end.dial().getInputStream(), StandardCharsets.UTF_8);
                    for (int i = 0; i < 2000; i++) {
                        same("line " + i, scanner.nextLine(), "line");
                    }
                    check(!scanner.hasNextLine(), "the stream ends after the last line");
                }),
                Scenario.data("stream.transferTo-and-readAllBytes", end -> {
                    end.accept().getInputStream().transferTo(end.keep(new Socket(End.there(), end.hearInt("back")))
                            .getOutputStream());
                    end.say("copied");
                    end.hear("checked");
                }, end -> {
                    final ServerSocket back = end.keep(new ServerSocket(0, 5, End.here()));
                    final int port = end.hearInt("port");
                    final Socket out = end.keep(new Socket(End.there(), port));
                    end.say("back", back.getLocalPort());
                    final Socket in = end.keep(back.accept());
                    final Content content = new Content(77);
                    out.getOutputStream().write(content.bytes(0, 500_000));
                    out.shutdownOutput();
                    End.readAndCheck(in.getInputStream(), content, 0, 500_000);
                    end.hear("copied");
                    end.say("checked");
                }),
                Scenario.data("stream.skip", end -> {
                    end.accept().getOutputStream().write(new Content(3).bytes(0, 100_000));
                }, end -> {
                    final InputStream in = end.dial().getInputStream();
                    in.skipNBytes(70_001);
                    End.readAndCheck(in, new Content(3), 70_001, 29_999);
                }),
                Scenario.of("stream.available-counts-what-is-there", end -> {
                    final Socket socket = end.accept();
                    socket.getOutputStream().write(new byte[100]);
                    end.hear("read");
                    socket.getOutputStream().write(new byte[1000]);
                    socket.shutdownOutput();
                    end.hear("done");
                }, end -> {
                    final Socket socket = end.dial();
                    final InputStream in = socket.getInputStream();
                    End.until("100 bytes available", 3_000, () -> in.available() == 100);
                    in.read(new byte[40]);
                    same(60, in.available(), "available after reading 40 of 100");
                    in.readNBytes(60);
                    same(0, in.available(), "available after reading all");
                    end.say("read");
                    End.until("1000 bytes available", 3_000, () -> in.available() == 1000);
                    in.readNBytes(1000);
                    same(-1, in.read(), "end of stream");
                    same(0, in.available(), "available at the end of the stream");
                    end.say("done");
                }),
                Scenario.of("stream.read-timeout-and-usable-afterwards", end -> {
                    final Socket socket = end.accept();
                    end.hear("timed-out");
                    socket.getOutputStream().write(new byte[] {1, 2, 3});
                    same(4, socket.getInputStream().read(), "byte written after the timeout");
                }, end -> {
                    final Socket socket = end.dial();
                    socket.setSoTimeout(200);
                    same(200, socket.getSoTimeout(), "SO_TIMEOUT");
                    for (int i = 0; i < 2; i++) {
                        final long start = System.nanoTime();
                        fails(SocketTimeoutException.class, "read with SO_TIMEOUT=200",
                                () -> socket.getInputStream().read(), "Read timed out");
                        took(start, 190, 1_500, "read with SO_TIMEOUT=200");
                    }
                    check(socket.isConnected() && !socket.isClosed(), "the socket stays open after a timeout");
                    end.say("timed-out");
                    End.readAndCheckBytes(socket.getInputStream(), new byte[] {1, 2, 3});
                    socket.getOutputStream().write(4);
                    fails(SocketTimeoutException.class, "third timeout", () -> socket.getInputStream().read());
                }),
                Scenario.of("stream.read-timeout-far-away-does-not-delay", end -> {
                    final Socket socket = end.accept();
                    for (int i = 0; i < 200; i++) {
                        same(i, socket.getInputStream().read(), "ping");
                        socket.getOutputStream().write(i);
                    }
                }, end -> {
                    final Socket socket = end.dial();
                    socket.setSoTimeout(60_000);
                    for (int i = 0; i < 200; i++) {
                        socket.getOutputStream().write(i);
                        same(i, socket.getInputStream().read(), "pong");
                    }
                }),
                Scenario.of("stream.accept-timeout-and-usable-afterwards", end -> {
                    final ServerSocket listener = end.keep(new ServerSocket(0, 5, End.here()));
                    listener.setSoTimeout(200);
                    final long start = System.nanoTime();
                    fails(SocketTimeoutException.class, "accept with SO_TIMEOUT=200", listener::accept,
                            "Accept timed out");
                    took(start, 190, 1_500, "accept with SO_TIMEOUT=200");
                    end.say("port", listener.getLocalPort());
                    listener.setSoTimeout(5_000);
                    final Socket socket = end.keep(listener.accept());
                    same(0, socket.getSoTimeout(), "SO_TIMEOUT of an accepted socket");
                    same(8, socket.getInputStream().read(), "byte");
                }, end -> end.dial().getOutputStream().write(8)),
                Scenario.of("stream.connect-with-timeout", end -> end.accept().getOutputStream().write(6), end -> {
                    final Socket socket = end.keep(new Socket());
                    socket.connect(end.peerAddress(), 5_000);
                    same(6, socket.getInputStream().read(), "byte");
                }),
                Scenario.of("stream.connect-times-out", end -> {
                    final ServerSocket full = end.keep(new ServerSocket(0, 1, End.here()));
                    end.say("port", full.getLocalPort());
                    end.hear("done");
                }, end -> {
                    final InetSocketAddress address = end.peerAddress();
                    // Nobody accepts: after a few connections the kernel drops the SYN, and connect can only time out.
                    SocketTimeoutException seen = null;
                    final Socket last = new Socket();
                    Socket socket = last;
                    for (int i = 0; i < 20 && seen == null; i++) {
                        socket = end.keep(new Socket());
                        final long start = System.nanoTime();
                        try {
                            socket.connect(address, 300);
                        } catch (SocketTimeoutException e) {
                            seen = e;
                            took(start, 290, 2_000, "connect with timeout 300");
                        }
                    }
                    check(seen != null, "connect to a full backlog times out");
                    same("Connect timed out", seen.getMessage(), "message");
                    check(socket.isClosed(), "a socket whose connect timed out is closed");
                    end.say("done");
                }),
                Scenario.of("stream.connect-refused", end -> {
                    final ServerSocket listener = new ServerSocket(0, 5, End.here());
                    listener.close();
                    end.say("port", listener.getLocalPort());
                }, end -> {
                    final InetSocketAddress address = end.peerAddress();
                    final Socket socket = end.keep(new Socket());
                    fails(ConnectException.class, "connect to a closed port", () -> socket.connect(address),
                            "Connection refused");
                    check(socket.isClosed(), "a socket whose connect was refused is closed");
                    fails(SocketException.class, "second connect", () -> socket.connect(address), "Socket is closed",
                            "Socket closed");
                    fails(ConnectException.class, "connect with timeout to a closed port",
                            () -> new Socket().connect(address, 1_000), "Connection refused");
                }),
                Scenario.data("stream.shutdownOutput-then-read-the-answer", end -> {
                    final Socket socket = end.accept();
                    same(50_000, socket.getInputStream().readAllBytes().length, "question");
                    socket.getOutputStream().write(new Content(4).bytes(0, 90_000));
                    socket.shutdownOutput();
                }, end -> {
                    final Socket socket = end.dial();
                    socket.getOutputStream().write(new byte[50_000]);
                    socket.shutdownOutput();
                    check(socket.isOutputShutdown() && !socket.isInputShutdown() && !socket.isClosed(), "half closed");
                    fails(SocketException.class, "write after shutdownOutput", () -> socket.getOutputStream().write(1),
                            "Socket output is shutdown", "Broken pipe");
                    fails(SocketException.class, "getOutputStream after shutdownOutput", socket::getOutputStream,
                            "Socket output is shutdown");
                    fails(SocketException.class, "second shutdownOutput", socket::shutdownOutput,
                            "Socket output is already shutdown");
                    End.readAndCheck(socket.getInputStream(), new Content(4), 0, 90_000);
                    same(-1, socket.getInputStream().read(), "end of the answer");
                }),
                Scenario.of("stream.shutdownOutput-seen-by-a-blocked-reader", end -> {
                    final Socket socket = end.accept();
                    end.hear("go");
                    End.pause();
                    socket.shutdownOutput();
                    same(7, socket.getInputStream().read(), "the other direction still works");
                }, end -> {
                    final Socket socket = end.dial();
                    end.say("go");
                    same(-1, socket.getInputStream().read(), "blocked read when the peer shuts its output down");
                    socket.getOutputStream().write(7);
                }),
                Scenario.of("stream.shutdownInput", end -> {
                    final Socket socket = end.accept();
                    socket.getOutputStream().write(new byte[100]);
                    end.meet("written");
                    same(3, socket.getInputStream().read(), "byte sent after shutdownInput");
                }, end -> {
                    final Socket socket = end.dial();
                    end.meet("written");
                    final InputStream in = socket.getInputStream();
                    socket.shutdownInput();
                    check(socket.isInputShutdown(), "isInputShutdown");
                    same(-1, in.read(), "read after shutdownInput");
                    same(0, in.available(), "available after shutdownInput");
                    fails(SocketException.class, "getInputStream after shutdownInput", socket::getInputStream,
                            "Socket input is shutdown");
                    socket.getOutputStream().write(3);
                }),
                Scenario.of("stream.shutdownInput-wakes-the-blocked-reader", end -> {
                    end.accept();
                }, end -> {
                    final Socket socket = end.dial();
                    final var reader = end.start(() -> socket.getInputStream().read());
                    End.pause();
                    socket.shutdownInput();
                    same(-1, End.await(reader, 3_000), "blocked read when shutdownInput is called");
                }),
                Scenario.of("stream.both-ends-shut-their-output", end -> {
                    final Socket socket = end.accept();
                    socket.getOutputStream().write(1);
                    socket.shutdownOutput();
                    same(1, socket.getInputStream().read(), "byte");
                    same(-1, socket.getInputStream().read(), "end");
                    check(!socket.isClosed(), "still not closed");
                }, end -> {
                    final Socket socket = end.dial();
                    socket.getOutputStream().write(1);
                    socket.shutdownOutput();
                    same(1, socket.getInputStream().read(), "byte");
                    same(-1, socket.getInputStream().read(), "end");
                    check(!socket.isClosed(), "still not closed");
                }),
                Scenario.data("stream.end-of-stream-is-sticky", end -> {
                    final Socket socket = end.accept();
                    socket.getOutputStream().write(new byte[10]);
                    socket.close();
                }, end -> {
                    final Socket socket = end.dial();
                    socket.setSoTimeout(1_000);
                    same(10, socket.getInputStream().readNBytes(20).length, "bytes before the end");
                    for (int i = 0; i < 5; i++) {
                        same(-1, socket.getInputStream().read(), "read at the end");
                        same(-1, socket.getInputStream().read(new byte[5]), "read at the end");
                    }
                }),
                Scenario.data("stream.many-short-connections", end -> {
                    final ServerSocket listener = end.listen();
                    for (int i = 0; i < 200; i++) {
                        try (Socket socket = listener.accept()) {
                            final byte[] request = socket.getInputStream().readNBytes(100);
                            new Content(i).check(request, 0, 100, 0);
                            socket.getOutputStream().write(request);
                        }
                    }
                }, end -> {
                    final int port = end.hearInt("port");
                    for (int i = 0; i < 200; i++) {
                        try (Socket socket = new Socket(End.there(), port)) {
                            socket.getOutputStream().write(new Content(i).bytes(0, 100));
                            End.readAndCheck(socket.getInputStream(), new Content(i), 0, 100);
                            same(-1, socket.getInputStream().read(), "end");
                        }
                    }
                }),
                Scenario.of("stream.connections-without-a-byte", end -> {
                    final ServerSocket listener = end.listen();
                    for (int i = 0; i < 100; i++) {
                        try (Socket socket = listener.accept()) {
                            same(-1, socket.getInputStream().read(), "read on a connection closed without a byte");
                        }
                    }
                }, end -> {
                    final int port = end.hearInt("port");
                    for (int i = 0; i < 100; i++) {
                        new Socket(End.there(), port).close();
                    }
                }),
                Scenario.data("stream.client-writes-and-closes-before-accept", end -> {
                    final ServerSocket listener = end.listen();
                    end.hear("closed");
                    End.readAndCheck(end.keep(listener.accept()).getInputStream(), new Content(5), 0, 30_000);
                }, end -> {
                    try (Socket socket = new Socket(End.there(), end.hearInt("port"))) {
                        socket.getOutputStream().write(new Content(5).bytes(0, 30_000));
                    }
                    end.say("closed");
                }),
                Scenario.data("stream.many-connections-in-parallel", end -> {
                    final ServerSocket listener = end.listen();
                    for (int i = 0; i < 50; i++) {
                        final Socket socket = end.keep(listener.accept());
                        end.start(() -> socket.getInputStream().transferTo(socket.getOutputStream()));
                    }
                    end.hear("done");
                }, end -> {
                    final int port = end.hearInt("port");
                    final Socket[] sockets = new Socket[50];
                    for (int i = 0; i < sockets.length; i++) {
                        sockets[i] = end.keep(new Socket(End.there(), port));
                    }
                    for (int i = 0; i < sockets.length; i++) {
                        sockets[i].getOutputStream().write(new Content(i).bytes(0, 20_000));
                        sockets[i].shutdownOutput();
                    }
                    for (int i = 0; i < sockets.length; i++) {
                        End.readAndCheck(sockets[i].getInputStream(), new Content(i), 0, 20_000);
                    }
                    end.say("done");
                }),
                Scenario.of("stream.operations-on-a-closed-socket", end -> end.accept(), end -> {
                    final Socket socket = end.dial();
                    final InputStream in = socket.getInputStream();
                    final OutputStream out = socket.getOutputStream();
                    socket.close();
                    socket.close();
                    check(socket.isClosed() && socket.isConnected() && socket.isBound(), "closed, but was connected");
                    fails(SocketException.class, "read", in::read, "Socket closed");
                    fails(SocketException.class, "write", () -> out.write(1), "Socket closed");
                    fails(SocketException.class, "available", in::available, "Socket closed");
                    fails(SocketException.class, "getInputStream", socket::getInputStream, "Socket is closed");
                    fails(SocketException.class, "getOutputStream", socket::getOutputStream, "Socket is closed");
                    fails(SocketException.class, "shutdownOutput", socket::shutdownOutput, "Socket is closed");
                    fails(SocketException.class, "setTcpNoDelay", () -> socket.setTcpNoDelay(true), "Socket is closed");
                }),
                Scenario.of("stream.closing-a-stream-closes-the-socket", end -> {
                    final ServerSocket listener = end.listen();
                    same(-1, end.keep(listener.accept()).getInputStream().read(), "peer closed its input stream");
                    same(-1, end.keep(listener.accept()).getInputStream().read(), "peer closed its output stream");
                }, end -> {
                    final int port = end.hearInt("port");
                    final Socket first = new Socket(End.there(), port);
                    first.getInputStream().close();
                    check(first.isClosed(), "closed by its input stream");
                    final Socket second = new Socket(End.there(), port);
                    second.getOutputStream().close();
                    check(second.isClosed(), "closed by its output stream");
                }));
    }
}
