package org.smc4j.negotiation;

import org.smc4j.clc.ClcProposal;
import org.smc4j.diag.ReasonCode;

/** What a handshake would begin with and how a server would answer that, for who only asks; nothing is reserved for it. */
public final class Trial {
    private Trial() {
    }

    /**
     * What a client would send first.
     *
     * @param proposal null if there is nothing to propose
     * @param rnic     over which SMC-R v2 would go, as {@code device port n}; empty if that is not proposed
     * @param reason   why there is nothing; null if there is
     */
    public record Opening(ClcProposal proposal, String rnic, ReasonCode reason) {
    }

    public static Opening opening(LocalAbilities client, ConnectionFacts connection) {
        try {
            Offer offer = Offer.of(client, connection);
            PortGid port = offer.portV2();
            return new Opening(offer.proposal(), port == null ? "" : port.port().device() + " port " + port.port().number(), null);
        } catch (DeclineException e) {
            return new Opening(null, "", e.reason());
        }
    }

    /** What a server would decline with; null if it has something to try. */
    public static ReasonCode refusal(LocalAbilities server, ConnectionFacts connection, ClcProposal proposal) {
        try {
            new ServerSelection(server, connection, Usable.of(server, proposal)).next();
            return null;
        } catch (DeclineException e) {
            return e.reason();
        }
    }
}
