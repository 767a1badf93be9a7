package org.smc4j.it.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * {@code PORT [PORT]}: sends back what comes, on the first port with a thread a connection, on the second with a selector. No
 * error of a connection or of accept ends it; what ended a connection is printed.
 */
final class EchoServer {
    private static final int BACKLOG = 1000;
    private static final int BUFFER = 16384;
    private static final long ACCEPT_RETRY_MILLIS = 50;

    private EchoServer() {
    }

    public static void main(String[] args) throws Exception {
        EchoClient.awaitGo();
        if (args.length > 1) {
            Thread loop = new Thread(new Loop(Integer.parseInt(args[1])), "selector");
            loop.setDaemon(true);
            loop.start();
        }
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), BACKLOG, Place.ofServer())) {
            System.out.println("ready");
            while (true) {
                try {
                    Socket socket = server.accept();
                    Thread echo = new Thread(() -> echo(socket), "echo");
                    echo.setDaemon(true);
                    echo.start();
                } catch (IOException e) {
                    System.out.println("accept: " + e.getMessage());
                    pause();
                }
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(ACCEPT_RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            int n;
            while ((n = in.read(buffer)) > 0) {
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            System.out.println("stream: " + e.getMessage());
        }
    }

    private static final class Loop implements Runnable {
        private final Selector selector = Selector.open();
        private final ServerSocketChannel server = ServerSocketChannel.open();

        Loop(int port) throws IOException {
            server.bind(new InetSocketAddress(Place.ofServer(), port), BACKLOG);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
        }

        @Override
        public void run() {
            while (true) {
                try {
                    selector.select();
                } catch (IOException e) {
                    System.out.println("select: " + e.getMessage());
                    pause();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid()) {
                        serve(key);
                    }
                }
                selector.selectedKeys().clear();
            }
        }

        private void serve(SelectionKey key) {
            if (key.channel() == server) {
                try {
                    SocketChannel channel = server.accept();
                    if (channel != null) {
                        channel.configureBlocking(false);
                        channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(BUFFER));
                    }
                } catch (IOException e) {
                    System.out.println("accept: " + e.getMessage());
                    pause();
                }
                return;
            }
            SocketChannel channel = (SocketChannel) key.channel();
            try {
                if (!move(key, channel, (ByteBuffer) key.attachment())) {
                    channel.close();
                }
            } catch (IOException e) {
                System.out.println("channel: " + e.getMessage());
                close(channel);
            }
        }

        private static boolean move(SelectionKey key, SocketChannel channel, ByteBuffer buffer) throws IOException {
            if (key.isReadable() && channel.read(buffer) < 0) {
                return false;
            }
            buffer.flip();
            channel.write(buffer);
            buffer.compact();
            key.interestOps((buffer.hasRemaining() ? SelectionKey.OP_READ : 0)
                    | (buffer.position() > 0 ? SelectionKey.OP_WRITE : 0));
            return true;
        }

        private static void close(SocketChannel channel) {
            try {
                channel.close();
            } catch (IOException e) {
                System.out.println("close: " + e.getMessage());
            }
        }
    }
}
