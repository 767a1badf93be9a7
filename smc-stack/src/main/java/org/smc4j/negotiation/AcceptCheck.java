package org.smc4j.negotiation;

import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcTechnologies;
import org.smc4j.clc.Eid;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Mac;
import org.smc4j.diag.ReasonCode;

/** What a client makes of the server's Accept (spec/10-clc.md §8 and §9). */
final class AcceptCheck {
    private AcceptCheck() {
    }

    /** @throws DeclineException if the Accept does not fit the offer */
    static Choice check(Offer offer, ClcAcceptConfirm accept) throws DeclineException {
        boolean v2 = accept.version() > ClcMessage.VERSION_1;
        ClcTechnologies offered = v2 ? offer.proposal().v2() : offer.proposal().v1();
        return switch (accept) {
            case ClcAcceptConfirmD answer -> {
                require(offered.includesD(), ReasonCode.MODEUNSUPP);
                yield v2 ? smcdV2(offer, answer) : new SmcdChoice(ClcMessage.VERSION_1, offer.ismV1(), answer.gid128(), null,
                        offer.connection().vlan(), Terms.DEFAULT);
            }
            case ClcAcceptConfirmR answer -> {
                require(offered.includesR(), ReasonCode.MODEUNSUPP);
                PeerEnds.check(answer);
                yield v2 ? smcrV2(offer, answer) : smcr(offer, answer, ClcMessage.VERSION_1, offer.portV1(), null, null,
                        Terms.DEFAULT);
            }
        };
    }

    private static SmcdChoice smcdV2(Offer offer, ClcAcceptConfirmD accept) throws DeclineException {
        Terms terms = terms(offer, accept.v2().firstContact(), false);
        LocalIsm device = offer.deviceOffered(accept.v2().chid());
        require(device != null, ReasonCode.NOSMCD2DEV);
        LocalEids eids = offer.abilities().eids();
        boolean seid = eids.seidEnabled() && eids.seid().equals(accept.v2().eid());
        require(seid || eids.ueids().contains(accept.v2().eid()), ReasonCode.CNFERR);
        return new SmcdChoice(ClcMessage.VERSION_2, device, accept.gid128(), accept.v2().eid(), offer.connection().vlan(), terms);
    }

    private static SmcrChoice smcrV2(Offer offer, ClcAcceptConfirmR accept) throws DeclineException {
        FirstContactExtension extension = accept.v2().firstContact();
        Mac gateway = extension == null || extension.v2Direct() ? null : gateway(offer.connection(), accept);
        Terms terms = terms(offer, extension, true);
        require(offer.abilities().eids().ueids().contains(accept.v2().eid()), ReasonCode.CNFERR);
        return smcr(offer, accept, ClcMessage.VERSION_2, offer.portV2(), gateway, accept.v2().eid(), terms);
    }

    private static SmcrChoice smcr(Offer offer, ClcAcceptConfirmR accept, int version, PortGid port, Mac gateway, Eid eid,
                                   Terms terms) {
        return new SmcrChoice(version, port, accept.systemId(), accept.gid(), accept.mac(), gateway, eid,
                offer.connection().vlan(), offer.isSmcdV2Only(), terms);
    }

    /** The server sees a gateway between the two; then we must see one too, and are told its MAC by our own route. */
    private static Mac gateway(ConnectionFacts connection, ClcAcceptConfirmR accept) throws DeclineException {
        return switch (connection.routes().find(connection.localIpv4(), Ipv4Math.of(accept.gid()))) {
            case Routes.Gateway gateway -> gateway.nextHop();
            case Routes.Direct direct -> throw new DeclineException(ReasonCode.NOINDIRECT);
            case Routes.Unreachable unreachable -> throw new DeclineException(ReasonCode.NOROUTE);
        };
    }

    private static Terms terms(Offer offer, FirstContactExtension extension, boolean smcr) throws DeclineException {
        if (extension == null || extension.release() < ClcMessage.RELEASE_1) {
            return Terms.DEFAULT;
        }
        int features = extension.featureMask() & offer.abilities().featureMask();
        if (!smcr) {
            return new Terms(extension.release(), Terms.MAX_CONNECTIONS, Terms.MAX_LINKS, features);
        }
        require(extension.maxConnections() >= Terms.MIN_CONNECTIONS, ReasonCode.MAXCONNERR);
        require(extension.maxLinks() >= Terms.MIN_LINKS && extension.maxLinks() <= Terms.MAX_LINKS, ReasonCode.MAXLINKERR);
        return new Terms(extension.release(), extension.maxConnections(), extension.maxLinks(), features);
    }

    private static void require(boolean condition, ReasonCode otherwise) throws DeclineException {
        if (!condition) {
            throw new DeclineException(otherwise);
        }
    }
}
