package org.smc4j.carrier;

/** A peer that does not speak the protocol, or not as it must. */
public final class PeerException extends Exception {
    private static final long serialVersionUID = 1;

    private final DeclineReason reason;

    PeerException(DeclineReason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    /** What is no message at all. */
    public static PeerException malformed(String message) {
        return new PeerException(DeclineReason.NOT_A_PEER, message);
    }

    public DeclineReason reason() {
        return reason;
    }
}
