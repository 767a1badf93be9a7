package org.smc4j.clc;

/** What a Proposal offers at one protocol version. The order is that of the two-bit codes on the wire. */
public enum ClcTechnologies {
    SMCR,
    SMCD,
    NONE,
    BOTH;

    private static final ClcTechnologies[] ALL = values();

    /** The code on the wire, 0 to 3. */
    public int code() {
        return ordinal();
    }

    public boolean includesR() {
        return this == SMCR || this == BOTH;
    }

    public boolean includesD() {
        return this == SMCD || this == BOTH;
    }

    static ClcTechnologies of(int code) {
        return ALL[code & 3];
    }
}
