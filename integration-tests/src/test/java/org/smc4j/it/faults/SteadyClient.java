package org.smc4j.it.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * {@code PORT PORT [PORT]}: the honest peer of an {@link EchoServer}, for ever. Two connections that stay (one of each port) and, in
 * every round, two new ones send checked content; a line a round says whether all was well and how many milliseconds it took.
 * The third port is for a {@link LoopClient} beside it, in the same JVM.
 */
final class SteadyClient {
    private static final int CHUNK = 40_000;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final long PAUSE_MILLIS = 20;

    private SteadyClient() {
    }

    public static void main(String[] args) throws Exception {
        int streamPort = Integer.parseInt(args[0]);
        int channelPort = Integer.parseInt(args[1]);
        if (args.length > 2) {
            Thread loop = new Thread(new LoopClient(Integer.parseInt(args[2])), "loop");
            loop.setDaemon(true);
            loop.start();
        }
        Talk stream = new Talk(1);
        Talk channel = new Talk(2);
        Socket socket = connect(streamPort);
        SocketChannel socketChannel = open(channelPort);
        for (int round = 1; ; round++) {
            long start = System.nanoTime();
            String step = "old stream";
            try {
                stream.echo(socket);
                step = "old channel";
                channel.echo(socketChannel);
                step = "new stream";
                try (Socket fresh = connect(streamPort)) {
                    new Talk(round + 1000L).echo(fresh);
                }
                step = "new channel";
                try (SocketChannel fresh = open(channelPort)) {
                    new Talk(round + 2000L).echo(fresh);
                }
                System.out.println("round " + round + " good " + (System.nanoTime() - start) / 1_000_000 + " ms");
            } catch (IOException e) {
                if ("Too many open files".equals(e.getMessage())) {
                    System.out.println("round " + round + " had no descriptor");
                    continue;
                }
                System.out.println("round " + round + " FAILED " + step + ": " + e);
                if (step.startsWith("old")) {
                    return;
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static SocketChannel open(int port) throws IOException {
        return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** One stream of content, sent in chunks that are read back before the next. */
    private static final class Talk {
        private final long seed;
        private long position;

        Talk(long seed) {
            this.seed = seed;
        }

        void echo(Socket socket) throws IOException {
            byte[] bytes = next();
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            byte[] back = new byte[CHUNK];
            new DataInputStream(socket.getInputStream()).readFully(back);
            check(back);
        }

        void echo(SocketChannel channel) throws IOException {
            ByteBuffer out = ByteBuffer.wrap(next());
            while (out.hasRemaining()) {
                channel.write(out);
            }
            ByteBuffer in = ByteBuffer.allocate(CHUNK);
            while (in.hasRemaining()) {
                if (channel.read(in) < 0) {
                    throw new IOException("end of stream after " + in.position() + " bytes");
                }
            }
            check(in.array());
        }

        private byte[] next() {
            byte[] bytes = new byte[CHUNK];
            Pattern.fill(seed, position, bytes, CHUNK);
            return bytes;
        }

        private void check(byte[] back) throws IOException {
            int wrong = Pattern.mismatch(seed, position, back, CHUNK);
            if (wrong >= 0) {
                throw new IOException("wrong content at " + (position + wrong));
            }
            position += CHUNK;
        }
    }
}
