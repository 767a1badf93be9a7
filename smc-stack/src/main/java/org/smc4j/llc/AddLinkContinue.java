package org.smc4j.llc;

import java.util.List;

import org.smc4j.wire.Checks;

/**
 * ADD LINK CONTINUE of version 1: the sender's receive buffers on the new link, two at a time (spec/20-llc.md §4, §6).
 *
 * @param response   set by the client
 * @param linkNumber the id of the new link, 0 to 255
 * @param rkeyCount  0 to 255: buffers that were not yet sent, those in this message among them
 * @param rkeys      as many as the count says, at most {@link #MAX_RKEYS}
 */
public record AddLinkContinue(boolean response, int linkNumber, int rkeyCount, List<RkeyOnNewLink> rkeys) implements LlcMessage {
    /** Buffers that fit in one message. */
    public static final int MAX_RKEYS = 2;

    public AddLinkContinue {
        Checks.range("link number", linkNumber, 0, Checks.U8);
        Checks.range("count of rkeys", rkeyCount, 0, Checks.U8);
        rkeys = List.copyOf(rkeys);
        Checks.that(rkeys.size() == Math.min(rkeyCount, MAX_RKEYS), "rkeys: two, or the last one, or none");
    }

    @Override
    public LlcType type() {
        return LlcType.ADD_LINK_CONTINUE;
    }

    @Override
    public int version() {
        return VERSION_1;
    }
}
