package org.smc4j.linkgroup;

import org.smc4j.diag.ReasonCode;

/** What both ends do alike at a first contact (spec/20-llc.md §5). */
final class FirstContact {
    private FirstContact() {
    }

    /** The first link is confirmed, and with it the RMB that Accept or Confirm told of. */
    static void linkIsUp(SmcrMembership membership) {
        membership.link().activate();
        membership.group().type(LinkGroupType.SINGLE);
        if (!membership.hasLeft()) {
            membership.rmb().confirm(true);
        }
    }

    /** Nothing more is to be done for the connection. */
    static void established(SmcrMembership membership, Outcome outcome) {
        if (membership.establish()) {
            outcome.succeeded();
        } else {
            outcome.failed(ReasonCode.NOACTLINK);
        }
    }
}
