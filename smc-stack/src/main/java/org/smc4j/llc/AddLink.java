package org.smc4j.llc;

import java.util.List;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.wire.Checks;

/**
 * ADD LINK: the server's description of its end of a new link, the client's of its own, or the client's refusal; in version 1
 * also the client's invitation to add a link, which describes none (spec/20-llc.md §4, §6).
 *
 * @param version      1 or 2
 * @param rejected     responses only
 * @param rejectReason of a rejected response of version 1, 0 to 15, {@link #NO_ALTERNATE_PATH} most often; else 0, for version 2
 *                     has no room for it
 * @param mac          of the sender's port; a refusal repeats what the request said, here and in all that follows
 * @param gid          of the sender's port
 * @param qpNumber     of the sender, 24 bits; 0 in an invitation
 * @param linkNumber   the id of the new link, 0 to 255; 0 in an invitation
 * @param mtuCode      0 to 15: 1 = 256 … 5 = 4096 bytes; the response has the smaller of both; 0 in an invitation
 * @param initialPsn   of the sender, 24 bits; 0 in an invitation
 * @param extension    version 2: the sender's receive buffers on the new link, there whenever a new link is described; null in
 *                     version 1
 */
public record AddLink(int version, boolean response, boolean rejected, int rejectReason, Mac mac, Gid gid, int qpNumber,
                      int linkNumber, int mtuCode, int initialPsn, Extension extension) implements LlcMessage {
    /** The client has no other port, or knows no other of the server. */
    public static final int NO_ALTERNATE_PATH = 1;

    public AddLink {
        LlcMessage.checkVersion(version);
        Checks.that(response || !rejected, "rejected: responses only");
        Checks.range("reject reason", rejectReason, 0, version == VERSION_1 && rejected ? Checks.NIBBLE : 0);
        Checks.that(mac != null && gid != null, "field missing");
        Checks.range("QP number", qpNumber, 0, Checks.U24);
        Checks.range("link number", linkNumber, 0, Checks.U8);
        Checks.range("MTU code", mtuCode, 0, Checks.NIBBLE);
        Checks.range("initial PSN", initialPsn, 0, Checks.U24);
        Checks.that(version == VERSION_2 || extension == null, "extension: version 2 only");
        Checks.that(extension != null || !needsExtension(version, rejected, mtuCode), "extension missing");
    }

    /** Whether a message of version 2 describes a new link, of which it must name the receive buffers. */
    static boolean needsExtension(int version, boolean rejected, int mtuCode) {
        return version == VERSION_2 && !rejected && mtuCode != 0;
    }

    @Override
    public LlcType type() {
        return LlcType.ADD_LINK;
    }

    /** The client's refusal of this request. */
    public AddLink rejection() {
        int reason = version == VERSION_1 ? NO_ALTERNATE_PATH : 0;
        return new AddLink(version, true, true, reason, mac, gid, qpNumber, linkNumber, mtuCode, initialPsn, null);
    }

    /**
     * What version 2 adds.
     *
     * @param v2Direct  whether the sender does not go through a gateway
     * @param clientGid client target GID; Linux writes the GID of the sender's port again
     * @param rkeyCount 0 to 255; Linux writes the number of connections of the link group, which may be more than
     *                  there are buffers
     * @param rkeys     the receive buffers in use, at most {@code rkeyCount}
     */
    public record Extension(boolean v2Direct, Gid clientGid, int rkeyCount, List<RkeyOnNewLink> rkeys) {
        public Extension {
            Checks.that(clientGid != null, "client target GID missing");
            rkeys = List.copyOf(rkeys);
            Checks.range("count of rkeys", rkeyCount, rkeys.size(), Checks.U8);
        }
    }
}
