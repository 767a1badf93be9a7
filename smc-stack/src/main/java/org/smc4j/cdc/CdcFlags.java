package org.smc4j.cdc;

/** The two flag bytes of a CDC message (spec/30-cdc.md §3). */
public final class CdcFlags {
    // Producer flags.
    /** There was more to write than the peer had space for: the writer waits for a consumer cursor. */
    public static final int WRITE_BLOCKED = 0x80;
    /** An urgent send is under way; alone: its last byte is not yet in the ring. */
    public static final int URGENT_PENDING = 0x40;
    /** The byte before the producer cursor is urgent. */
    public static final int URGENT_PRESENT = 0x20;
    /** The peer has to send its consumer cursor. */
    public static final int UPDATE_REQUESTED = 0x10;
    /** SMC-R: the check after a change of links; the cursors of this message mean nothing. */
    public static final int FAILOVER_VALIDATION = 0x08;

    // Connection state flags; once set, they stay set in all later messages.
    /** The sender shut down its output. */
    public static final int DONE_WRITING = 0x80;
    /** The sender closed, having read everything. */
    public static final int CONN_CLOSED = 0x40;
    /** The sender closed abnormally, or with unread data. */
    public static final int CONN_ABORT = 0x20;

    static final int PRODUCER_FLAGS = WRITE_BLOCKED | URGENT_PENDING | URGENT_PRESENT | UPDATE_REQUESTED | FAILOVER_VALIDATION;
    static final int STATE_FLAGS = DONE_WRITING | CONN_CLOSED | CONN_ABORT;

    private CdcFlags() {
    }
}
