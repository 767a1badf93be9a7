package org.smc4j.it.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Connects again and again to a server that may do anything, talks a little, and closes; prints a line a try. */
final class LoopClient implements Runnable {
    private static final int TIMEOUT_MILLIS = 150;
    private static final int BYTES = 100;

    private final InetSocketAddress server;

    LoopClient(int port) {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public void run() {
        for (int i = 1; ; i++) {
            String result;
            try {
                result = i % 3 == 0 ? channel() : stream();
            } catch (IOException e) {
                result = e.getMessage();
            }
            System.out.println("try " + i + " " + result);
            pause();
        }
    }

    private String stream() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(new byte[BYTES]);
            int n = socket.getInputStream().read(new byte[BYTES]);
            socket.getOutputStream().write(new byte[BYTES]);
            return "read " + n;
        }
    }

    private String channel() throws IOException {
        try (SocketChannel channel = SocketChannel.open(server)) {
            channel.configureBlocking(false);
            int n = 0;
            for (int i = 0; i < 10; i++) {
                channel.write(ByteBuffer.allocate(BYTES));
                n += Math.max(0, channel.read(ByteBuffer.allocate(BYTES)));
                pause();
            }
            return "read " + n;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
