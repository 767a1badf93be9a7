package org.smc4j.negotiation;

import org.smc4j.diag.ReasonCode;

/** No SMC for this connection, for a reason that the peer is told; the message is for the log. */
final class DeclineException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient ReasonCode reason;

    DeclineException(ReasonCode reason) {
        super(reason.words(), null, false, false);
        this.reason = reason;
    }

    ReasonCode reason() {
        return reason;
    }
}
