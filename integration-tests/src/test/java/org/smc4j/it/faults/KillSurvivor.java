package org.smc4j.it.faults;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code KILLS SEED OPTION...}: starts a {@link KillVictim} (a JVM with these options), lets it talk over one connection of each
 * kind, kills it, and checks what it reads until the end of each; again and again, as server and as client in turn. What is
 * wrong is printed as a line with BAD. At the end its own descriptors, mappings and threads must be those of the start.
 */
final class KillSurvivor {
    private static final int WARM_UP = 4;
    private static final int CHUNK = 32768;
    private static final long END_SECONDS = 20;
    private static final long CONNECT_SECONDS = 30;
    private static final List<String> ENDS_OF_WRITING = List.of("Broken pipe", "Connection reset", "Connection reset by peer");

    private final List<String> command = new ArrayList<>();
    private final SplittableRandom random;
    private final ServerSocket streams = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ServerSocketChannel channels = ServerSocketChannel.open();
    private volatile Round round;
    private int bad;
    private int ended;
    private int resets;
    private int lostByTcp;

    private KillSurvivor(long seed, List<String> options) throws IOException {
        random = new SplittableRandom(seed);
        channels.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), KillVictim.class.getName()));
    }

    public static void main(String[] args) throws Exception {
        int kills = Integer.parseInt(args[0]);
        KillSurvivor survivor = new KillSurvivor(Long.parseLong(args[1]), List.of(args).subList(2, args.length));
        startPollerOfVirtualThreads();
        daemon(() -> survivor.acceptStreams());
        daemon(() -> survivor.acceptChannels());
        Map<String, Integer> descriptors = null;
        int threads = 0;
        long pid = ProcessHandle.current().pid();
        for (int i = 0; i < kills + WARM_UP; i++) {
            if (i == WARM_UP) {
                Thread.sleep(500);
                descriptors = Procfs.socketDescriptors(pid);
                threads = Procfs.threads(pid);
            }
            survivor.kill(i);
        }
        survivor.checkLeftovers(pid, descriptors, threads);
        System.out.println("kills=" + kills + " streams=" + survivor.ended + " resets=" + survivor.resets
                + " lostByTcp=" + survivor.lostByTcp + " bad=" + survivor.bad);
    }

    /** The JDK makes it, with descriptors and a thread that stay, when the first virtual thread waits; that may be any round. */
    private static void startPollerOfVirtualThreads() throws Exception {
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody.setSoTimeout(20);
            Thread.startVirtualThread(() -> {
                try {
                    nobody.accept();
                } catch (IOException timeout) {
                    // What it came for.
                }
            }).join();
        }
    }

    private void checkLeftovers(long pid, Map<String, Integer> descriptors, int threads) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (System.nanoTime() < deadline && (!descriptors.equals(Procfs.socketDescriptors(pid))
                || Procfs.dmbMappings(pid) > 0 || Procfs.threads(pid) > threads)) {
            Thread.sleep(50);
        }
        if (!descriptors.equals(Procfs.socketDescriptors(pid)) || Procfs.dmbMappings(pid) > 0
                || Procfs.threads(pid) > threads) {
            bad("left behind: descriptors " + descriptors + " -> " + Procfs.socketDescriptors(pid) + ", DMBs "
                    + Procfs.dmbMappings(pid) + ", threads " + threads + " -> " + Procfs.threads(pid));
        }
    }

    private synchronized void bad(String what) {
        bad++;
        System.out.println("BAD " + what);
    }

    // -- One kill --

    private static final class Round {
        final long seed;
        final CountDownLatch begun = new CountDownLatch(1);
        final ConcurrentLinkedQueue<Stream> streams = new ConcurrentLinkedQueue<>();
        volatile boolean killed;

        Round(long seed) {
            this.seed = seed;
        }
    }

    private static final class Stream {
        final KillStream.Kind kind;
        final KillStream connection;
        final CountDownLatch over = new CountDownLatch(2);
        volatile long received;
        volatile String end;
        volatile String writerEnd;
        volatile String fault;

        Stream(KillStream.Kind kind, KillStream connection) {
            this.kind = kind;
            this.connection = connection;
        }
    }

    private void kill(int number) throws Exception {
        Round current = new Round(random.nextInt(1 << 20));
        Path file = Files.createTempFile(Path.of("").toAbsolutePath(), "progress", "");
        boolean server = number % 2 == 0;
        int delayMillis = random.nextInt(2) == 0 ? random.nextInt(10) : random.nextInt(200);
        round = current;
        List<String> call = new ArrayList<>(command);
        call.addAll(List.of(file.toString(), Long.toString(current.seed)));
        if (server) {
            call.addAll(List.of("" + streams.getLocalPort(), "" + channels.socket().getLocalPort()));
        }
        Path log = Path.of("victim.log").toAbsolutePath();
        Process victim = new ProcessBuilder(call).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        if (!server) {
            String[] ports = awaitPorts(victim, log);
            daemon(() -> connect(current, ports));
        }
        if (!current.begun.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
            bad("kill " + number + ": no connection");
        }
        // In the middle of the first handshake, of a later one, or of the transfer.
        int connections = number < WARM_UP ? KillStream.Kind.count() : random.nextInt(2 * KillStream.Kind.count());
        while (current.streams.size() < Math.min(connections, KillStream.Kind.count()) && victim.isAlive()) {
            Thread.sleep(1);
        }
        Thread.sleep(delayMillis);
        victim.destroyForcibly();
        victim.waitFor();
        current.killed = true;
        check(number, current, KillVictim.map(file), Files.readString(log));
        System.out.println("kill " + number + " as " + (server ? "server" : "client") + " after " + delayMillis + " ms, "
                + current.streams.size() + " connections");
        Files.delete(file);
        checkNames(victim.pid());
    }

    private static String[] awaitPorts(Process victim, Path log) throws Exception {
        while (victim.isAlive()) {
            String text = Files.readString(log);
            if (text.startsWith("ports ") && text.endsWith("\n")) {
                return text.strip().split(" ");
            }
            Thread.sleep(5);
        }
        throw new IOException("the victim ended: " + Files.readString(log));
    }

    private void check(int number, Round current, MemorySegment progress, String output) throws Exception {
        // Threads that are still on their way from accept to their first byte register late.
        Thread.sleep(100);
        for (Stream stream : current.streams) {
            String name = "kill " + number + " " + stream.kind + ": ";
            if (!stream.over.await(END_SECONDS, TimeUnit.SECONDS)) {
                bad(name + "hangs; read " + stream.received + ", reading ended with " + stream.end
                        + ", writing ended with " + stream.writerEnd);
                continue;
            }
            ended++;
            long written = progress.get(ValueLayout.JAVA_LONG, 8L * stream.kind.ordinal());
            if (stream.fault != null) {
                bad(name + stream.fault);
            }
            if (stream.received < written && !hasReadOverSmc(stream.connection)) {
                // The kernel throws away what a killed process wrote if it had not read everything.
                lostByTcp++;
            } else if (stream.received < written) {
                bad(name + "read " + stream.received + " of " + written + " bytes, end: " + stream.end);
            }
            if (!stream.end.equals("EOF")) {
                resets++;
                if (!stream.end.equals("Connection reset")) {
                    bad(name + "reading ended with " + stream.end);
                }
            }
            if (stream.writerEnd != null && !ENDS_OF_WRITING.contains(stream.writerEnd)) {
                bad(name + "writing ended with " + stream.writerEnd);
            }
        }
        for (Stream stream : current.streams) {
            stream.connection.close();
        }
        if (output.contains("BAD")) {
            bad("victim of kill " + number + ": " + output);
        }
    }

    /** Whether the agent of this process has got any of the connection's bytes from shared memory. */
    private static boolean hasReadOverSmc(KillStream connection) throws IOException {
        String ports = "\\S+:" + connection.localPort() + "\\t\\S+:" + connection.remotePort();
        for (String line : Sideline.status(ProcessHandle.current().pid())) {
            if (line.matches("\\S+\\t\\S+\\t" + ports + "\\t.*")) {
                return Long.parseLong(line.split("\t")[7]) > 0;
            }
        }
        throw new IOException("the agent does not know " + ports);
    }

    private void checkNames(long victim) throws IOException {
        for (String name : Procfs.abstractNames()) {
            if (name.endsWith("/pid/" + victim)) {
                bad("name left behind: " + name);
            }
        }
    }

    // -- Connections --

    private void acceptStreams() throws IOException {
        while (true) {
            Socket socket = streams.accept();
            daemon(() -> serve(round, new KillStream(socket)));
        }
    }

    private void acceptChannels() throws IOException {
        while (true) {
            SocketChannel channel = channels.accept();
            daemon(() -> serve(round, new KillStream(channel)));
        }
    }

    private void serve(Round current, KillStream stream) throws IOException {
        current.begun.countDown();
        int kind;
        try {
            kind = stream.readByte();
        } catch (IOException e) {
            kind = -1;
        }
        if (kind < 0) {
            stream.close();
        } else {
            run(current, KillStream.Kind.of(kind), stream);
        }
    }

    private void connect(Round current, String[] ports) throws IOException {
        InetAddress host = InetAddress.getLoopbackAddress();
        try {
            for (int i = 0; i < KillStream.Kind.count(); i++) {
                KillStream.Kind kind = KillStream.Kind.of(i);
                KillStream stream;
                if (kind.isChannel()) {
                    SocketChannel channel = SocketChannel.open(new InetSocketAddress(host, Integer.parseInt(ports[2])));
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    stream = new KillStream(channel);
                } else {
                    stream = new KillStream(new Socket(host, Integer.parseInt(ports[1])));
                }
                current.begun.countDown();
                try {
                    stream.write(new byte[] {(byte) i}, 1);
                } catch (IOException e) {
                    stream.close();
                    throw e;
                }
                run(current, kind, stream);
            }
        } catch (IOException e) {
            // Expected once the victim is dead.
            if (!current.killed) {
                System.out.println("connect: " + e);
            }
        }
    }

    private void run(Round current, KillStream.Kind kind, KillStream stream) throws IOException {
        Stream result = new Stream(kind, stream);
        current.streams.add(result);
        if (kind == KillStream.Kind.SELECTOR) {
            stream.useSelector();
        }
        if (kind == KillStream.Kind.SURVIVOR_HALF_CLOSED) {
            try {
                stream.shutdownOutput();
            } catch (IOException e) {
                // The victim may be dead by now; what it wrote is to be read nevertheless.
                System.out.println("shutdown: " + e);
            }
        }
        start(kind, () -> read(current, result, stream));
        if (kind.survivorWrites()) {
            start(kind, () -> write(current, result, stream));
        } else {
            result.over.countDown();
        }
    }

    private void read(Round current, Stream result, KillStream stream) {
        byte[] chunk = new byte[CHUNK];
        try {
            int n;
            while ((n = stream.read(chunk)) >= 0) {
                int wrong = Pattern.mismatch(result.kind.seedOfVictim(current.seed), result.received, chunk, n);
                if (wrong >= 0) {
                    result.fault = "wrong content at " + (result.received + wrong);
                }
                result.received += n;
                if (result.kind == KillStream.Kind.SELECTOR && !current.killed) {
                    Thread.sleep(1);
                }
            }
            result.end = "EOF";
        } catch (IOException e) {
            result.end = e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        result.over.countDown();
    }

    private static void write(Round current, Stream result, KillStream stream) {
        byte[] chunk = new byte[CHUNK];
        long position = 0;
        SplittableRandom sizes = new SplittableRandom(current.seed);
        try {
            while (true) {
                int n = 1 + sizes.nextInt(CHUNK);
                Pattern.fill(result.kind.seedOfSurvivor(current.seed), position, chunk, n);
                stream.write(chunk, n);
                position += n;
            }
        } catch (IOException e) {
            result.writerEnd = e.getMessage();
        }
        result.over.countDown();
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void start(KillStream.Kind kind, Action action) {
        Runnable guarded = guarded(action);
        if (kind == KillStream.Kind.VIRTUAL) {
            Thread.startVirtualThread(guarded);
        } else {
            Thread thread = new Thread(guarded);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void daemon(Action action) {
        start(KillStream.Kind.STREAMS, action);
    }

    private static Runnable guarded(Action action) {
        return () -> {
            try {
                action.run();
            } catch (IOException e) {
                System.out.println("BAD " + e);
            }
        };
    }
}
