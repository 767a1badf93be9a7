package org.smc4j.linkgroup;

import java.util.BitSet;
import java.util.List;
import org.smc4j.llc.ConfirmRkey;
import org.smc4j.llc.DeleteRkey;

/** What the peer tells of its receive buffers, and what it is answered (spec/20-llc.md §7). */
final class PeerRkeys {
    /** Rtokens that a message of the kernel counts at most. */
    private static final int MAX_COUNT = 3;

    private final SmcrLinkGroup group;

    PeerRkeys(SmcrLinkGroup group) {
        this.group = group;
    }

    ConfirmRkey confirm(Link link, ConfirmRkey request) {
        if (request.additionalCount() > MAX_COUNT) {
            return request.answer(false);
        }
        Rtoken[] tokens = new Rtoken[LinkSlots.COUNT];
        for (ConfirmRkey.RkeyOnLink other : request.additional()) {
            Link otherLink = group.slots().byId(other.linkNumber());
            if (otherLink != null) {
                tokens[otherLink.place()] = new Rtoken(other.rkey(), other.address());
            }
        }
        tokens[link.place()] = new Rtoken(request.rkey(), request.address());
        return request.answer(group.rtokens().add(tokens) != null);
    }

    DeleteRkey delete(Link link, DeleteRkey request) {
        BitSet unknown = new BitSet();
        List<Integer> rkeys = request.rkeys();
        for (int i = 0; i < rkeys.size(); i++) {
            if (!group.rtokens().delete(link.place(), rkeys.get(i))) {
                unknown.set(i);
            }
        }
        return request.answer(unknown);
    }
}
