package org.smc4j.linkgroup;

/** The shape of a link group; the order is that of the kernel's numbers (spec/40-buffers-linkgroups.md §8). */
public enum LinkGroupType {
    /** No active link. */
    NONE("NONE"),
    /** One RNIC each. */
    SINGLE("SINGLE"),
    /** Two RNICs each. */
    SYMMETRIC("SYM"),
    /** Two RNICs here, one at the peer. */
    ASYMMETRIC_PEER("ASYMP"),
    /** One RNIC here, two at the peer. */
    ASYMMETRIC_LOCAL("ASYML");

    private final String smcrName;

    LinkGroupType(String smcrName) {
        this.smcrName = smcrName;
    }

    /** The name in the LG-Type column of {@code smcr linkgroup}. */
    String smcrName() {
        return smcrName;
    }

    boolean isAsymmetric() {
        return this == ASYMMETRIC_PEER || this == ASYMMETRIC_LOCAL;
    }
}
