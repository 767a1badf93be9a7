package org.smc4j.linkgroup;

import org.smc4j.llc.DeleteLink;

/**
 * The server deletes a link, or the group, because the client wants it, or because the link was lost here (spec/20-llc.md §8).
 */
final class DeleteLinkServer extends DeleteLinkFlow {
    private final DeleteLink request;

    /** @param request goes to the client as it came */
    DeleteLinkServer(SmcrLinkGroup group, Link carrier, DeleteLink request) {
        super(group, group.slots().byId(request.linkNumber()), carrier, request);
        this.request = request;
    }

    @Override
    void begin() {
        if (request.all()) {
            group().farewell(true, request.reason(), () -> {
            });
            group().terminate(request.reason());
        } else if (link() == null) {
            end();
        } else {
            deleteLink();
        }
    }

    @Override
    void deleted() {
        group().countLinks();
        if (!hasEnded()) {
            end();
            if (group().type() == LinkGroupType.SINGLE) {
                group().flows().wishForLink(group().slots().anySendable());
            }
        }
    }
}
