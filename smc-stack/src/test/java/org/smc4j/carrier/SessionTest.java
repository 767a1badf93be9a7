package org.smc4j.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.ffi.linux.SocketAddresses.Address;

@Timeout(30)
class SessionTest {
    private static final SharedSecret SECRET = new SharedSecret("0123456789abcdef".getBytes());
    private static final SharedSecret OTHER = new SharedSecret("0123456789abcdeF".getBytes());
    private static final Address CLIENT = new Address(new byte[] {10, 0, 0, 1}, 40000);
    private static final Address SERVER = new Address(new byte[] {10, 0, 0, 2}, 7000);

    private static byte[] nonce(int seed) {
        byte[] nonce = new byte[Hello.NONCE_SIZE];
        Arrays.fill(nonce, (byte) seed);
        return nonce;
    }

    private static Session client(SharedSecret secret, int nonce) {
        return Session.client(secret, nonce(nonce), CLIENT, SERVER);
    }

    private static Session server(SharedSecret secret, int nonce) {
        return Session.server(secret, nonce(nonce), SERVER, CLIENT);
    }

    /** Both ends of a connection after their HELLOs. */
    private record Pair(Session client, Session server) {
        static Pair open(SharedSecret secret, int clientNonce, int serverNonce) throws PeerException {
            Pair pair = new Pair(SessionTest.client(secret, clientNonce), SessionTest.server(secret, serverNonce));
            assertNull(pair.server.receive(ByteBuffer.wrap(pair.client.hello())));
            assertNull(pair.client.receive(ByteBuffer.wrap(pair.server.hello())));
            return pair;
        }
    }

    private static HandshakeMessage message(int id) {
        return HandshakeMessageTest.samples().getFirst().withLocalId(id);
    }

    private static HandshakeMessage answer(int id) {
        return HandshakeMessageTest.samples().get(2).withLocalId(id);
    }

    private static HandshakeMessage receive(Session session, byte[] frame) throws PeerException {
        ByteBuffer buffer = ByteBuffer.wrap(frame);
        assertEquals(frame.length, session.frameSize(buffer));
        return session.receive(buffer);
    }

