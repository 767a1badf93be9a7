package org.smc4j.cdc;

import org.smc4j.wire.Checks;

/**
 * A CDC message of SMC-R (spec/30-cdc.md §1).
 *
 * @param sequence      the sender's number for this message, 16 bits
 * @param alertToken    the receiver's id of the connection, 32 bits
 * @param producer      behind the last byte that the sender has written into the receiver's RMBE
 * @param consumer      behind the last byte that the sender's application has read from its own RMBE
 * @param producerFlags of {@link CdcFlags}
 * @param stateFlags    of {@link CdcFlags}
 */
public record CdcMessage(int sequence, int alertToken, Cursor producer, Cursor consumer, int producerFlags, int stateFlags) {
    public CdcMessage {
        Checks.range("sequence", sequence, 0, Checks.U16);
        Checks.that(producer != null && consumer != null, "cursor missing");
        Checks.that((producerFlags & ~CdcFlags.PRODUCER_FLAGS) == 0, "producer flags: unknown ones");
        Checks.that((stateFlags & ~CdcFlags.STATE_FLAGS) == 0, "state flags: unknown ones");
    }

    /** The check after a change of links (spec/30-cdc.md §7). */
    public static CdcMessage validation(int completedSequence, int alertToken) {
        return new CdcMessage(completedSequence, alertToken, Cursor.START, Cursor.START, CdcFlags.FAILOVER_VALIDATION, 0);
    }
}
