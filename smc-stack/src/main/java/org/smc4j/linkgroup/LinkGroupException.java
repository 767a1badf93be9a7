package org.smc4j.linkgroup;

import org.smc4j.diag.ReasonCode;

/** A connection gets no place in a link group; it stays TCP for this reason. */
public final class LinkGroupException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ReasonCode reason;

    LinkGroupException(ReasonCode reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    /** What a Decline says. */
    public ReasonCode reason() {
        return reason;
    }
}
