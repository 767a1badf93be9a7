package org.smc4j.linkgroup;

import java.util.List;
import org.smc4j.diag.Log;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.RequestAddLink;

/** The client, which may not offer a link, asks the server to do so (spec/20-llc.md §6). */
final class Invitation extends Flow {
    private final Link link;

    Invitation(SmcrLinkGroup group, Link link) {
        super(group);
        this.link = link;
    }

    @Override
    void begin() {
        RnicPort alternate = group().groups().ports().alternate(link.port(), group().version(), group().vlan());
        if (alternate == null) {
            Log.info(group() + ": there is no port for a link beside " + link);
            end();
        } else if (group().version() == LlcMessage.VERSION_1) {
            link.send(LinkMessages.invitation(alternate));
            // The offer, if the server makes one, is a flow of its own.
            end();
        } else {
            link.send(new RequestAddLink(false, List.of(link.port().gid(), alternate.gid())));
            await(FlowStep.INVITED_OFFER);
        }
    }

    /** Any offer is welcome. */
    @Override
    boolean isMeant(FlowStep at, Link from, LlcMessage message) {
        return true;
    }

    @Override
    void received(FlowStep at, Link from, LlcMessage message) {
        continueWith(new AddLinkClient(group(), from, (AddLink) message, null));
    }

    @Override
    void missed(FlowStep at, Miss why) {
        Log.info(group() + ": no link was offered: " + why);
        end();
    }

    @Override
    boolean uses(Link other) {
        return other == link;
    }
}
