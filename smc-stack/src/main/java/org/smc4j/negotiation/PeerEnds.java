package org.smc4j.negotiation;

import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.diag.ReasonCode;

/** Numbers of the peer's end of an SMC-R connection that no device could work with. */
final class PeerEnds {
    private static final int MIN_MTU_CODE = 1;
    private static final int MAX_MTU_CODE = 5;

    private PeerEnds() {
    }

    /** @throws DeclineException with the reason that a device would give later */
    static void check(ClcAcceptConfirmR answer) throws DeclineException {
        if (answer.rmbeIndex() < 1) {
            throw new DeclineException(ReasonCode.ERR_RTOK);
        }
        if (answer.mtuCode() < MIN_MTU_CODE || answer.mtuCode() > MAX_MTU_CODE) {
            throw new DeclineException(ReasonCode.ERR_RDYLNK);
        }
    }
}
