package org.smc4j.linkgroup;

import java.util.List;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.diag.Log;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.AddLinkContinue;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.DeleteLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.RkeyOnNewLink;
import org.smc4j.roce.RoceException;

/** What both ends do alike when a link is added to those that a group has (spec/20-llc.md §6). */
abstract class AddLinkFlow extends Flow {
    private final Link existing;
    private final Runnable after;
    private Link added;
    private LinkGroupType newType = LinkGroupType.SYMMETRIC;
    /** Buffers of ours that version 1 has still to tell of. */
    private List<RkeyOnNewLink> rkeys;

    /** @param after runs when the flow has ended, with or without a new link; null if nobody waits for that */
    AddLinkFlow(SmcrLinkGroup group, Link existing, Runnable after) {
        super(group);
        this.existing = existing;
        this.after = after;
    }

    final Link existing() {
        return existing;
    }

    /** Null as long as it is not open. */
    final Link added() {
        return added;
    }

    final LinkGroupType newType() {
        return newType;
    }

    final void newType(LinkGroupType type) {
        newType = type;
    }

    /** Another port than that of the existing link; null if there is none. */
    final RnicPort alternatePort() {
        return group().groups().ports().alternate(existing.port(), group().version(), group().vlan());
    }

    /** Opens the new link on this port, or on the one that is in use if there is no other, with the buffers in use on it. */
    final boolean open(RnicPort alternate, Gid peerGid, Mac peerMac) {
        int place = group().slots().free(group().type(), newType);
        if (place == LinkSlots.NONE) {
            Log.info(group() + ": no place for a link that makes it " + newType + ", it is " + group().type());
            return false;
        }
        try {
            added = group().openLink(place, alternate == null ? existing.port() : alternate, peerGid, peerMac);
            group().registerBuffers(added);
            return true;
        } catch (RoceException e) {
            Log.info(group() + ": no other link: " + e.getMessage());
            return false;
        }
    }

    /** Whether the peer offers a link to the very port that the existing link leads to. */
    final boolean leadsToSamePort(Gid peerGid, Mac peerMac) {
        return group().isPeer(existing, peerGid, peerMac);
    }

    final List<RkeyOnNewLink> ownRkeys() {
        return LinkMessages.rkeys(existing, added);
    }

    final void takePeerRkeys(List<RkeyOnNewLink> peerRkeys) {
        for (RkeyOnNewLink rkey : peerRkeys) {
            group().rtokens().add(existing.place(), rkey.existingRkey(), added.place(),
                    new Rtoken(rkey.newRkey(), rkey.newAddress()));
        }
    }

    /** Version 1: tells of the next two buffers. */
    final void sendRkeys(boolean response) {
        if (rkeys == null) {
            rkeys = ownRkeys();
        }
        int told = Math.min(rkeys.size(), AddLinkContinue.MAX_RKEYS);
        existing.send(new AddLinkContinue(response, added.id(), rkeys.size(), rkeys.subList(0, told)));
        rkeys = rkeys.subList(told, rkeys.size());
    }

    /** Version 1: whether another round of both ends' buffers has to follow. */
    final boolean isRoundNeeded(AddLinkContinue ofPeer) {
        return !rkeys.isEmpty() || ofPeer.rkeyCount() > AddLinkContinue.MAX_RKEYS;
    }

    /** By the number of the new link, which answers to an earlier offer do not have; what confirms it comes over it, too. */
    @Override
    final boolean isMeant(FlowStep at, Link from, LlcMessage message) {
        return switch (message) {
            case AddLink add -> add.linkNumber() == added.id();
            case AddLinkContinue more -> more.linkNumber() == added.id();
            case ConfirmLink confirm -> from == added && confirm.linkNumber() == added.id();
            default -> throw new IllegalStateException("not waited for: " + message);
        };
    }

    /** The new link carries data from now on. */
    final void succeed(int peerUid) {
        added.peerUid(peerUid);
        added.asymmetric(newType.isAsymmetric());
        added.activate();
        group().type(newType);
    }

    /** There is no new link; a peer that has opened its end is told. */
    final void giveUp(boolean peerHasOpened) {
        if (added != null) {
            if (peerHasOpened) {
                existing.send(new DeleteLink(group().version(), false, false, false, added.id(), DeleteLink.LOST_PATH));
            }
            added.clear();
        }
        finish();
    }

    final void finish() {
        end();
        if (after != null) {
            after.run();
        }
    }

    @Override
    final boolean uses(Link link) {
        return link == existing || link == added;
    }

    /** The peer has given up the link that is being added: so does this end, which is all that the request asks for. */
    final void addedIsDeleted(Link from, DeleteLink request) {
        if (group().role() == Role.CLIENT) {
            from.send(request.answer(DeleteLink.DONE));
        }
        giveUp(false);
    }

    /** Whether it is for the link that is being added. */
    final boolean deletesAdded(DeleteLink request) {
        return added != null && !request.all() && request.linkNumber() == added.id();
    }
}
