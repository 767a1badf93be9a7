package org.smc4j.clc;

/** The four CLC messages. */
public enum ClcType {
    PROPOSAL(1),
    ACCEPT(2),
    CONFIRM(3),
    DECLINE(4);

    private static final ClcType[] ALL = values();

    private final int code;

    ClcType(int code) {
        this.code = code;
    }

    /** The type byte of the header. */
    public int code() {
        return code;
    }

    static ClcType of(int code) {
        return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
    }
}
