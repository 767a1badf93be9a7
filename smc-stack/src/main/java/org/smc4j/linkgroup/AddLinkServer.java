package org.smc4j.linkgroup;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.diag.Log;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.AddLinkContinue;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.RequestAddLink;
import org.smc4j.roce.RoceException;

/** The server offers another link, brings it up, and replaces an asymmetric one by it (spec/20-llc.md §6). */
final class AddLinkServer extends AddLinkFlow {
    /** What the client has asked for; null if nobody has. */
    private final RequestAddLink invitation;

    AddLinkServer(SmcrLinkGroup group, Link existing, RequestAddLink invitation, Runnable after) {
        super(group, existing, after);
        this.invitation = invitation;
    }

    @Override
    void begin() {
        RnicPort alternate = alternatePort();
        if (alternate == null) {
            newType(LinkGroupType.ASYMMETRIC_LOCAL);
        }
        if (group().terms().maxLinks() < 2 || !open(alternate, Gid.NONE, Mac.NONE)) {
            if (invitation != null) {
                existing().send(invitation.answer());
            }
            giveUp(false);
            return;
        }
        added().id(group().newLinkId());
        existing().send(LinkMessages.addLink(added(), false, added().port().mtuCode(), ownRkeys()));
        await(FlowStep.ADD_LINK_RESPONSE);
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        switch (message) {
            case AddLink add -> answered(add);
            case AddLinkContinue more -> moreRkeys(more);
            case ConfirmLink confirm -> confirmed(confirm);
            default -> throw new IllegalStateException("not waited for: " + message);
        }
    }

    private void answered(AddLink response) {
        if (response.rejected()) {
            Log.info(group() + ": the client refused a link beside " + existing());
            giveUp(false);
            return;
        }
        if (group().type() == LinkGroupType.SINGLE && leadsToSamePort(response.gid(), response.mac())) {
            newType(LinkGroupType.ASYMMETRIC_PEER);
        }
        added().peer(response.gid(), response.mac());
        try {
            added().connect(new PeerQueuePair(response.qpNumber(), response.initialPsn(), response.mtuCode()));
            added().readyToSend();
        } catch (RoceException e) {
            giveUp(true);
            return;
        }
        if (response.extension() != null) {
            takePeerRkeys(response.extension().rkeys());
            confirm();
        } else {
            sendRkeys(false);
            await(FlowStep.CLIENT_RKEYS);
        }
    }

    private void moreRkeys(AddLinkContinue ofClient) {
        takePeerRkeys(ofClient.rkeys());
        if (isRoundNeeded(ofClient)) {
            sendRkeys(false);
            await(FlowStep.CLIENT_RKEYS);
        } else {
            confirm();
        }
    }

    private void confirm() {
        added().send(LinkMessages.confirmLink(added(), false));
        await(FlowStep.NEW_LINK_RESPONSE);
    }

    private void confirmed(ConfirmLink response) {
        succeed(response.linkUid());
        Link asymmetric = newType() == LinkGroupType.SYMMETRIC ? group().slots().asymmetric() : null;
        if (asymmetric == null) {
            finish();
        } else {
            // Nobody waits for that: at a first contact there is no third link.
            DeleteLink delete = new DeleteLink(group().version(), false, false, true, asymmetric.id(),
                    DeleteLink.ASYMMETRIC_NOT_NEEDED);
            continueWith(new DeleteLinkServer(group(), null, delete));
        }
    }

    /**
     * The end of a link, or of all, goes before. In the kernel any DELETE LINK ends this flow, even the late one for a link of an
     * earlier offer that the client has waited for longer than the server.
     */
    @Override
    boolean isGivenUpBy(LlcMessage request) {
        return request instanceof DeleteLink delete && (delete.all() || group().slots().byId(delete.linkNumber()) != null);
    }

    @Override
    void missed(FlowStep at, Miss why) {
        Log.info(group() + ": no link beside " + existing() + ": " + at + " " + why);
        giveUp(at != FlowStep.ADD_LINK_RESPONSE);
    }
}
