package org.smc4j.llc;

import org.smc4j.wire.Checks;

/** One LLC message: a request, or a response, which most often is the request with the response flag. */
public sealed interface LlcMessage permits ConfirmLink, AddLink, AddLinkContinue, DeleteLink, RequestAddLink, ConfirmRkey,
        ConfirmRkeyContinue, TestLink, DeleteRkey {
    /** Link groups of SMC v1. */
    int VERSION_1 = 1;
    /** Link groups of SMC v2, all releases. */
    int VERSION_2 = 2;

    /** Which of the nine messages this is. */
    LlcType type();

    /** The form of the header, {@link #VERSION_1} or {@link #VERSION_2}: that of the link group. */
    int version();

    /** Whether this answers a request of the same type. */
    boolean response();

    static void checkVersion(int version) {
        Checks.range("version", version, VERSION_1, VERSION_2);
    }
}
