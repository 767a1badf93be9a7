package org.smc4j.linkgroup;

/** The shape of a link group; the order is that of the kernel's numbers (spec/40-buffers-linkgroups.md §8). */
public enum LinkGroupType {
    /** No active link. */
    NONE,
    /** One RNIC each. */
    SINGLE,
    /** Two RNICs each. */
    SYMMETRIC,
    /** Two RNICs here, one at the peer. */
    ASYMMETRIC_PEER,
    /** One RNIC here, two at the peer. */
    ASYMMETRIC_LOCAL;

    boolean isAsymmetric() {
        return this == ASYMMETRIC_PEER || this == ASYMMETRIC_LOCAL;
    }
}
