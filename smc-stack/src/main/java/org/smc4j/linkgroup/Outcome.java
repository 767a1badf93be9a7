package org.smc4j.linkgroup;

import org.smc4j.diag.ReasonCode;

/** Told once, on the scheduler, how a step of a handshake ended, perhaps before the call that began it returns. */
public interface Outcome {
    void succeeded();

    /** @param reason for the Decline */
    void failed(ReasonCode reason);
}
