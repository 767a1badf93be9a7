package org.smc4j.cdc;

import org.smc4j.wire.Checks;

/**
 * The CDC header of SMC-D, at the start of every DMB (spec/30-cdc.md §2). Which connection it is of is known from the DMB.
 *
 * @param producer      behind the last byte that the writer has written into this DMB
 * @param consumer      behind the last byte that the writer's application has read from its own DMB
 * @param producerFlags of {@link CdcFlags}
 * @param stateFlags    of {@link CdcFlags}
 */
public record CdcHeader(Cursor producer, Cursor consumer, int producerFlags, int stateFlags) {
    private static final int PRODUCER_FLAGS = CdcFlags.PRODUCER_FLAGS & ~CdcFlags.FAILOVER_VALIDATION;

    public CdcHeader {
        Checks.that(producer != null && consumer != null, "cursor missing");
        Checks.that((producerFlags & ~PRODUCER_FLAGS) == 0, "producer flags: unknown ones");
        Checks.that((stateFlags & ~CdcFlags.STATE_FLAGS) == 0, "state flags: unknown ones");
    }

    /** The flags of a byte that SMC-D knows. */
    static int knownProducerFlags(int flags) {
        return flags & PRODUCER_FLAGS;
    }
}
