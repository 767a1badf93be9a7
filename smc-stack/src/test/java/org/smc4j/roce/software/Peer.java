package org.smc4j.roce.software;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice.Event;
import org.smc4j.roce.RoceDevice.GidEntry;

/**
 * A process with one {@link SocketRnic} and one queue pair, which answers every message with a WRITE of what was written before
 * it and a message. It tells of itself on its standard output, and takes what it is told on its standard input.
 */
final class Peer {
    static final int MESSAGE = 44;
    private static final int MESSAGES_AT = Side.MEMORY / 2;

    private Peer() {
    }

    /** What one end must know of the other. */
    record Address(Gid gid, int queuePair, int psn, long memory, int rkey) {
        static Address of(Side side, int gidIndex, int psn) {
            return new Address(SoftwareQueuePair.sourceGid(side.device.port(1), gidIndex).gid(), side.queuePair.number(), psn,
                    side.address(0), side.region.rkey());
        }

        static Address parse(String line) {
            String[] words = line.split(" ");
            Gid gid = new Gid(HexFormat.fromHexDigitsToLong(words[0], 0, 16), HexFormat.fromHexDigitsToLong(words[0], 16, 32));
            return new Address(gid, Integer.parseInt(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3]),
                    Integer.parseInt(words[4]));
        }

        String line() {
            return gid + " " + queuePair + " " + psn + " " + memory + " " + rkey;
        }

        QueuePair.Path path(int gidIndex) {
            return new QueuePair.Path(gidIndex, 1, gid, Mac.NONE, queuePair, psn, 1);
        }
    }

    /** Arguments: interface, index of the GID. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        SocketRnic rnic = SocketRnic.open("peer", arguments[0]);
        int gidIndex = Integer.parseInt(arguments[1]);
        Responder responder = new Responder(rnic);
        rnic.listen(Peer::tell);
        for (GidEntry entry : rnic.port(1).gids()) {
            System.out.println("gid " + entry);
        }
        System.out.println("address " + Address.of(responder.side, gidIndex, 77).line());
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("connect ")) {
                responder.connect(Address.parse(line.substring(8)), gidIndex);
                System.out.println("connected");
            } else if (line.equals("close")) {
                rnic.close();
                System.out.println("closed");
            }
        }
        // Without its parent it ends at once, as if it had been killed.
        Runtime.getRuntime().halt(0);
    }

    private static void tell(Event event) {
        System.out.println("event " + event.kind());
    }

    private static final class Responder {
        final Side side;
        private final Completions completions = new Completions(16);
        private Address peer;
        private int answers;

        Responder(SocketRnic rnic) throws Exception {
            side = new Side(rnic, Side.REQUESTS, () -> { }, this::serve);
        }

        void connect(Address to, int gidIndex) throws Exception {
            peer = to;
            side.queuePair.initialize(1);
            side.queuePair.readyToReceive(to.path(gidIndex));
            side.queuePair.readyToSend(77);
            for (int i = 0; i < Side.REQUESTS; i++) {
                post(i);
            }
            side.received.arm(false);
        }

        private void post(long slot) {
            side.receive(slot, MESSAGES_AT + MESSAGE * (int) slot, MESSAGE);
        }

        private void serve() {
            do {
                take();
                side.received.arm(false);
            } while (take() > 0);
        }

        private int take() {
            int total = 0;
            while (side.received.poll(completions) > 0) {
                for (int i = 0; i < completions.count(); i++) {
                    if (completions.status(i) != Completions.SUCCESS) {
                        System.out.println("receive " + completions.status(i));
                        continue;
                    }
                    // The message says how many bytes were written at the beginning of the memory.
                    int at = MESSAGES_AT + MESSAGE * (int) completions.id(i);
                    answer(side.memory.get(ValueLayout.JAVA_INT, at));
                    post(completions.id(i));
                    total++;
                }
            }
            return total;
        }

        private void answer(int written) {
            // Slots are free again only once a completion was polled, so every one is signaled and looked for.
            side.sent.poll(new Completions(16));
            int flags = QueuePair.SIGNALED | QueuePair.SOLICITED;
            if (written > 0) {
                side.queuePair.postWrite(answers, side.address(0), written, side.region.lkey(), peer.memory(), peer.rkey(), 0);
            }
            side.queuePair.postSend(answers++, side.address(MESSAGES_AT), MESSAGE, side.region.lkey(), flags);
        }
    }

    /** The process, as its parent sees it. */
    static final class Handle implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;
        private final PrintStream in;
        final List<String> gids = new ArrayList<>();
        final Address address;

        /** @param prefix words before the command, such as those that enter a network namespace */
        Handle(List<String> prefix, String interfaceName, int gidIndex) throws IOException {
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), Peer.class.getName(),
                    interfaceName, Integer.toString(gidIndex)));
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            out = process.inputReader(StandardCharsets.US_ASCII);
            in = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
            String line = out.readLine();
            while (line != null && line.startsWith("gid ")) {
                gids.add(line);
                line = out.readLine();
            }
            if (line == null || !line.startsWith("address ")) {
                process.destroyForcibly();
                throw new IOException("the peer did not start: " + line);
            }
            address = Address.parse(line.substring(8));
        }

        void connect(Side side, int gidIndex) throws Exception {
            in.println("connect " + Address.of(side, gidIndex, 55).line());
            expect("connected");
            side.queuePair.initialize(1);
            side.queuePair.readyToReceive(address.path(gidIndex));
            side.queuePair.readyToSend(55);
        }

        void tell(String line) {
            in.println(line);
        }

        /** Reads up to that line. */
        void expect(String line) throws IOException {
            String read = out.readLine();
            while (read != null && !read.equals(line)) {
                read = out.readLine();
            }
            if (read == null) {
                throw new IOException("the peer ended before " + line);
            }
        }

        long pid() {
            return process.pid();
        }

        void kill() {
            process.destroyForcibly().onExit().join();
        }

        @Override
        public void close() {
            kill();
        }
    }
}
