package org.smc4j.linkgroup;

import org.smc4j.llc.DeleteLink;

/** The server takes away an asymmetric link that a symmetric one has made superfluous (spec/20-llc.md §6). */
final class DeleteAsymmetricLink extends DeleteLinkFlow {
    private final Runnable after;

    DeleteAsymmetricLink(SmcrLinkGroup group, Link link, Runnable after) {
        super(group, link, null,
                new DeleteLink(group.version(), false, false, true, link.id(), DeleteLink.ASYMMETRIC_NOT_NEEDED));
        this.after = after;
    }

    @Override
    void begin() {
        deleteLink();
    }

    @Override
    void deleted() {
        end();
        after.run();
    }
}