    private static void assertRefused(DeclineReason reason, Session session, byte[] frame) {
        PeerException refusal = assertThrows(PeerException.class, () -> session.receive(ByteBuffer.wrap(frame)));
        assertEquals(reason, refusal.reason(), refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCarryMessagesBothWays(boolean withSecret) throws PeerException {
        Pair pair = Pair.open(withSecret ? SECRET : null, 1, 2);
        for (int id = 1; id < 5; id++) {
            assertEquals(message(id), receive(pair.server, pair.client.seal(message(id))));
            assertEquals(answer(-id), receive(pair.client, pair.server.seal(answer(-id))));
        }
        assertTrue(pair.client.isProven() && pair.server.isProven());
        assertTrue(pair.client.maxFrameSize() >= pair.client.seal(HandshakeMessageTest.samples().get(1)).length);
    }

    @Test
    void shouldNotTakeAClientForProvenBeforeItsFirstMessage() throws PeerException {
        Pair pair = Pair.open(SECRET, 1, 2);
        assertTrue(pair.client.isProven());
        assertFalse(pair.server.isProven());
        receive(pair.server, pair.client.seal(message(1)));
        assertTrue(pair.server.isProven());
    }

    @Test
    void shouldRefuseTheServerWhenItHasAnotherSecret() throws PeerException {
        Session client = client(SECRET, 1);
        Session server = server(OTHER, 2);
        server.receive(ByteBuffer.wrap(client.hello()));
        assertRefused(DeclineReason.SECRET, client, server.hello());
        assertFalse(client.isOpen());
    }

    @Test
    void shouldRefuseTheClientWhenItHasAnotherSecret() throws PeerException {
        Session forger = client(OTHER, 1);
        Session server = server(SECRET, 2);
        server.receive(ByteBuffer.wrap(forger.hello()));
        // The forger goes on although the server's proof is not what it would be with its own secret.
        Session sealing = server(OTHER, 2);
        sealing.receive(ByteBuffer.wrap(forger.hello()));
        forger.receive(ByteBuffer.wrap(sealing.hello()));
        assertRefused(DeclineReason.SECRET, server, forger.seal(message(1)));
        assertFalse(server.isProven());
    }

    @Test
    void shouldRefuseWhoHasNoSecretWhenOneIsDemanded() {
        assertRefused(DeclineReason.SECRET, server(SECRET, 2), client(null, 1).hello());
        assertRefused(DeclineReason.SECRET, client(SECRET, 1), server(null, 2).hello());
    }

    @Test
    void shouldRefuseWhoDemandsASecretWhenThereIsNone() {
        assertRefused(DeclineReason.SECRET, server(null, 2), client(SECRET, 1).hello());
        assertRefused(DeclineReason.SECRET, client(null, 1), server(SECRET, 2).hello());
    }

    @Test
    void shouldRefuseAMessageThatIsSaidTwice() throws PeerException {
        Pair pair = Pair.open(SECRET, 1, 2);
        byte[] frame = pair.client.seal(message(1));
        receive(pair.server, frame);
        assertRefused(DeclineReason.SECRET, pair.server, frame);
    }

    @Test
    void shouldRefuseMessagesOutOfOrder() throws PeerException {
        Pair pair = Pair.open(SECRET, 1, 2);
        pair.client.seal(message(1));
        assertRefused(DeclineReason.SECRET, pair.server, pair.client.seal(message(2)));
    }

    @Test
    void shouldRefuseWhatWasSaidOnAnotherConnection() throws PeerException {
        Pair recorded = Pair.open(SECRET, 1, 2);
        byte[] proposal = recorded.client.seal(message(1));
        Session server = server(SECRET, 3);
        server.receive(ByteBuffer.wrap(recorded.client.hello()));
        assertRefused(DeclineReason.SECRET, server, proposal);
        assertRefused(DeclineReason.SECRET, client(SECRET, 4), recorded.server.hello());
    }

    @Test
    void shouldRefuseWhatWasSaidInTheOtherDirection() throws PeerException {
        Pair pair = Pair.open(SECRET, 1, 2);
        assertRefused(DeclineReason.SECRET, pair.client, pair.client.seal(message(1)));
    }

    @Test
    void shouldRefuseWhatWasSaidBetweenOtherHosts() throws PeerException {
        Session client = Session.client(SECRET, nonce(1), CLIENT, SERVER);
        Session server = Session.server(SECRET, nonce(2), SERVER, new Address(new byte[] {10, 0, 0, 3}, 40000));
        server.receive(ByteBuffer.wrap(client.hello()));
        assertRefused(DeclineReason.SECRET, client, server.hello());
    }

    @Test
    void shouldRefuseEveryChangedByte() throws PeerException {
        byte[] frame = Pair.open(SECRET, 1, 2).client.seal(message(1));
        for (int i = 2; i < frame.length; i++) {
            byte[] changed = frame.clone();
            changed[i] ^= 1;
            assertRefused(DeclineReason.SECRET, Pair.open(SECRET, 1, 2).server, changed);
        }
        byte[] hello = Pair.open(SECRET, 1, 2).server.hello();
        for (int i = 9; i < hello.length; i++) {
            byte[] changed = hello.clone();
            changed[i] ^= 1;
            assertRefused(DeclineReason.SECRET, client(SECRET, 1), changed);
        }
    }

    @Test
    void shouldRefuseAnotherVersion() {
        byte[] hello = client(null, 1).hello();
        hello[3] = 2;
        assertRefused(DeclineReason.NOT_A_PEER, server(null, 2), hello);
    }

    @Test
    void shouldRefuseReasonsThatOnlyThisHostCanKnow() throws PeerException {
        Pair pair = Pair.open(null, 1, 2);
        byte[] frame = pair.server.seal(HandshakeMessage.decline(DeclineReason.SECRET, 0, 1, message(1).tuple()));
        assertRefused(DeclineReason.NOT_A_PEER, pair.client, frame);
    }

    @Test
    void shouldRefuseAProposalOnAConnectionThatItOpenedItself() throws PeerException {
        Pair pair = Pair.open(null, 1, 2);
        assertRefused(DeclineReason.NOT_A_PEER, pair.client, pair.server.seal(message(1)));
    }

    @Test
    void shouldTellTheSizeOfAFrameAsSoonAsPossibleAndRefuseTheRest() throws PeerException {
        Session server = server(SECRET, 2);
        assertEquals(0, server.frameSize(ByteBuffer.wrap(new byte[1])));
        assertEquals(Hello.SIZE, server.frameSize(ByteBuffer.wrap(new byte[] {0, (byte) Hello.SIZE})));
        assertThrows(PeerException.class, () -> server.frameSize(ByteBuffer.wrap("GET / HTTP/1.1".getBytes())));
        Session open = Pair.open(SECRET, 1, 2).server;
        assertEquals(48 + SharedSecret.MAC_SIZE, open.frameSize(ByteBuffer.wrap(new byte[] {0, 48})));
        assertThrows(PeerException.class, () -> open.frameSize(ByteBuffer.wrap(new byte[] {0, 47})));
        assertThrows(PeerException.class, () -> open.frameSize(ByteBuffer.wrap(new byte[] {0x10, 0x31})));
    }
}
