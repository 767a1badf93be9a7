package org.smc4j.it.faults;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * {@code PROGRESS SEED [PORT PORT]}: the process that is killed. With ports it connects to a survivor (socket, channel), without
 * it listens and prints its own. It writes checked content for ever, and after each write how much of each connection is
 * written into a mapped file, which outlives it.
 */
final class KillVictim {
    private static final int MAX_CHUNK = 30_000;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment progress;
    private final long seed;

    private KillVictim(MemorySegment progress, long seed) {
        this.progress = progress;
        this.seed = seed;
    }

    public static void main(String[] args) throws Exception {
        // Whoever started us may be killed too: then its end of this pipe closes.
        Thread watch = new Thread(KillVictim::haltAtEndOfInput);
        watch.setDaemon(true);
        watch.start();
        KillVictim victim = new KillVictim(map(Path.of(args[0])), Long.parseLong(args[1]));
        if (args.length > 2) {
            victim.connect(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        } else {
            victim.listen();
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    static MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, 8L * KillStream.Kind.count(), Arena.ofAuto());
        }
    }

    private static void haltAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException e) {
            System.out.println(e);
        }
        Runtime.getRuntime().halt(1);
    }

    private void connect(int streamPort, int channelPort) throws IOException {
        InetAddress host = InetAddress.getLoopbackAddress();
        for (int i = 0; i < KillStream.Kind.count(); i++) {
            KillStream.Kind kind = KillStream.Kind.of(i);
            KillStream stream = kind.isChannel()
                    ? new KillStream(SocketChannel.open(new InetSocketAddress(host, channelPort)))
                    : new KillStream(new Socket(host, streamPort));
            stream.write(new byte[] {(byte) i}, 1);
            run(kind, stream);
        }
    }

    private void listen() throws IOException {
        ServerSocket streams = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ServerSocketChannel channels = ServerSocketChannel.open();
        channels.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        thread(() -> {
            while (true) {
                serve(new KillStream(streams.accept()));
            }
        });
        thread(() -> {
            while (true) {
                serve(new KillStream(channels.accept()));
            }
        });
        // A client that comes before the listeners are published finds no agent.
        Procfs.awaitPublished(streams.getLocalPort());
        Procfs.awaitPublished(channels.socket().getLocalPort());
        System.out.println("ports " + streams.getLocalPort() + " " + channels.socket().getLocalPort());
    }

    private void serve(KillStream stream) {
        thread(() -> run(KillStream.Kind.of(stream.readByte()), stream));
    }

    private void run(KillStream.Kind kind, KillStream stream) throws IOException {
        if (kind.victimReads()) {
            thread(() -> read(kind, stream));
        }
        if (kind.victimWrites()) {
            thread(() -> write(kind, stream));
        } else {
            stream.shutdownOutput();
        }
    }

    private void write(KillStream.Kind kind, KillStream stream) throws IOException {
        SplittableRandom random = new SplittableRandom(kind.seedOfVictim(seed));
        byte[] chunk = new byte[MAX_CHUNK];
        long position = 0;
        while (true) {
            int n = random.nextInt(100) < 70 ? 1 + random.nextInt(200) : 1 + random.nextInt(MAX_CHUNK);
            Pattern.fill(kind.seedOfVictim(seed), position, chunk, n);
            stream.write(chunk, n);
            position += n;
            LONG.setVolatile(progress, 8L * kind.ordinal(), position);
        }
    }

    private void read(KillStream.Kind kind, KillStream stream) throws IOException {
        byte[] chunk = new byte[MAX_CHUNK];
        long position = 0;
        int n;
        while ((n = stream.read(chunk)) >= 0) {
            if (Pattern.mismatch(kind.seedOfSurvivor(seed), position, chunk, n) >= 0) {
                System.out.println("BAD " + kind + " near " + position);
            }
            position += n;
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void thread(Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (IOException e) {
                System.out.println("BAD " + e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
