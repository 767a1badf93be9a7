package org.smc4j.proxy;

import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.HandshakeMessage.Type;

/**
 * One handshake with a process on another host. Used on the thread of the loop only, and nothing in it blocks. It is over with
 * READY, sent or received, with {@link #decline} or {@link #abandon}, or when its handler is told so; after that nothing is sent
 * and nothing is told any more.
 */
public final class Exchange {
    /** Takes what the peer says; called on the thread of the loop, never from within a call of the exchange. */
    public interface Handler {
        /**
         * A message came, with the payload as it came. With READY the exchange is over.
         *
         * @param type ACCEPT, CONFIRM, ATTACHED or READY
         */
        void received(Exchange exchange, Type type, byte[] payload);

        /**
         * The exchange is over, without an outcome.
         *
         * @param reason  why
         * @param payload the peer's CLC Decline if the reason is {@link DeclineReason#PEER} and it sent one, else empty
         */
        void ended(Exchange exchange, DeclineReason reason, byte[] payload);
    }

    final HandshakeMessage opening;
    final int localId;
    final boolean incoming;
    /** The connection and the peer's id; 0 while they are not known. */
    int peer;
    int remoteId;
    Handler handler;
    boolean over;
    private final HostSideband sideband;

    Exchange(HostSideband sideband, HandshakeMessage opening, int localId, boolean incoming) {
        this.sideband = sideband;
        this.opening = opening;
        this.localId = localId;
        this.incoming = incoming;
    }

    /** The TCP connection that it is about. */
    public FourTuple tuple() {
        return opening.tuple();
    }

    /** Whether the other host proposed. */
    public boolean isIncoming() {
        return incoming;
    }

    /** PROPOSAL or CHECK. */
    public Type type() {
        return opening.type();
    }

    /** What the end that opened it sent first. */
    public byte[] proposal() {
        return opening.payload().clone();
    }

    /**
     * Sends an answer.
     *
     * @param type    ACCEPT, CONFIRM, ATTACHED or READY
     * @param payload up to {@link HandshakeMessage#MAX_PAYLOAD} bytes
     */
    public void send(Type type, byte[] payload) {
        if (type.opens() || type == Type.DECLINE || payload.length > HandshakeMessage.MAX_PAYLOAD) {
            throw new IllegalArgumentException(type + " with " + payload.length + " bytes");
        }
        sideband.send(this, type, null, payload);
    }

    /** Ends it; the peer's process is told, and why. As long as the peer has not answered, as {@link #abandon}. */
    public void decline(byte[] payload) {
        if (payload.length > HandshakeMessage.MAX_PAYLOAD) {
            throw new IllegalArgumentException("Decline with " + payload.length + " bytes");
        }
        // A peer that has not answered is found by our id only, and only for this reason (spec/80 §3).
        sideband.send(this, Type.DECLINE, remoteId == 0 ? DeclineReason.TIMEOUT : DeclineReason.PEER, payload);
    }

    /** Ends it because the peer took too long, or nobody waits for the answer any more; the peer's process is told. */
    public void abandon() {
        sideband.send(this, Type.DECLINE, DeclineReason.TIMEOUT, new byte[0]);
    }

    @Override
    public String toString() {
        return (incoming ? "from " : "to ") + "another host, " + tuple();
    }
}
