package org.smc4j.negotiation;

import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.V2Extension;
import org.smc4j.diag.ReasonCode;

/**
 * What of a Proposal a server could use at all, before it looks at any device (spec/10-clc.md §9, step 0, and §8).
 *
 * @param terms the server's, if one of version 2 is used
 */
record Usable(ClcProposal proposal, boolean smcdV1, boolean smcdV2, boolean smcrV1, boolean smcrV2, Terms terms) {
    /** @throws DeclineException if nothing is left, or the limits of link groups are none that this end can keep to */
    static Usable of(LocalAbilities abilities, ClcProposal proposal) throws DeclineException {
        boolean smcdV1 = proposal.v1().includesD();
        boolean smcrV1 = proposal.v1().includesR();
        boolean smcdV2 = proposal.v2().includesD();
        boolean smcrV2 = proposal.v2().includesR();
        V2Extension extension = proposal.v2Extension();
        // The last reason counts, as in the kernel.
        ReasonCode reason = ReasonCode.PEERNOSMC;
        if (smcdV2 && !abilities.isIsmV2Capable()) {
            smcdV2 = false;
            reason = ReasonCode.NOISM2SUPP;
        } else if (smcdV2 && extension.ueids().isEmpty() && !extension.seidUsable()) {
            smcdV2 = false;
            reason = ReasonCode.NOUEID;
        }
        if (smcrV2 && extension.ueids().isEmpty()) {
            smcrV2 = false;
            reason = ReasonCode.NOUEID;
        }
        if (!smcdV1 && !smcdV2 && !smcrV1 && !smcrV2) {
            throw new DeclineException(reason);
        }
        Terms terms = smcdV2 || smcrV2 ? terms(abilities, extension, smcrV2) : Terms.DEFAULT;
        return new Usable(proposal, smcdV1, smcdV2, smcrV1, smcrV2, terms);
    }

    private static Terms terms(LocalAbilities abilities, V2Extension extension, boolean smcrV2) throws DeclineException {
        int release = Math.min(extension.release(), abilities.release());
        if (release < ClcMessage.RELEASE_1) {
            return Terms.DEFAULT;
        }
        if (!smcrV2) {
            return new Terms(release, Terms.MAX_CONNECTIONS, Terms.MAX_LINKS, abilities.featureMask());
        }
        int maxConnections = Math.min(extension.maxConnections(), abilities.maxConnections());
        if (maxConnections < Terms.MIN_CONNECTIONS) {
            throw new DeclineException(ReasonCode.MAXCONNERR);
        }
        int maxLinks = Math.min(extension.maxLinks(), abilities.maxLinks());
        if (maxLinks < Terms.MIN_LINKS) {
            throw new DeclineException(ReasonCode.MAXLINKERR);
        }
        return new Terms(release, maxConnections, maxLinks, abilities.featureMask());
    }
}
