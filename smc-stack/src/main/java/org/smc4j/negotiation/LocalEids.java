package org.smc4j.negotiation;

import java.util.List;
import org.smc4j.clc.Eid;
import org.smc4j.clc.V2Extension;
import org.smc4j.wire.Checks;

/**
 * The EIDs of this host at one moment.
 *
 * @param ueids       up to 4 user-defined ones, in the order in which they are offered
 * @param seid        the system's own; {@link Eid#NONE} where the machine has none
 * @param seidEnabled whether it may be offered and negotiated
 */
public record LocalEids(List<Eid> ueids, Eid seid, boolean seidEnabled) {
    /** Own ones; a peer may offer twice as many. */
    public static final int MAX_UEIDS = 4;

    public LocalEids {
        ueids = List.copyOf(ueids);
        Checks.range("count of UEIDs", ueids.size(), 0, MAX_UEIDS);
        Checks.that(!seidEnabled || !seid.equals(Eid.NONE), "only a system EID that exists can be enabled");
    }

    /**
     * What a server picks of a client's offer: the system EID if both ends have the same one and neither has turned it off, else
     * the first of the client's UEIDs that is known here (spec/10-clc.md §8).
     *
     * @return null if nothing is in common
     */
    Eid match(V2Extension offer) {
        if (seidEnabled && offer.seidUsable() && offer.smcd() != null && offer.smcd().seid().equals(seid)) {
            return seid;
        }
        return matchUeid(offer);
    }

    /** As {@link #match}, without the system EID, which is for SMC-D only. */
    Eid matchUeid(V2Extension offer) {
        for (Eid ueid : offer.ueids()) {
            if (ueids.contains(ueid)) {
                return ueid;
            }
        }
        return null;
    }
}
