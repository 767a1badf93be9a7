package org.smc4j.linkgroup;

import org.smc4j.diag.ReasonCode;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;

/** The server brings up the first link of a group, then offers a second one (spec/20-llc.md §5). */
final class FirstContactServer extends Flow {
    private final SmcrMembership membership;
    private final Link link;
    private final Outcome outcome;

    FirstContactServer(SmcrMembership membership, Outcome outcome) {
        super(membership.group());
        this.membership = membership;
        this.outcome = outcome;
        link = membership.link();
    }

    @Override
    void begin() {
        link.send(LinkMessages.confirmLink(link, false));
        await(FlowStep.FIRST_LINK_RESPONSE);
    }

    @Override
    boolean isMeant(FlowStep at, Link from, LlcMessage message) {
        return from == link && ((ConfirmLink) message).linkNumber() == link.id();
    }

    @Override
    boolean isGivenUpBy(LlcMessage request) {
        return request instanceof DeleteLink delete && (delete.all() || delete.linkNumber() == link.id());
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        ConfirmLink confirm = (ConfirmLink) message;
        link.peerUid(confirm.linkUid());
        if (!confirm.noEyecatcher()) {
            fail(ReasonCode.RMBE_EC);
            return;
        }
        FirstContact.linkIsUp(membership);
        if (group().terms().maxLinks() > 1) {
            continueWith(new AddLinkServer(group(), link, null, this::established));
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
        fail(ReasonCode.TIMEOUT_CL);
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
