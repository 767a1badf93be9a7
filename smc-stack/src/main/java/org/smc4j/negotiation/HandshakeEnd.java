package org.smc4j.negotiation;

import org.smc4j.clc.ClcAcceptConfirm;

/** How a handshake ended. */
public sealed interface HandshakeEnd {
    /** Told once, on the scheduler. */
    interface Listener {
        void ended(HandshakeEnd end);
    }

    /**
     * The connection is SMC.
     *
     * @param choice with the terms that both ends have agreed on
     * @param peer   its end: the server's Accept or the client's Confirm
     */
    record Active(Choice choice, Reservation reservation, ClcAcceptConfirm peer) implements HandshakeEnd {
    }

    /**
     * The connection stays TCP, at both ends.
     *
     * @param reason        ours, see {@link org.smc4j.diag.ReasonCode}; {@code PEERDECL} if it is the peer's
     * @param peerDiagnosis what the peer has said, any number; 0 if it has said nothing
     */
    record Fallback(int reason, int peerDiagnosis) implements HandshakeEnd {
    }

    /**
     * The ends do not know of each other how the connection goes on: over the kernel's carrier, the TCP stream itself, it fails.
     *
     * @param errno positive: {@code ETIMEDOUT}, {@code EPROTO}, {@code ECONNRESET}, {@code ECONNABORTED}, or what devices gave
     */
    record Failed(int errno) implements HandshakeEnd {
    }
}
