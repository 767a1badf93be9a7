package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Gid;
import org.smc4j.roce.Completions;

@Timeout(20)
class WireFormatTest {
    private static final int ROUNDS = 200_000;

    private static MemorySegment bytes(int length) {
        return MemorySegment.ofArray(new byte[length]);
    }

    private static String hex(MemorySegment bytes) {
        return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    private static Packet packet(int opcode, int length, int requestLength) {
        Packet packet = new Packet();
        packet.opcode = opcode;
        packet.first = true;
        packet.psn = 0x010203;
        packet.remoteAddress = 0x1122_3344_5566_7788L;
        packet.rkey = 0x99AABBCC;
        packet.length = length;
        packet.requestLength = requestLength;
        return packet;
    }

    @Test
    void shouldHaveTheLayoutThatItSays() {
        MemorySegment header = bytes(WireFormat.HEADER_LENGTH);
        WireFormat.encode(packet(Packet.WRITE, 0x100, 0x20000), header, 0);
        assertEquals("02010000" + "00010203" + "1122334455667788" + "99aabbcc" + "00000100" + "00020000" + "00000000",
                hex(header));
        MemorySegment hello = bytes(WireFormat.HELLO_LENGTH);
        WireFormat.encode(new Hello(new Gid(1, 2), new Gid(3, 4), 5, 6, 7), hello);
        assertEquals("534d4352" + "00010000" + "0000000000000001" + "0000000000000002" + "0000000000000003" + "0000000000000004"
                + "00000005" + "00000006" + "00000007" + "00000000", hex(hello));
        MemorySegment answer = bytes(WireFormat.ANSWER_LENGTH);
        WireFormat.encodeAnswer(Answer.REFUSED, Completions.REMOTE_ACCESS_ERROR, 0x010203, answer, 0);
        assertEquals("050a0000" + "00010203", hex(answer));
    }

    @Test
    void shouldGiveBackWhatWasEncoded() throws Exception {
        MemorySegment buffer = bytes(100);
        Packet decoded = new Packet();
        Packet sent = packet(Packet.SEND, 44, 44);
        sent.last = true;
        sent.solicited = true;
        WireFormat.encode(sent, buffer, 3);
        WireFormat.decode(buffer, 3, decoded);
        assertEquals(sent.opcode, decoded.opcode);
        assertTrue(decoded.first && decoded.last && decoded.solicited);
        assertEquals(sent.psn, decoded.psn);
        assertEquals(sent.remoteAddress, decoded.remoteAddress);
        assertEquals(sent.rkey, decoded.rkey);
        assertEquals(44, decoded.length);
        assertEquals(44, decoded.requestLength);
        Hello hello = new Hello(new Gid(-1, 2), new Gid(3, -4), Psn.MASK, 1, 0);
        WireFormat.encode(hello, buffer);
        assertEquals(hello, WireFormat.decodeHello(buffer));
        Answer answer = new Answer();
        WireFormat.encodeAnswer(Answer.TAKEN, 0, Psn.MASK, buffer, 8);
        WireFormat.decode(buffer, 8, answer);
        assertEquals(Answer.TAKEN, answer.kind);
        assertEquals(Psn.MASK, answer.psn);
    }

    @Test
    void shouldRefusePacketsThatNobodySends() {
        assertMalformed(packet(0, 1, 1));
        assertMalformed(packet(3, 1, 1));
        assertMalformed(packet(Packet.WRITE, -1, 1));
        assertMalformed(packet(Packet.WRITE, WireFormat.MOST_BYTES + 1, 1 << 20));
        assertMalformed(packet(Packet.WRITE, 2, 1));
        assertMalformed(packet(Packet.WRITE, 0, 0));
        assertMalformed(packet(Packet.WRITE, 0, 1));
        assertMalformed(packet(Packet.SEND, 0, 1));
        assertMalformed(packet(Packet.SEND, 1, -1));
        Packet psn = packet(Packet.SEND, 1, 1);
        psn.psn = Psn.MASK + 1;
        assertMalformed(psn);
    }

    private static void assertMalformed(Packet packet) {
        MemorySegment header = bytes(WireFormat.HEADER_LENGTH);
        WireFormat.encode(packet, header, 0);
        assertThrows(WireFormatException.class, () -> WireFormat.decode(header, 0, new Packet()));
    }

    @Test
    void shouldTakeOrRefuseAnyBytesAndThrowNothingElse() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] array = new byte[WireFormat.HELLO_LENGTH];
        MemorySegment buffer = MemorySegment.ofArray(array);
        int taken = 0;
        for (int i = 0; i < ROUNDS; i++) {
            // Mostly small values, so that not all is refused by its first field.
            for (int j = 0; j < array.length; j++) {
                array[j] = (byte) (random.nextInt(4) == 0 ? random.nextInt(8) : 0);
            }
            taken += decodes(() -> WireFormat.decode(buffer, 0, new Packet()));
            taken += decodes(() -> WireFormat.decode(buffer, 0, new Answer()));
            decodes(() -> WireFormat.decodeHello(buffer));
        }
        assertTrue(taken > 1_000, "only " + taken + " were taken");
    }

    private interface Decoding {
        void run() throws WireFormatException;
    }

    private static int decodes(Decoding decoding) {
        try {
            decoding.run();
            return 1;
        } catch (WireFormatException e) {
            return 0;
        }
    }
}
