package org.smc4j.linkgroup;

/** The life of a link; the order is that of the kernel's numbers (spec/40-buffers-linkgroups.md §8). */
public enum LinkState {
    /** Not yet opened, or cleared and left by all connections. */
    UNUSED,
    /** Lost or given up: carries nothing any more. */
    INACTIVE,
    /** Opened, but not yet confirmed by CONFIRM LINK. */
    ACTIVATING,
    ACTIVE;

    /** The table of transitions. */
    boolean canBecome(LinkState next) {
        return switch (this) {
            case UNUSED -> next == ACTIVATING;
            case ACTIVATING -> next == ACTIVE || next == INACTIVE;
            case ACTIVE -> next == INACTIVE;
            case INACTIVE -> next == UNUSED;
        };
    }

    boolean isUsable() {
        return this == ACTIVATING || this == ACTIVE;
    }
}
