package org.smc4j.it.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code PORT ROUNDS SEED}: short connections to an {@link EchoServer}, on each some writes with pauses of about the length of
 * a handshake, the end, and then all of it must come back, and the end. So the switch falls into every moment of a
 * connection's life. Some run at a time, and so descriptors are used again at once.
 */
final class ShortClient {
    static final int THREADS = 4;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int MAX_WRITES = 4;
    private static final int MAX_BYTES = 3000;
    private static final int MAX_PAUSE_NANOS = 3_000_000;

    private ShortClient() {
    }

    public static void main(String[] args) throws Exception {
        InetSocketAddress server = new InetSocketAddress(Place.ofServer(), Integer.parseInt(args[0]));
        int rounds = Integer.parseInt(args[1]);
        SplittableRandom seeds = new SplittableRandom(Long.parseLong(args[2]));
        AtomicInteger next = new AtomicInteger();
        AtomicInteger good = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = seeds.split();
            threads.add(Thread.ofPlatform().start(() -> {
                int number;
                while ((number = next.getAndIncrement()) < rounds) {
                    String result = round(server, number, random);
                    if (result == null) {
                        good.incrementAndGet();
                    } else {
                        System.out.println("BAD round " + number + ": " + result);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(good + " good");
    }

    /** What is wrong, or null. */
    private static String round(InetSocketAddress server, int number, SplittableRandom random) {
        int port = 0;
        try (Socket socket = random.nextBoolean() ? SocketChannel.open().socket() : new Socket()) {
            socket.connect(server, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            port = socket.getLocalPort();
            int sent = 0;
            for (int i = random.nextInt(MAX_WRITES + 1); i > 0; i--) {
                byte[] bytes = new byte[1 + random.nextInt(MAX_BYTES)];
                Pattern.fill(number, sent, bytes, bytes.length);
                socket.getOutputStream().write(bytes);
                sent += bytes.length;
                LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
            }
            socket.shutdownOutput();
            LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
            return read(socket.getInputStream(), number, sent);
        } catch (IOException e) {
            return e + " at port " + port;
        }
    }

    private static String read(InputStream in, long seed, int expected) throws IOException {
        byte[] bytes = in.readAllBytes();
        return bytes.length != expected ? bytes.length + " of " + expected + " bytes"
                : Pattern.mismatch(seed, 0, bytes, expected) >= 0 ? "wrong content" : null;
    }
}
