package org.smc4j.negotiation;

import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.diag.ReasonCode;

/**
 * A connection's place in a link group and its buffers, while the handshake lasts; of an active connection its owner has it.
 * Calls as those of {@link HandshakeResources}.
 */
public interface Reservation {
    /** Whom {@link #complete} answers. */
    interface Completion {
        void completed();

        /** @param reason {@link ReasonCode#TIMEOUT_CL} if no CONFIRM LINK response came within 2 s */
        void failed(ReasonCode reason);

        /** The connection cannot even go on over TCP. @param errno positive */
        void broken(int errno);
    }

    /** Whom {@link #awaitFirstLink} answers. */
    interface FirstLink {
        /** The first link is up, and the second one if there is one. */
        void ready();

        /** The first link is up, and the server, which could have a second one, has not spoken of it within 2 s. */
        void noSecondLink();

        /** @param reason {@link ReasonCode#TIMEOUT_CL} if no CONFIRM LINK request came within 4 s */
        void failed(ReasonCode reason);
    }

    /** For the Accept or Confirm: {@link LocalEnd.Smcd} for a choice of SMC-D, {@link LocalEnd.Smcr} for one of SMC-R. */
    LocalEnd localEnd();

    /** Whether the link group began with this connection. */
    boolean isFirstContact();

    /** Server: takes the client's end from the Confirm; at a first contact of SMC-R brings up the link, or links. */
    void complete(Choice choice, ClcAcceptConfirm confirm, Completion completion);

    /**
     * Client, first contact of SMC-R: waits for the server to bring up the link, or links. Called in the turn in which the Confirm
     * is sent.
     */
    void awaitFirstLink(FirstLink firstLink);

    /** The ends do not agree on the link group: nobody must find it any more, and it ends. {@link #release} follows. */
    void outOfSync();

    /** The handshake has failed: gives everything back. A link group that began with this connection ends. */
    void release();
}
