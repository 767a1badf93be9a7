package org.smc4j.linkgroup;

import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.LlcType;

/** The table of all messages that flows wait for, and for how long (spec/20-llc.md §5 to §8). */
enum FlowStep {
    /** First contact, server: the client's answer over the first link. */
    FIRST_LINK_RESPONSE(LlcType.CONFIRM_LINK, true, FlowStep.WAIT_NANOS),
    /** First contact, client: the server comes when it has the Confirm, which is not yet sent when the wait begins. */
    FIRST_LINK_REQUEST(LlcType.CONFIRM_LINK, false, 2 * FlowStep.WAIT_NANOS),
    /** First contact, client: the server's offer of a second link, which not every server makes. */
    SECOND_LINK_OFFER(LlcType.ADD_LINK, false, FlowStep.WAIT_NANOS),
    /** Another link, server: what the client says to the offer. */
    ADD_LINK_RESPONSE(LlcType.ADD_LINK, true, FlowStep.WAIT_NANOS),
    /** Another link of version 1, server: more rkeys of the client. */
    CLIENT_RKEYS(LlcType.ADD_LINK_CONTINUE, true, FlowStep.WAIT_NANOS),
    /** Another link of version 1, client: more rkeys of the server. */
    SERVER_RKEYS(LlcType.ADD_LINK_CONTINUE, false, FlowStep.WAIT_NANOS),
    /** Another link, server: the client's answer over that link. */
    NEW_LINK_RESPONSE(LlcType.CONFIRM_LINK, true, FlowStep.FIRST_WAIT_NANOS),
    /** Another link, client: the server's first message over that link. */
    NEW_LINK_REQUEST(LlcType.CONFIRM_LINK, false, FlowStep.FIRST_WAIT_NANOS),
    /** Invitation, client: the server's offer. The kernel waits without end, and starts nothing else until then. */
    INVITED_OFFER(LlcType.ADD_LINK, false, FlowStep.WAIT_NANOS),
    DELETE_LINK_RESPONSE(LlcType.DELETE_LINK, true, FlowStep.WAIT_NANOS),
    CONFIRM_RKEY_RESPONSE(LlcType.CONFIRM_RKEY, true, FlowStep.WAIT_NANOS),
    DELETE_RKEY_RESPONSE(LlcType.DELETE_RKEY, true, FlowStep.WAIT_NANOS);

    static final long WAIT_NANOS = 2_000_000_000L;
    static final long FIRST_WAIT_NANOS = 5_000_000_000L;
    /** How long a flow that our side begins waits for others to end. */
    static final long TURN_NANOS = 10 * WAIT_NANOS;

    private final LlcType type;
    private final boolean response;
    private final long nanos;

    FlowStep(LlcType type, boolean response, long nanos) {
        this.type = type;
        this.response = response;
        this.nanos = nanos;
    }

    boolean isFor(LlcMessage message) {
        return message.type() == type && message.response() == response;
    }

    long nanos() {
        return nanos;
    }
}
