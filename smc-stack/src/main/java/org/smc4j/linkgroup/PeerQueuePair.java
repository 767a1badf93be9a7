package org.smc4j.linkgroup;

import org.smc4j.wire.Checks;

/**
 * What the peer says of its end of a link beside the port's addresses.
 *
 * @param number     24 bits
 * @param initialPsn 24 bits
 * @param mtuCode    1 = 256 … 5 = 4096 bytes; a peer may say 0 to 15
 */
public record PeerQueuePair(int number, int initialPsn, int mtuCode) {
    public PeerQueuePair {
        Checks.range("QP number", number, 0, Checks.U24);
        Checks.range("initial PSN", initialPsn, 0, Checks.U24);
        Checks.range("MTU code", mtuCode, 0, Checks.NIBBLE);
    }
}
