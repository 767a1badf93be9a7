package org.smc4j.llc;

/** The nine LLC messages (spec/20-llc.md §3). */
public enum LlcType {
    CONFIRM_LINK(1, true, true),
    ADD_LINK(2, true, true),
    ADD_LINK_CONTINUE(3, true, false),
    DELETE_LINK(4, true, true),
    REQUEST_ADD_LINK(5, false, true),
    CONFIRM_RKEY(6, true, true),
    TEST_LINK(7, true, true),
    CONFIRM_RKEY_CONTINUE(8, true, false),
    DELETE_RKEY(9, true, true);

    private static final LlcType[] ALL = values();

    private final int code;
    private final boolean inVersion1;
    private final boolean inVersion2;

    LlcType(int code, boolean inVersion1, boolean inVersion2) {
        this.code = code;
        this.inVersion1 = inVersion1;
        this.inVersion2 = inVersion2;
    }

    /** The low nibble of the type byte. */
    public int code() {
        return code;
    }

    boolean existsIn(int version) {
        return version == LlcMessage.VERSION_1 ? inVersion1 : inVersion2;
    }

    static LlcType of(int code) {
        return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
    }
}
