package org.smc4j.it.faults;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code server PORT} or {@code client HOST PORT CONNECTIONS FILE}: connections of all kinds on which both ends write all the
 * time and check what they read. The client's ends stop writing when that file is there, the server's when they have read the client's
 * end. Each end writes one line about each connection, {@code STREAM id said=n heard=n}, or one that begins with BAD. The program
 * neither knows nor cares what happens to the links beneath.
 */
final class LinkStreams {
    private static final int BUFFER = 65536;
    private static final long POLL_MILLIS = 20;

    /** What both ends of a connection use; each has a port. */
    enum Kind {
        SOCKET, CHANNEL, SELECTOR
    }

    private interface Wire extends AutoCloseable {
        int read(ByteBuffer target) throws IOException;

        void write(ByteBuffer source) throws IOException;

        void shutdownOutput() throws IOException;

        @Override
        void close() throws IOException;
    }

    private final boolean isServer;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean enough;

    private LinkStreams(boolean isServer) {
        this.isServer = isServer;
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server")) {
            LinkStreams server = new LinkStreams(true);
            for (Kind kind : Kind.values()) {
                server.serve(kind, Integer.parseInt(args[1]) + kind.ordinal());
            }
            System.out.println("ready");
            return;
        }
        LinkStreams client = new LinkStreams(false);
        for (int id = 0; id < Integer.parseInt(args[3]); id++) {
            Kind kind = Kind.values()[id % Kind.values().length];
            client.connect(kind, id, new InetSocketAddress(args[1], Integer.parseInt(args[2]) + kind.ordinal()));
        }
        System.out.println("connected");
        while (!Files.exists(Path.of(args[4]))) {
            Thread.sleep(POLL_MILLIS);
        }
        client.enough = true;
        for (Thread thread : client.threads) {
            thread.join();
        }
        System.out.println("over");
    }

    private Thread start(String name, Runnable action) {
        Thread thread = new Thread(action, name);
        thread.start();
        return thread;
    }

    // -- Connections: the client says the number of each in its first four bytes --

    private void serve(Kind kind, int port) throws IOException {
        if (kind == Kind.SOCKET) {
            ServerSocket server = new ServerSocket(port);
            start("accept " + kind, () -> {
                while (true) {
                    try {
                        Socket socket = server.accept();
                        run(kind, new LinkStreamsTalk(new DataInputStream(socket.getInputStream()).readInt(), true), wire(socket));
                    } catch (IOException e) {
                        System.out.println("BAD accept: " + e);
                    }
                }
            });
            return;
        }
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(port));
        start("accept " + kind, () -> {
            while (true) {
                try {
                    SocketChannel channel = server.accept();
                    ByteBuffer id = ByteBuffer.allocate(Integer.BYTES);
                    while (id.hasRemaining() && channel.read(id) >= 0) {
                        Thread.onSpinWait();
                    }
                    run(kind, new LinkStreamsTalk(id.flip().getInt(), true), channel);
                } catch (IOException e) {
                    System.out.println("BAD accept: " + e);
                }
            }
        });
    }

    private void connect(Kind kind, int id, InetSocketAddress address) throws IOException {
        LinkStreamsTalk talk = new LinkStreamsTalk(id, false);
        if (kind == Kind.SOCKET) {
            Socket socket = new Socket(address.getAddress(), address.getPort());
            new DataOutputStream(socket.getOutputStream()).writeInt(id);
            run(kind, talk, wire(socket));
        } else {
            SocketChannel channel = SocketChannel.open(address);
            channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, id));
            run(kind, talk, channel);
        }
    }

    private void run(Kind kind, LinkStreamsTalk talk, SocketChannel channel) {
        if (kind == Kind.SELECTOR) {
            threads.add(start("selector " + talk.id, () -> report(talk, () -> select(talk, channel))));
        } else {
            run(kind, talk, wire(channel));
        }
    }

    private void run(Kind kind, LinkStreamsTalk talk, Wire wire) {
        threads.add(start(kind + " " + talk.id, () -> report(talk, () -> block(talk, wire))));
    }

    private interface Conversation {
        void run() throws IOException;
    }

    private static void report(LinkStreamsTalk talk, Conversation conversation) {
        String how = "STREAM";
        try {
            conversation.run();
        } catch (IOException | RuntimeException e) {
            e.printStackTrace(System.out);
            how = "BAD " + e + " on";
        }
        System.out.println(how + " " + talk.id + " said=" + talk.said + " heard=" + talk.heard);
    }

    // -- Blocking --

    private static Wire wire(Socket socket) {
        return new Wire() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                return socket.getInputStream().read(target.array(), 0, target.capacity());
            }

            @Override
            public void write(ByteBuffer source) throws IOException {
                socket.getOutputStream().write(source.array(), 0, source.limit());
            }

            @Override
            public void shutdownOutput() throws IOException {
                socket.shutdownOutput();
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }

    private static Wire wire(SocketChannel channel) {
        return new Wire() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                return channel.read(target.clear());
            }

            @Override
            public void write(ByteBuffer source) throws IOException {
                while (source.hasRemaining()) {
                    channel.write(source);
                }
            }

            @Override
            public void shutdownOutput() throws IOException {
                channel.shutdownOutput();
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    /** Whether an end is to stop writing. */
    private boolean isOver(boolean peerIsOver) {
        return isServer ? peerIsOver : enough;
    }

    private void block(LinkStreamsTalk talk, Wire wire) throws IOException {
        try (wire) {
            boolean[] ended = new boolean[1];
            IOException[] failure = new IOException[1];
            Thread speaker = start("speaker " + talk.id, () -> {
                ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
                try {
                    while (!isOver(isSet(ended))) {
                        talk.say(buffer.clear());
                        wire.write(buffer.flip());
                        talk.pause();
                    }
                    wire.shutdownOutput();
                } catch (IOException e) {
                    failure[0] = e;
                }
            });
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
            int n;
            while ((n = wire.read(buffer)) >= 0) {
                talk.hear(buffer.position(0).limit(n));
            }
            set(ended);
            try {
                speaker.join();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (failure[0] != null) {
                throw failure[0];
            }
        }
    }

    private static void set(boolean[] flag) {
        synchronized (flag) {
            flag[0] = true;
        }
    }

    private static boolean isSet(boolean[] flag) {
        synchronized (flag) {
            return flag[0];
        }
    }

    // -- Not blocking --

    private void select(LinkStreamsTalk talk, SocketChannel channel) throws IOException {
        try (channel; Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            ByteBuffer out = ByteBuffer.allocateDirect(BUFFER).limit(0);
            ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
            while (key.interestOps() != 0) {
                selector.select();
                selector.selectedKeys().clear();
                if (key.isReadable()) {
                    int n = channel.read(in.clear());
                    if (n < 0) {
                        key.interestOpsAnd(~SelectionKey.OP_READ);
                    } else {
                        talk.hear(in.flip());
                    }
                }
                if (key.isWritable()) {
                    if (!out.hasRemaining()) {
                        if (isOver((key.interestOps() & SelectionKey.OP_READ) == 0)) {
                            channel.shutdownOutput();
                            key.interestOpsAnd(~SelectionKey.OP_WRITE);
                            continue;
                        }
                        talk.say(out.clear());
                        out.flip();
                    }
                    channel.write(out);
                }
                talk.pause();
            }
        }
    }
}
