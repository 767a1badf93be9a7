package org.smc4j.roce.software;

import org.smc4j.clc.Gid;

/**
 * What travels between simulated ports: a packet of a request with its bytes, or the answer to one, without.
 *
 * @param packet null for an answer
 * @param bytes  of the packet
 * @param answer {@link #TAKEN} and so on, or the status with which the request fails
 * @param psn    of an answer
 */
record Frame(Gid sourceGid, int sourceQueuePair, Gid destinationGid, int destinationQueuePair, Packet packet, byte[] bytes,
             int answer, int psn) {
    /** All up to the PSN is taken. */
    static final int TAKEN = 0;
    /** The packet with the PSN is missing. */
    static final int MISSING = -1;
    /** No receive is posted for the message that begins with the PSN. */
    static final int NOT_READY = -2;
    /** Ethernet, IP, UDP and the transport headers, preamble and gap: bytes of the port's time. */
    private static final int HEADERS = 100;

    /** Bytes of the port's time that it takes. */
    int size() {
        return HEADERS + bytes.length;
    }
}
