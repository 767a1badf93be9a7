package org.smc4j.negotiation;

import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.diag.ReasonCode;

/**
 * What a handshake needs of link groups, buffers and LLC. All calls are made on the scheduler and must not block; each is
 * answered once, on the scheduler, within a bounded time, and may be answered before it returns.
 */
public interface HandshakeResources {
    /** Whom {@link #offer} and {@link #join} answer. */
    interface Receiver {
        void reserved(Reservation reservation);

        /** Nothing is left behind. */
        void failed(ReasonCode reason);
    }

    /**
     * Server: a place in the link group that leads to the peer (spec/40-buffers-linkgroups.md §4), or in a new one, and buffers.
     * In a group of SMC-R that exists already the peer has been told of the RMB (CONFIRM RKEY) before this succeeds.
     */
    void offer(Choice candidate, Receiver receiver);

    /**
     * Client: a place in a new link group if the Accept says first contact, else in the one that exists, on the link that the
     * Accept names, and buffers. No such group is {@link ReasonCode#SYNCERR}, no such link {@link ReasonCode#NOSRVLINK}. As with
     * {@link #offer}, the peer has been told of an RMB in a group that existed; at a first contact the queue pair is ready to
     * receive.
     */
    void join(Choice choice, ClcAcceptConfirm accept, Receiver receiver);
}
