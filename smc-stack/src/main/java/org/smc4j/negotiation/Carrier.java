package org.smc4j.negotiation;

import org.smc4j.clc.ClcMessage;

/** The way of one handshake's messages to the peer. */
public interface Carrier {
    /** Sends a message after those before it; does not block. If it cannot, the handshake is told {@code peerClosed} later. */
    void send(ClcMessage message);
}
