package org.smc4j.clc;

import java.util.List;

import org.smc4j.wire.Checks;

/**
 * The v2 extension of a Proposal.
 *
 * @param ueids          up to 8 user-defined EIDs in the client's order
 * @param release        the client's release of SMCv2, 0 to 15
 * @param seidUsable     whether the SEID of the SMC-D v2 extension may be negotiated
 * @param roceGid        the client's RoCE v2 GID; {@link Gid#NONE} if it offers no SMC-R v2
 * @param maxConnections per link group, SMC-R v2 only, as sent (0 to 255)
 * @param maxLinks       per link group, SMC-R v2 only, as sent (0 to 255)
 * @param featureMask    16 bits, see {@link ClcMessage#FEATURE_EMULATED_ISM}
 * @param smcd           the SMC-D v2 extension; null if the client offers no SMC-D v2
 */
public record V2Extension(List<Eid> ueids, int release, boolean seidUsable, Gid roceGid, int maxConnections,
                          int maxLinks, int featureMask, SmcdV2Extension smcd) {
    static final int MAX_UEIDS = 8;

    public V2Extension {
        ueids = List.copyOf(ueids);
        Checks.range("count of UEIDs", ueids.size(), 0, MAX_UEIDS);
        Checks.range("release", release, 0, Checks.NIBBLE);
        Checks.that(roceGid != null, "RoCE v2 GID missing: use Gid.NONE");
        Checks.range("max connections", maxConnections, 0, Checks.U8);
        Checks.range("max links", maxLinks, 0, Checks.U8);
        Checks.range("feature mask", featureMask, 0, Checks.U16);
    }
}
