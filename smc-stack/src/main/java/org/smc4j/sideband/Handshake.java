package org.smc4j.sideband;

import java.lang.foreign.Arena;
import org.smc4j.carrier.FourTuple;
import org.smc4j.clc.Eid;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ism.Dmb;

/**
 * One handshake, at either end, from Proposal to the end. Used by the sideband's thread only.
 *
 * <pre>
 *  client                                            server
 *  PROPOSED  --- Proposal ------------------------>  WAITING     until the TCP connection is accepted
 *            &lt;-- Accept, DMB, doorbell ------------  ACCEPTED
 *  attach
 *  CONFIRMED --- Confirm, DMB, doorbell ---------->  attach, may switch at once
 *            &lt;-- READY ----------------------------
 *  may switch
 * </pre>
 *
 * Until CONFIRMED either end may give up at any time. From then on the client reads from the ring whenever the server says so,
 * and only a Decline of the server, which then never attached, takes that back.
 */
final class Handshake {
    enum State {
        PROPOSED, CONFIRMED, WAITING, ACCEPTED
    }

    final Link link;
    final long id;
    final FourTuple tuple;
    final Endpoint endpoint;  // null while WAITING
    final long deadline;      // System.nanoTime
    State state;
    boolean ended;
    Eid eid;                  // server only: the negotiated one
    // What we offered.
    Arena arena;
    Dmb ownDmb;
    int ownDoorbell = -1;

    Handshake(Link link, long id, FourTuple tuple, Endpoint endpoint, State state, long deadline) {
        this.link = link;
        this.id = id;
        this.tuple = tuple;
        this.endpoint = endpoint;
        this.state = state;
        this.deadline = deadline;
    }

    /** Gives back what was offered and not taken. */
    void dispose() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
        if (ownDoorbell >= 0) {
            Linux.close(ownDoorbell);
            ownDoorbell = -1;
        }
    }
}
