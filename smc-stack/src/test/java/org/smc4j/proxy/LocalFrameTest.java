package org.smc4j.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.PeerException;
import org.smc4j.ffi.linux.UnixSocket;

@Timeout(30)
class LocalFrameTest {
    private static final FourTuple TUPLE = new FourTuple(new byte[] {10, 0, 0, 1}, 1, new byte[] {10, 0, 0, 2}, 2);

    private static List<LocalFrame> samples() throws Exception {
        return List.of(new LocalFrame.Join(new byte[LocalFrame.Join.SETTINGS_SIZE]), new LocalFrame.Joined(),
                new LocalFrame.OtherSettings(), new LocalFrame.Listener(true, InetAddress.getByName("10.1.2.3"), 65535),
                new LocalFrame.Listener(false, InetAddress.getByName("fd00::1"), 1),
                new LocalFrame.Message(7, HandshakeMessage.decline(DeclineReason.REFUSED, 0, 5, TUPLE)),
                new LocalFrame.Message(-1, new HandshakeMessage(HandshakeMessage.Type.PROPOSAL, null, 1, 0, TUPLE,
                        new byte[HandshakeMessage.MAX_PAYLOAD])));
    }

    @Test
    void shouldSurviveEncodingAndFitIntoAPacket() throws Exception {
        for (LocalFrame sample : samples()) {
            byte[] bytes = sample.encode();
            LocalFrame decoded = LocalFrame.decode(ByteBuffer.wrap(bytes));
            assertInstanceOf(sample.getClass(), decoded);
            assertArrayEquals(bytes, decoded.encode());
            assertTrue(bytes.length <= UnixSocket.MAX_MESSAGE);
        }
    }

    @Test
    void shouldHaveTheLayoutOfItsDocumentation() throws Exception {
        assertArrayEquals(HexFormat.of().parseHex("04000000ffff00000a010203"), samples().get(3).encode());
        assertArrayEquals(HexFormat.of().parseHex("0600000000000007"), Arrays.copyOf(samples().get(5).encode(), 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "010000", "00000000", "07000000", "0100000011", "04000000ffff00000a0102", "0600000000000007"})
    void shouldRefuseWhatIsNone(String hex) {
        assertThrows(PeerException.class, () -> LocalFrame.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex))));
    }

    /** Seeded. */
    @Test
    void shouldGiveFrameOrPeerExceptionWhenBytesAreMutated() throws Exception {
        Random random = new Random(82);
        List<byte[]> encoded = samples().stream().map(LocalFrame::encode).toList();
        int frames = 0;
        int cases = 20_000;
        for (int i = 0; i < cases; i++) {
            byte[] bytes = encoded.get(random.nextInt(encoded.size())).clone();
            bytes[random.nextInt(Math.min(bytes.length, 60))] = (byte) random.nextInt(random.nextBoolean() ? 8 : 256);
            bytes = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(80)) : bytes;
            try {
                LocalFrame.decode(ByteBuffer.wrap(bytes)).encode();
                frames++;
            } catch (PeerException e) {
                assertTrue(e.getMessage().length() < 100);
            } catch (RuntimeException e) {
                fail("bytes " + HexFormat.of().formatHex(bytes), e);
            }
        }
        assertTrue(frames > cases / 10 && frames < cases, frames + " of " + cases + " were frames");
    }
}
