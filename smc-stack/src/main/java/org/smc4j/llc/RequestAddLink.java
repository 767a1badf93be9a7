package org.smc4j.llc;

import java.util.List;

import org.smc4j.clc.Gid;
import org.smc4j.wire.Checks;

/**
 * REQUEST ADD LINK of version 2: the client's invitation to add a link, or the server's answer that it cannot
 * (spec/20-llc.md §4, §6).
 *
 * @param gids of the client, up to 255 (Linux: the current link's, then another); empty in a response
 */
public record RequestAddLink(boolean response, List<Gid> gids) implements LlcMessage {
    public RequestAddLink {
        gids = List.copyOf(gids);
        Checks.range("count of GIDs", gids.size(), 0, response ? 0 : Checks.U8);
    }

    @Override
    public LlcType type() {
        return LlcType.REQUEST_ADD_LINK;
    }

    @Override
    public int version() {
        return VERSION_2;
    }

    /** The response to this request. */
    public RequestAddLink answer() {
        return new RequestAddLink(true, List.of());
    }
}
