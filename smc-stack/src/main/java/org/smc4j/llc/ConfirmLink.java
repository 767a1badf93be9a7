package org.smc4j.llc;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.wire.Checks;

/**
 * CONFIRM LINK: the first message over a new link, by which both ends see that it works (spec/20-llc.md §4, §5).
 *
 * @param version        1 or 2
 * @param noEyecatcher   whether the sender keeps no eyecatcher in its RMBEs; without it the connection is declined with {@link
 *                       org.smc4j.diag.ReasonCode#RMBE_EC}
 * @param mac            of the sender's port
 * @param gid            of the sender's port
 * @param qpNumber       of the sender, 24 bits
 * @param linkNumber     the link id, chosen by the server, 0 to 255
 * @param linkUid        the sender's id of the link, 32 bits, opaque
 * @param maxLinks       0 to 255; 2, or what was negotiated from v2.1 on
 * @param maxConnections 0 to 255; 0, or what was negotiated from v2.1 on
 */
public record ConfirmLink(int version, boolean response, boolean noEyecatcher, Mac mac, Gid gid, int qpNumber, int linkNumber,
                          int linkUid, int maxLinks, int maxConnections) implements LlcMessage {
    public ConfirmLink {
        LlcMessage.checkVersion(version);
        Checks.that(mac != null && gid != null, "field missing");
        Checks.range("QP number", qpNumber, 0, Checks.U24);
        Checks.range("link number", linkNumber, 0, Checks.U8);
        Checks.range("max links", maxLinks, 0, Checks.U8);
        Checks.range("max connections", maxConnections, 0, Checks.U8);
    }

    @Override
    public LlcType type() {
        return LlcType.CONFIRM_LINK;
    }
}
