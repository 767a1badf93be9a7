package org.smc4j.negotiation;

import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.diag.ReasonCode;

/**
 * What a server makes of the client's Confirm (spec/10-clc.md §8). Beyond what the kernel looks at, the Confirm must be an answer
 * to the Accept that was sent.
 */
final class ConfirmCheck {
    private ConfirmCheck() {
    }

    /**
     * @param choice       what the Accept said
     * @param firstContact whether the Accept said first contact
     * @return the choice with the terms that are now common
     * @throws DeclineException if the Confirm does not repeat what was accepted
     */
    static Choice check(Choice choice, boolean firstContact, ClcAcceptConfirm confirm) throws DeclineException {
        require((choice instanceof SmcdChoice) == (confirm instanceof ClcAcceptConfirmD), ReasonCode.MODEUNSUPP);
        require(choice.isV2() == (confirm.version() > ClcMessage.VERSION_1), ReasonCode.VERSMISMAT);
        if (confirm instanceof ClcAcceptConfirmR answer) {
            PeerEnds.check(answer);
        }
        if (!choice.isV2()) {
            return choice;
        }
        require(firstContact == confirm.firstContact(), ReasonCode.SYNCERR);
        FirstContactExtension extension = switch (confirm) {
            case ClcAcceptConfirmD answer -> {
                SmcdChoice smcd = (SmcdChoice) choice;
                require(answer.v2().chid() == smcd.device().chid() && answer.gid128().equals(smcd.peerGid())
                        && answer.v2().eid().equals(smcd.eid()), ReasonCode.CNFERR);
                yield answer.v2().firstContact();
            }
            case ClcAcceptConfirmR answer -> {
                require(answer.v2().eid().equals(choice.eid()), ReasonCode.CNFERR);
                yield answer.v2().firstContact();
            }
        };
        return extension == null ? choice : choice.with(terms(choice, extension));
    }

    private static Terms terms(Choice choice, FirstContactExtension extension) throws DeclineException {
        Terms terms = choice.terms();
        require(extension.release() == terms.release(), ReasonCode.RELEASEERR);
        if (terms.release() < ClcMessage.RELEASE_1) {
            return terms;
        }
        if (choice instanceof SmcrChoice) {
            require(extension.maxConnections() == terms.maxConnections(), ReasonCode.MAXCONNERR);
            require(extension.maxLinks() == terms.maxLinks(), ReasonCode.MAXLINKERR);
        }
        return terms.withFeatureMask(extension.featureMask());
    }

    private static void require(boolean condition, ReasonCode otherwise) throws DeclineException {
        if (!condition) {
            throw new DeclineException(otherwise);
        }
    }
}
