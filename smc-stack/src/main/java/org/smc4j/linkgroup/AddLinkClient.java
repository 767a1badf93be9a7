package org.smc4j.linkgroup;

import org.smc4j.diag.Log;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.AddLinkContinue;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.roce.RoceException;

/** The client takes, or refuses, another link that the server offers (spec/20-llc.md §6). */
final class AddLinkClient extends AddLinkFlow {
    private final AddLink offer;

    AddLinkClient(SmcrLinkGroup group, Link existing, AddLink offer, Runnable after) {
        super(group, existing, after);
        this.offer = offer;
    }

    @Override
    void begin() {
        PeerQueuePair peer = new PeerQueuePair(offer.qpNumber(), offer.initialPsn(), offer.mtuCode());
        if (!canTake() || !connect(peer)) {
            Log.info(group() + ": link " + offer.linkNumber() + " beside " + existing() + " was refused");
            existing().send(offer.rejection());
            giveUp(false);
            return;
        }
        existing().send(LinkMessages.addLink(added(), true, added().mtuCode(peer), ownRkeys()));
        if (offer.extension() != null) {
            takePeerRkeys(offer.extension().rkeys());
            await(FlowStep.NEW_LINK_REQUEST);
        } else {
            await(FlowStep.SERVER_RKEYS);
        }
    }

    /** Opens our end if there is a path beside the one in use. */
    private boolean canTake() {
        if (offer.mtuCode() == 0 || group().terms().maxLinks() < 2 || group().slots().byId(offer.linkNumber()) != null) {
            return false;
        }
        RnicPort alternate = alternatePort();
        if (leadsToSamePort(offer.gid(), offer.mac())) {
            if (alternate == null) {
                return false;
            }
            newType(LinkGroupType.ASYMMETRIC_PEER);
        } else if (alternate == null) {
            newType(LinkGroupType.ASYMMETRIC_LOCAL);
        }
        return open(alternate, offer.gid(), offer.mac());
    }

    private boolean connect(PeerQueuePair peer) {
        added().id(offer.linkNumber());
        try {
            added().connect(peer);
            return true;
        } catch (RoceException e) {
            return false;
        }
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        if (at == FlowStep.SERVER_RKEYS) {
            moreRkeys((AddLinkContinue) message);
        } else {
            confirm((ConfirmLink) message);
        }
    }

    private void moreRkeys(AddLinkContinue ofServer) {
        takePeerRkeys(ofServer.rkeys());
        sendRkeys(true);
        await(isRoundNeeded(ofServer) ? FlowStep.SERVER_RKEYS : FlowStep.NEW_LINK_REQUEST);
    }

    private void confirm(ConfirmLink request) {
        try {
            added().readyToSend();
        } catch (RoceException e) {
            giveUp(true);
            return;
        }
        added().send(LinkMessages.confirmLink(added(), true));
        succeed(request.linkUid());
        finish();
    }

    /** The server does one thing at a time: it waits for nothing any more that belongs to its offer. */
    @Override
    boolean isGivenUpBy(LlcMessage request) {
        return true;
    }

    @Override
    void missed(FlowStep at, Miss why) {
        Log.info(group() + ": no link beside " + existing() + ": " + at + " " + why);
        if (why == Miss.REFUSED) {
            // The server deletes a link first, and need not see a reason to offer this one again.
            group().flows().wishForLink(existing());
        }
        // A server that has begun anew has given this link up; told of that it would give up the next one, if it is a kernel.
        giveUp(why != Miss.REPLACED);
    }
}
