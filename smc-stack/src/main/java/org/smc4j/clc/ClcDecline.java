package org.smc4j.clc;

import java.util.List;

import org.smc4j.diag.ReasonCode;
import org.smc4j.wire.Checks;

/**
 * No SMC for this connection: both ends go on with TCP (spec page 10, section 7).
 *
 * @param version              1 to 15
 * @param outOfSync            the link group that the peer wanted to reuse does not exist here: the peer must end it
 * @param systemId             of the sender; {@link SystemId#NONE} for SMC-D
 * @param diagnosis            the reason, see {@link ReasonCode#of}; peers may send any number
 * @param osType               0 to 15; Linux sends 0 in version 1 and 2 in version 2
 * @param additionalDiagnoses  four numbers from version 2 on (Linux: 0), none in version 1
 */
public record ClcDecline(int version, boolean outOfSync, SystemId systemId, int diagnosis, int osType,
                         List<Integer> additionalDiagnoses) implements ClcMessage {
    static final int ADDITIONAL = 4;

    public ClcDecline {
        Checks.range("version", version, VERSION_1, Checks.NIBBLE);
        Checks.that(systemId != null, "system id missing: use SystemId.NONE");
        Checks.range("OS type", osType, 0, Checks.NIBBLE);
        additionalDiagnoses = List.copyOf(additionalDiagnoses);
        Checks.that(additionalDiagnoses.size() == (version == VERSION_1 ? 0 : ADDITIONAL),
                "additional diagnoses: none in version 1, else four");
    }

    /** A version-2 Decline without system id; out of sync exactly if the reason is {@link ReasonCode#SYNCERR}. */
    public static ClcDecline v2(ReasonCode reason) {
        return v2(reason.number());
    }

    /** As {@link #v2(ReasonCode)}, for a number that may have no name. */
    public static ClcDecline v2(int diagnosis) {
        return new ClcDecline(VERSION_2, diagnosis == ReasonCode.SYNCERR.number(), SystemId.NONE, diagnosis, OS_LINUX,
                List.of(0, 0, 0, 0));
    }

    @Override
    public ClcType type() {
        return ClcType.DECLINE;
    }
}
