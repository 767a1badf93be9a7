package org.smc4j.carrier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.smc4j.carrier.HandshakeMessage.Type;

@Timeout(30)
class HandshakeMessageTest {
    private static final FourTuple TUPLE = new FourTuple(new byte[] {10, 1, 2, 3}, 40000, new byte[] {10, 9, 8, 7}, 9092);
    private static final FourTuple TUPLE_6 = new FourTuple(ipv6(1), 65535, ipv6(2), 1);

    private static byte[] ipv6(int last) {
        byte[] bytes = new byte[16];
        bytes[0] = (byte) 0xfd;
        bytes[15] = (byte) last;
        return bytes;
    }

    static List<HandshakeMessage> samples() {
        List<HandshakeMessage> samples = new ArrayList<>(List.of(
                new HandshakeMessage(Type.PROPOSAL, null, 7, 0, TUPLE, new byte[] {1, 2, 3}),
                new HandshakeMessage(Type.CHECK, null, -1, 0, TUPLE_6, new byte[HandshakeMessage.MAX_PAYLOAD]),
                new HandshakeMessage(Type.ACCEPT, null, 1, Integer.MIN_VALUE, TUPLE_6, new byte[0]),
                new HandshakeMessage(Type.CONFIRM, null, 1, 2, TUPLE, new byte[] {-1}),
                new HandshakeMessage(Type.READY, null, 1, 2, TUPLE, new byte[0])));
        for (DeclineReason reason : DeclineReason.values()) {
            samples.add(HandshakeMessage.decline(reason, 5, 0, TUPLE));
        }
        return samples;
    }

    @Test
    void shouldSurviveEncoding() throws PeerException {
        for (HandshakeMessage sample : samples()) {
            assertEquals(sample, HandshakeMessage.decode(ByteBuffer.wrap(sample.encode())));
        }
    }

    @Test
    void shouldHaveTheLayoutOfItsDocumentation() {
        byte[] expected = HexFormat.of().parseHex("0033" + "01" + "00" + "00000007" + "00000000"
                + "00000000000000000000ffff0a010203" + "9c40" + "00000000000000000000ffff0a090807" + "2384" + "010203");
        assertArrayEquals(expected, samples().getFirst().encode());
    }

    @ParameterizedTest
    @EnumSource(DeclineReason.class)
    void shouldTellReasonsApart(DeclineReason reason) {
        assertEquals(reason, DeclineReason.of(reason.code()));
        assertTrue(reason.code() > 0 && reason.code() < 256);
    }

    @ParameterizedTest
    @CsvSource({
        // offset, value
        "1, 50", "1, 52", "0, 1", "2, 0", "2, 7", "2, 255", "3, 4", "7, 0", "11, 1",
    })
    void shouldRefuseAProposalWithOneWrongByte(int offset, int value) {
        byte[] bytes = samples().getFirst().encode();
        bytes[offset] = (byte) value;
        assertEquals(DeclineReason.NOT_A_PEER, assertThrows(PeerException.class,
                () -> HandshakeMessage.decode(ByteBuffer.wrap(bytes))).reason());
    }

    @Test
    void shouldRefuseWhatNamesNoHandshakeOrNoReason() {
        byte[] accept = new HandshakeMessage(Type.ACCEPT, null, 0, 0, TUPLE, new byte[0]).encode();
        assertThrows(PeerException.class, () -> HandshakeMessage.decode(ByteBuffer.wrap(accept)));
        byte[] decline = new HandshakeMessage(Type.DECLINE, null, 1, 2, TUPLE, new byte[0]).encode();
        assertThrows(PeerException.class, () -> HandshakeMessage.decode(ByteBuffer.wrap(decline)));
    }

    @Test
    void shouldRefuseLengthsOutOfRange() {
        byte[] longest = samples().get(1).encode();
        byte[] tooLong = Arrays.copyOf(longest, longest.length + 1);
        tooLong[1]++;
        assertThrows(PeerException.class, () -> HandshakeMessage.decode(ByteBuffer.wrap(tooLong)));
        assertThrows(PeerException.class, () -> HandshakeMessage.decode(ByteBuffer.allocate(0)));
        assertThrows(PeerException.class, () -> HandshakeMessage.decode(ByteBuffer.allocate(HandshakeMessage.HEADER_SIZE - 1)));
    }

    /** Any bytes are a message or a {@link PeerException}, and a message survives encoding. Seeded. */
    @Test
    void shouldGiveMessageOrPeerExceptionWhenBytesAreMutated() {
        Random random = new Random(80);
        int messages = 0;
        int cases = 50_000;
        List<byte[]> encoded = samples().stream().map(HandshakeMessage::encode).toList();
        for (int i = 0; i < cases; i++) {
            byte[] bytes = encoded.get(random.nextInt(encoded.size())).clone();
            for (int edits = random.nextInt(4); edits > 0; edits--) {
                bytes[random.nextInt(Math.min(bytes.length, 64))] = (byte) random.nextInt();
            }
            if (random.nextInt(4) == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(120));
            }
            if (random.nextBoolean() && bytes.length > 1) {
                bytes[0] = (byte) (bytes.length >>> 8);
                bytes[1] = (byte) bytes.length;
            }
            try {
                HandshakeMessage message = HandshakeMessage.decode(ByteBuffer.wrap(bytes));
                messages++;
                assertEquals(message, HandshakeMessage.decode(ByteBuffer.wrap(message.encode())));
            } catch (PeerException e) {
                assertTrue(e.getMessage().length() < 100);
            } catch (RuntimeException e) {
                fail("bytes " + HexFormat.of().formatHex(bytes), e);
            }
        }
        assertTrue(messages > cases / 10 && messages < cases, messages + " of " + cases + " were messages");
    }

    @Test
    void shouldGiveHelloOrPeerExceptionWhenBytesAreMutated() {
        Random random = new Random(81);
        int hellos = 0;
        int cases = 20_000;
        for (int i = 0; i < cases; i++) {
            byte[] bytes = Hello.of(random.nextBoolean(), new byte[Hello.NONCE_SIZE]).encode();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            bytes = random.nextInt(8) == 0 ? Arrays.copyOf(bytes, random.nextInt(100)) : bytes;
            try {
                Hello hello = Hello.decode(ByteBuffer.wrap(bytes));
                hellos++;
                assertEquals(hello, Hello.decode(ByteBuffer.wrap(hello.encode())));
            } catch (PeerException e) {
                assertEquals(DeclineReason.NOT_A_PEER, e.reason());
            }
        }
        assertTrue(hellos > cases / 10 && hellos < cases, hellos + " of " + cases + " were hellos");
    }
}
