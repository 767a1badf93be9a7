package org.smc4j.negotiation;

import java.util.List;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Eid;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Hostname;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;

/** Messages of a peer that does everything right: UEID "ONE", ISM device with CHID 7, port 10.8.0.2. */
final class Peer {
    static final Eid EID = Eid.ueid("ONE");
    private static final FirstContactExtension EXTENSION =
            new FirstContactExtension(true, 2, 1, Hostname.of("peer"), 255, 2, 1);

    private Peer() {
    }

    static ClcAcceptConfirmR smcr(ClcType type, boolean firstContact) {
        return new ClcAcceptConfirmR(type, 2, firstContact, new SystemId(7), Host.gid("10.8.0.2"), new Mac(8), 0x11, 0x22, 1,
                0x33, 2, 4, 0x4400, 0x55, new ClcAcceptConfirmR.V2(EID, firstContact ? EXTENSION : null, List.of()));
    }

    static ClcAcceptConfirmR smcrV1(ClcType type, boolean firstContact) {
        return new ClcAcceptConfirmR(type, 1, firstContact, new SystemId(7), Host.gid("10.8.0.2"), new Mac(8), 0x11, 0x22, 1,
                0x33, 2, 4, 0x4400, 0x55, null);
    }

    static ClcAcceptConfirmD smcd(ClcType type, boolean firstContact) {
        FirstContactExtension extension = FirstContactExtension.smcd(Hostname.of("peer"), 1);
        return new ClcAcceptConfirmD(type, 2, firstContact, 0x5007, 1, 0, 2, 3,
                new ClcAcceptConfirmD.V2(7, EID, 0, firstContact ? extension : null));
    }

    static ClcDecline decline(int diagnosis) {
        return ClcDecline.v2(diagnosis);
    }

    static ClcDecline outOfSync() {
        return ClcDecline.v2(ReasonCode.SYNCERR);
    }
}
