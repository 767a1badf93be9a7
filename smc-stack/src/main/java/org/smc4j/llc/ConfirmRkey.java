package org.smc4j.llc;

import java.util.List;

import org.smc4j.wire.Checks;

/**
 * CONFIRM RKEY: a receive buffer of the sender, as it is reached over each link (spec/20-llc.md §4, §7).
 *
 * @param version         1 or 2
 * @param negative        responses only: the receiver could not take it
 * @param retry           responses only: it may be tried again
 * @param rkey            on the link that carries the message
 * @param address         on that link
 * @param additionalCount number of other links, 0 to 255; the kernel answers more than 3 with a negative response
 * @param additional      the buffer on other links, as many as the count says, at most {@link #MAX_ADDITIONAL}
 */
public record ConfirmRkey(int version, boolean response, boolean negative, boolean retry, int rkey, long address,
                          int additionalCount, List<RkeyOnLink> additional) implements LlcMessage {
    /** Other links that fit in one message. */
    public static final int MAX_ADDITIONAL = 2;

    public ConfirmRkey {
        LlcMessage.checkVersion(version);
        Checks.that(response || !negative && !retry, "negative, retry: responses only");
        Checks.range("count of additional rtokens", additionalCount, 0, Checks.U8);
        additional = List.copyOf(additional);
        Checks.that(additional.size() == Math.min(additionalCount, MAX_ADDITIONAL), "additional rtokens: as counted, up to two");
    }

    /** A request. */
    public static ConfirmRkey request(int version, int rkey, long address, List<RkeyOnLink> additional) {
        return new ConfirmRkey(version, false, false, false, rkey, address, additional.size(), additional);
    }

    @Override
    public LlcType type() {
        return LlcType.CONFIRM_RKEY;
    }

    /** The response to this request; Linux lets a refused one be tried again. */
    public ConfirmRkey answer(boolean accepted) {
        return new ConfirmRkey(version, true, !accepted, !accepted, rkey, address, additionalCount, additional);
    }

    /**
     * A receive buffer on a link other than the one that carries the message.
     *
     * @param linkNumber 0 to 255
     */
    public record RkeyOnLink(int linkNumber, int rkey, long address) {
        public RkeyOnLink {
            Checks.range("link number", linkNumber, 0, Checks.U8);
        }
    }
}
