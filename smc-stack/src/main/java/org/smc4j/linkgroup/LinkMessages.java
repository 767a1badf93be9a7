package org.smc4j.linkgroup;

import java.util.List;
import org.smc4j.llc.AddLink;
import org.smc4j.llc.ConfirmLink;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.RkeyOnNewLink;

/** What our side says of a link (spec/20-llc.md §4). */
final class LinkMessages {
    /** As many as the count of a message can say. */
    private static final int MAX_RKEYS = 255;

    private LinkMessages() {
    }

    static ConfirmLink confirmLink(Link link, boolean response) {
        SmcrTerms terms = link.group().terms();
        RnicPort port = link.port();
        return new ConfirmLink(terms.version(), response, true, port.mac(), port.gid(), link.transport().queuePair(), link.id(),
                link.uid(), terms.maxLinks(), terms.announcedMaxConnections());
    }

    /** The offer of a link, or the answer to one. */
    static AddLink addLink(Link added, boolean response, int mtuCode, List<RkeyOnNewLink> rkeys) {
        SmcrTerms terms = added.group().terms();
        RnicPort port = added.port();
        AddLink.Extension extension = terms.version() == LlcMessage.VERSION_1 ? null
                : new AddLink.Extension(terms.gateway() == null, port.gid(), rkeys.size(), rkeys);
        return new AddLink(terms.version(), response, false, 0, port.mac(), port.gid(), added.transport().queuePair(), added.id(),
                mtuCode, added.initialPsn(), extension);
    }

    /** What is told of the buffers in use on a new link; more than a message can count are not to be expected. */
    static List<RkeyOnNewLink> rkeys(Link existing, Link added) {
        List<RkeyOnNewLink> rkeys = existing.group().rmbs().rkeys(existing, added);
        return rkeys.subList(0, Math.min(rkeys.size(), MAX_RKEYS));
    }

    /** The invitation of version 1: an offer that describes no link. */
    static AddLink invitation(RnicPort alternate) {
        return new AddLink(LlcMessage.VERSION_1, false, false, 0, alternate.mac(), alternate.gid(), 0, 0, 0, 0, null);
    }
}
