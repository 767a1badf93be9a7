package org.smc4j.llc;

import java.util.BitSet;
import java.util.List;

import org.smc4j.wire.Checks;

/**
 * DELETE RKEY: receive buffers of the sender that the peer must not write to any more (spec/20-llc.md §4, §7).
 *
 * @param version   1 or 2
 * @param negative  responses only: some rkeys were not known
 * @param rkeyCount version 1: at most {@link #MAX_RKEYS_V1}, version 2: at most 255
 * @param errors    responses only. Version 1: mask, bit 7 = first rkey; version 2: number of rkeys that were not known
 * @param rkeys     on the link that carries the message, as many as the count says; empty in a response of version 2
 */
public record DeleteRkey(int version, boolean response, boolean negative, int rkeyCount, int errors, List<Integer> rkeys)
        implements LlcMessage {
    /** Rkeys that fit in a message of version 1. */
    public static final int MAX_RKEYS_V1 = 8;

    public DeleteRkey {
        LlcMessage.checkVersion(version);
        Checks.that(response || !negative && errors == 0, "negative, errors: responses only");
        Checks.range("count of rkeys", rkeyCount, 0, maxRkeys(version));
        Checks.range("errors", errors, 0, Checks.U8);
        rkeys = List.copyOf(rkeys);
        Checks.that(rkeys.size() == (listsRkeys(version, response) ? rkeyCount : 0), "rkeys: as many as counted");
    }

    /** A request. */
    public static DeleteRkey request(int version, List<Integer> rkeys) {
        return new DeleteRkey(version, false, false, rkeys.size(), 0, rkeys);
    }

    static int maxRkeys(int version) {
        return version == VERSION_1 ? MAX_RKEYS_V1 : Checks.U8;
    }

    /** Whether the message lists the rkeys that it counts. */
    static boolean listsRkeys(int version, boolean response) {
        return version == VERSION_1 || !response;
    }

    @Override
    public LlcType type() {
        return LlcType.DELETE_RKEY;
    }

    /**
     * The response to this request.
     *
     * @param unknown positions in {@link #rkeys} of those that were not known
     */
    public DeleteRkey answer(BitSet unknown) {
        int errors = version == VERSION_1 ? mask(unknown) : unknown.cardinality();
        return new DeleteRkey(version, true, !unknown.isEmpty(), rkeyCount, errors, version == VERSION_1 ? rkeys : List.of());
    }

    private static int mask(BitSet positions) {
        int mask = 0;
        for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
            mask |= 0x80 >>> i;
        }
        return mask;
    }
}
