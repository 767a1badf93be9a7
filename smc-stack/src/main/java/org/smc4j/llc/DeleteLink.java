package org.smc4j.llc;

import org.smc4j.wire.Checks;

/**
 * DELETE LINK: one link, or the whole link group, is no more (spec/20-llc.md §4, §8).
 *
 * @param version    1 or 2
 * @param all        the whole link group
 * @param orderly    whether connections can be moved first
 * @param linkNumber 0 to 255; 0 for all
 * @param reason     one of the constants here; a peer may send any number
 */
public record DeleteLink(int version, boolean response, boolean all, boolean orderly, int linkNumber, int reason)
        implements LlcMessage {
    /** Of a response: done. */
    public static final int DONE = 0;
    public static final int LOST_PATH = 0x00010000;
    public static final int OPERATOR_INITIATED = 0x00020000;
    public static final int PROGRAM_INITIATED = 0x00030000;
    public static final int PROTOCOL_VIOLATION = 0x00040000;
    public static final int ASYMMETRIC_NOT_NEEDED = 0x00050000;
    /** Of a response. */
    public static final int UNKNOWN_LINK_ID = 0x00100000;
    /** Of a response; Linux never sends it. */
    public static final int UNKNOWN_LINK_GROUP = 0x00200000;

    public DeleteLink {
        LlcMessage.checkVersion(version);
        Checks.range("link number", linkNumber, 0, Checks.U8);
    }

    @Override
    public LlcType type() {
        return LlcType.DELETE_LINK;
    }

    /** The response to this request: {@link #DONE} or why not. */
    public DeleteLink answer(int responseReason) {
        return new DeleteLink(version, true, all, orderly, linkNumber, responseReason);
    }
}
