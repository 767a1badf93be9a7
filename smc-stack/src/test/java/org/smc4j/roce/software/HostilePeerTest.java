package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.smc4j.roce.QueuePair.SIGNALED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.diag.Log;
import org.smc4j.roce.Completions;
import org.smc4j.roce.Gids;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.QueuePair.State;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceDevice.QueuePairAttributes;

/** Peers that do not say what a RNIC says, over sockets of their own. */
@Timeout(60)
class HostilePeerTest {
    private static final long PATIENCE = 10_000_000_000L;
    private static final Gid LOOPBACK = Gids.ofIpv4(0x7F00_0001);
    private static final int PEER = 0x05_1234;
    private static final int PSN = 100;
    private static final long FUZZ_NANOS = 2_000_000_000L;

    private Side b;

    @BeforeEach
    void open() throws Exception {
        Log.level("off");
        b = new Side(SocketRnic.open("victim", "lo"));
        ready(b.queuePair);
    }

    @AfterEach
    void close() {
        b.close();
        Log.level("warn");
    }

    private static void ready(QueuePair pair) throws Exception {
        pair.initialize(1);
        pair.readyToReceive(new QueuePair.Path(0, 1, LOOPBACK, Mac.NONE, PEER, PSN, 1));
        pair.readyToSend(0);
    }

    private Hello hello() {
        return new Hello(LOOPBACK, LOOPBACK, PEER, b.queuePair.number(), PSN);
    }

