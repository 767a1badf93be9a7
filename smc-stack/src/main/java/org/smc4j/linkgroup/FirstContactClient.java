package org.smc4j.linkgroup;

import org.smc4j.diag.ReasonCode;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.roce.RoceException;

/** The client answers as the server brings up the first link of a group, then waits for a second one (spec/20-llc.md §5). */
final class FirstContactClient extends Flow {
    private final SmcrMembership membership;
    private final Link link;
    private final Outcome outcome;

    FirstContactClient(SmcrMembership membership, Outcome outcome) {
        super(membership.group());
        this.membership = membership;
        this.outcome = outcome;
        link = membership.link();
    }

    @Override
    void begin() {
        await(FlowStep.FIRST_LINK_REQUEST);
    }

    /** The server gives the link its number; and the offer of another one is for this flow, whatever it says. */
    @Override
    boolean isMeant(FlowStep at, Link from, LlcMessage message) {
        return from == link;
    }

    @Override
    boolean isGivenUpBy(LlcMessage request) {
        return request instanceof DeleteLink;
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        if (at == FlowStep.FIRST_LINK_REQUEST) {
            confirm((ConfirmLink) message);
        } else {
            continueWith(new AddLinkClient(group(), from, (AddLink) message, this::established));
        }
    }

    private void confirm(ConfirmLink request) {
        link.peerUid(request.linkUid());
        link.id(request.linkNumber());
        if (!request.noEyecatcher()) {
            fail(ReasonCode.RMBE_EC);
            return;
        }
        try {
            link.readyToSend();
        } catch (RoceException e) {
            fail(ReasonCode.ERR_RDYLNK);
            return;
        }
        link.send(LinkMessages.confirmLink(link, true));
        FirstContact.linkIsUp(membership);
        if (group().terms().maxLinks() > 1) {
            await(FlowStep.SECOND_LINK_OFFER);
        } else {
            end();
            established();
        }
    }

    private void established() {
        FirstContact.established(membership, outcome);
    }

    @Override
    void missed(FlowStep at, Miss why) {
        if (at == FlowStep.SECOND_LINK_OFFER) {
            // One link is enough.
            end();
            established();
        } else {
            fail(ReasonCode.TIMEOUT_CL);
        }
    }

    private void fail(ReasonCode reason) {
        end();
        outcome.failed(reason);
    }

    @Override
    boolean uses(Link other) {
        return other == link;
    }
}