    private Socket connect(QueuePair pair) throws IOException {
        Socket socket = new Socket("127.0.0.1", pair.number() & 0xFFFF);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static byte[] encoded(Hello hello) {
        byte[] bytes = new byte[WireFormat.HELLO_LENGTH];
        WireFormat.encode(hello, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static byte[] encoded(Packet packet, byte... payload) {
        byte[] bytes = new byte[WireFormat.HEADER_LENGTH + payload.length];
        WireFormat.encode(packet, MemorySegment.ofArray(bytes), 0);
        System.arraycopy(payload, 0, bytes, WireFormat.HEADER_LENGTH, payload.length);
        return bytes;
    }

    private Packet write(int psn, long address, int length) {
        Packet packet = new Packet();
        packet.opcode = Packet.WRITE;
        packet.first = true;
        packet.last = true;
        packet.psn = psn;
        packet.remoteAddress = address;
        packet.rkey = b.region.rkey();
        packet.length = length;
        packet.requestLength = length;
        return packet;
    }

    private static Answer answer(Socket socket) throws Exception {
        byte[] bytes = socket.getInputStream().readNBytes(WireFormat.ANSWER_LENGTH);
        assertEquals(WireFormat.ANSWER_LENGTH, bytes.length, "the connection was ended without an answer");
        Answer answer = new Answer();
        WireFormat.decode(MemorySegment.ofArray(bytes), 0, answer);
        return answer;
    }

    private static void assertEnded(Socket socket) throws IOException {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketException e) {
            // Reset, as it had not read everything.
            assertTrue(e.getMessage().contains("reset"), e.getMessage());
        }
    }

    /** A connection that the queue pair has accepted. */
    private Socket greeted(Hello hello) throws Exception {
        Socket socket = connect(b.queuePair);
        socket.getOutputStream().write(encoded(hello));
        assertEquals(Answer.READY, answer(socket).kind);
        return socket;
    }

    @Test
    void shouldServeWhoeverSpeaksAsARnic() throws Exception {
        try (Socket socket = greeted(hello())) {
            socket.getOutputStream().write(encoded(write(PSN, b.address(10), 3), (byte) 1, (byte) 2, (byte) 3));
            Answer answer = answer(socket);
            assertEquals(Answer.TAKEN, answer.kind);
            assertEquals(PSN, answer.psn);
            assertArrayEquals(new byte[] {0, 1, 2, 3, 0}, b.memory.asSlice(9, 5).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @Test
    void shouldTakeBytesOneByOne() throws Exception {
        try (Socket socket = connect(b.queuePair)) {
            b.receive(5, 0, 44);
            Packet message = write(PSN, 0, 4);
            message.opcode = Packet.SEND;
            for (byte[] part : List.of(encoded(hello()), encoded(message, (byte) 9, (byte) 8, (byte) 7, (byte) 6))) {
                for (byte value : part) {
                    socket.getOutputStream().write(value);
                }
            }
            assertEquals(Answer.READY, answer(socket).kind);
            assertEquals(PSN, answer(socket).psn);
            assertEquals(List.of("5:0:4"), b.poll(b.received));
            assertArrayEquals(new byte[] {9, 8, 7, 6, 0}, b.memory.asSlice(0, 5).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @Test
    void shouldRefuseWhoeverItWasNotConnectedTo() throws Exception {
        Hello right = hello();
        Gid other = Gids.ofIpv4(0x7F00_0002);
        for (Hello wrong : List.of(
                new Hello(other, LOOPBACK, PEER, right.destinationQueuePair(), PSN),
                new Hello(LOOPBACK, other, PEER, right.destinationQueuePair(), PSN),
                new Hello(LOOPBACK, LOOPBACK, PEER + 1, right.destinationQueuePair(), PSN),
                new Hello(LOOPBACK, LOOPBACK, PEER, right.destinationQueuePair() ^ 0x10000, PSN),
                new Hello(LOOPBACK, LOOPBACK, PEER, right.destinationQueuePair(), PSN + 1))) {
            try (Socket socket = connect(b.queuePair)) {
                socket.getOutputStream().write(encoded(wrong));
                assertEquals(Answer.GONE, answer(socket).kind, wrong.toString());
                assertEnded(socket);
            }
        }
        assertEquals(State.READY_TO_SEND, b.queuePair.state());
    }

    @Test
    void shouldRefuseThePeerFromAnotherAddress() throws Exception {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0));
            socket.connect(new InetSocketAddress("127.0.0.1", b.queuePair.number() & 0xFFFF));
            socket.getOutputStream().write(encoded(hello()));
            assertEquals(Answer.GONE, answer(socket).kind);
        }
    }

    @Test
    void shouldTellWhoeverComesTooEarlyOrTooLate() throws Exception {
        QueuePair early = b.domain.createQueuePair(new QueuePairAttributes(b.sent, b.received, 1, 1, 1, 1, 0));
        Hello hello = new Hello(LOOPBACK, LOOPBACK, PEER, early.number(), PSN);
        assertEquals(Answer.NOT_READY, firstAnswer(early, hello));
        early.initialize(1);
        assertEquals(Answer.NOT_READY, firstAnswer(early, hello));
        early.fail();
        assertEquals(Answer.GONE, firstAnswer(early, hello));
    }

    private int firstAnswer(QueuePair pair, Hello hello) throws Exception {
        try (Socket socket = connect(pair)) {
            socket.getOutputStream().write(encoded(hello));
            return answer(socket).kind;
        }
    }

    @Test
    void shouldEndAConnectionThatBeginsWithSomethingElse() throws Exception {
        try (Socket socket = connect(b.queuePair)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: somebody\r\n\r\n".getBytes());
            assertEnded(socket);
        }
    }

    @Test
    void shouldEndOnlyTheConnectionWhenAPacketIsMalformed() throws Exception {
        List<Packet> malformed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            malformed.add(write(PSN, b.address(0), 8));
        }
        malformed.get(0).opcode = 7;
        malformed.get(1).length = -8;
        malformed.get(2).psn = PSN - 1;
        malformed.get(3).psn = PSN + 1;
        malformed.get(4).requestLength = 4;
        for (Packet packet : malformed) {
            try (Socket socket = greeted(hello())) {
                socket.getOutputStream().write(encoded(packet, new byte[8]));
                assertEnded(socket);
            }
        }
        assertEquals(State.READY_TO_SEND, b.queuePair.state());
        b.assertZero(0, 16);
        // The peer itself goes on.
        try (Socket socket = greeted(hello())) {
            socket.getOutputStream().write(encoded(write(PSN, b.address(0), 1), (byte) 5));
            assertEquals(Answer.TAKEN, answer(socket).kind);
        }
    }

    @Test
    void shouldRefuseEveryWriteOutsideAndWriteNothing() throws Exception {
        long start = b.address(0);
        for (long[] place : new long[][] {{start - 1, 8}, {start + Side.MEMORY - 7, 8}, {start + Side.MEMORY, 8}, {0, 8}, {-4, 8},
            {Long.MAX_VALUE - 3, 8}, {start + Long.MIN_VALUE, 8}}) {
            assertRefused(write(PSN, place[0], (int) place[1]), Completions.REMOTE_ACCESS_ERROR);
        }
        // A request whose first packet is inside, but not its end.
        Packet large = write(PSN, start + Side.MEMORY - 8, 8);
        large.requestLength = 16;
        large.last = false;
        assertRefused(large, Completions.REMOTE_ACCESS_ERROR);
        Packet huge = write(PSN, start, 8);
        huge.requestLength = Integer.MAX_VALUE;
        huge.last = false;
        assertRefused(huge, Completions.REMOTE_ACCESS_ERROR);
        b.assertZero(0, 64);
        b.assertZero(Side.MEMORY - 64, 64);
    }

    @Test
    void shouldRefuseRequestsThatDoNotFitTogether() throws Exception {
        Packet middle = write(PSN, b.address(0), 8);
        middle.first = false;
        assertRefused(middle, Completions.REMOTE_INVALID_REQUEST);
        Packet endless = write(PSN, b.address(0), 8);
        endless.last = false;
        assertRefused(endless, Completions.REMOTE_INVALID_REQUEST);
        Packet shorter = write(PSN, b.address(0), 8);
        shorter.requestLength = 9;
        assertRefused(shorter, Completions.REMOTE_INVALID_REQUEST);
        b.assertZero(0, 64);
    }

    private void assertRefused(Packet packet, int status) throws Exception {
        QueuePair pair = b.domain.createQueuePair(new QueuePairAttributes(b.sent, b.received, 1, 1, 1, 1, 0));
        ready(pair);
        try (Socket socket = connect(pair)) {
            socket.getOutputStream().write(encoded(new Hello(LOOPBACK, LOOPBACK, PEER, pair.number(), PSN)));
            assertEquals(Answer.READY, answer(socket).kind);
            socket.getOutputStream().write(encoded(packet, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
            Answer answer = answer(socket);
            assertEquals(Answer.REFUSED, answer.kind);
            assertEquals(status, answer.status);
            assertTrue(Waiting.until(() -> pair.state() == State.ERROR, PATIENCE));
        }
        pair.close();
    }

    @Test
    void shouldNotWriteIntoMemoryThatIsTakenAwayInTheMiddle() throws Exception {
        MemorySegment memory = b.arena.allocate(40_000, 8);
        MemoryRegion region = b.domain.register(memory, true);
        Packet packet = write(PSN, memory.address(), 40_000);
        packet.rkey = region.rkey();
        try (Socket socket = greeted(hello())) {
            socket.getOutputStream().write(encoded(packet, new byte[] {1, 1, 1, 1}));
            assertTrue(Waiting.until(() -> memory.get(ValueLayout.JAVA_BYTE, 3) == 1, PATIENCE));
            region.close();
            byte[] rest = new byte[39_996];
            Arrays.fill(rest, (byte) 2);
            socket.getOutputStream().write(rest);
            Answer answer = answer(socket);
            assertEquals(Answer.REFUSED, answer.kind);
            assertEquals(Completions.REMOTE_ACCESS_ERROR, answer.status);
        }
        for (int i = 4; i < 40_000; i++) {
            assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, i));
        }
    }

    @Test
    void shouldStillHearItsPeerAmongManyWhoSayNothing() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 400; i++) {
                silent.add(connect(b.queuePair));
            }
            greeted(hello()).close();
            // Not all of them are kept.
            assertEnded(silent.getFirst());
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void shouldFailARequestWhoseAnswerIsNone() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            QueuePair pair = b.domain.createQueuePair(new QueuePairAttributes(b.sent, b.received, 4, 1, 1, 1, 0));
            pair.initialize(1);
            pair.readyToReceive(new QueuePair.Path(0, 1, LOOPBACK, Mac.NONE, 0x01_0000 | server.getLocalPort(), PSN, 1));
            pair.readyToSend(0);
            pair.postSend(1, b.address(0), 44, b.region.lkey(), SIGNALED);
            try (Socket socket = server.accept()) {
                assertEquals(WireFormat.HELLO_LENGTH, socket.getInputStream().readNBytes(WireFormat.HELLO_LENGTH).length);
                byte[] answers = new byte[16];
                WireFormat.encodeAnswer(Answer.READY, 0, 0, MemorySegment.ofArray(answers), 0);
                // Of a packet that was never sent.
                WireFormat.encodeAnswer(Answer.TAKEN, 0, 5, MemorySegment.ofArray(answers), 8);
                socket.getOutputStream().write(answers);
                Completions completions = new Completions(4);
                assertTrue(Waiting.until(() -> b.sent.poll(completions) > 0, PATIENCE));
                assertEquals(Completions.RETRY_EXCEEDED, completions.status(0));
            }
        }
    }

    @Test
    void shouldWriteNowhereElseWhateverIsSent() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = arena.allocate(3 * 8_192, 8_192);
            all.fill((byte) 0x5A);
            MemoryRegion region = b.domain.register(all.asSlice(8_192, 8_192), true);
            long deadline = System.nanoTime() + FUZZ_NANOS;
            int answered = 0;
            int rounds = 0;
            for (; System.nanoTime() < deadline; rounds++) {
                answered += attack(random, all, region.rkey());
            }
            for (int i = 0; i < 8_192; i++) {
                assertEquals(0x5A, all.get(ValueLayout.JAVA_BYTE, i));
                assertEquals(0x5A, all.get(ValueLayout.JAVA_BYTE, 2 * 8_192 + i));
            }
            boolean written = false;
            for (int i = 8_192; i < 2 * 8_192; i++) {
                written |= all.get(ValueLayout.JAVA_BYTE, i) != 0x5A;
            }
            assertTrue(written, "no write was taken");
            assertTrue(answered > rounds / 10, answered + " of " + rounds + " answered");
            region.close();
        }
        assertNotEquals(State.ERROR, b.queuePair.state());
    }

    /** Sends some packets, with bits flipped here and there, to a queue pair of its own. Returns whether there was an answer. */
    private int attack(SplittableRandom random, MemorySegment all, int rkey) throws Exception {
        QueuePair pair = b.domain.createQueuePair(new QueuePairAttributes(b.sent, b.received, 1, 4, 1, 1, 0));
        ready(pair);
        pair.postReceive(1, all.address() + 8_192, 100, rkey);
        Completions completions = new Completions(16);
        int answered = 0;
        try (Socket socket = connect(pair)) {
            socket.getOutputStream().write(encoded(new Hello(LOOPBACK, LOOPBACK, PEER, pair.number(), PSN)));
            assertEquals(Answer.READY, answer(socket).kind);
            for (int i = 0; i < 4; i++) {
                byte[] packet = randomPacket(random, PSN + i, all.address(), rkey);
                socket.getOutputStream().write(packet);
            }
            socket.shutdownOutput();
            answered = socket.getInputStream().read() >= 0 ? 1 : 0;
        } catch (SocketException e) {
            // Refused in the middle of it.
        }
        pair.close();
        while (b.received.poll(completions) > 0) {
            continue;
        }
        return answered;
    }

    private static byte[] randomPacket(SplittableRandom random, int psn, long address, int rkey) {
        int length = 1 + random.nextInt(200);
        Packet packet = new Packet();
        packet.opcode = random.nextInt(4) == 0 ? Packet.SEND : Packet.WRITE;
        packet.first = true;
        packet.last = true;
        packet.psn = psn;
        packet.remoteAddress = address + (random.nextInt(3) == 0 ? random.nextInt(3 * 8_192) : 8_192 + random.nextInt(7_900));
        packet.rkey = rkey;
        packet.length = length;
        packet.requestLength = length;
        byte[] payload = new byte[length];
        Arrays.fill(payload, (byte) 0x77);
        byte[] bytes = encoded(packet, payload);
        for (int flips = random.nextInt(3); flips > 0; flips--) {
            bytes[random.nextInt(WireFormat.HEADER_LENGTH)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }
}
