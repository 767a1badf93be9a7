package org.smc4j.roce;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;

/**
 * A reliable connected queue pair. Requests complete in order; one that fails takes the queue pair to ERROR, in which every
 * request that was posted, or is posted later, completes with {@link Completions#FLUSH_ERROR}.
 *
 * <p>Lengths are of 1 byte and more for RDMA WRITEs, addresses are within the registered memory that the lkey belongs to.
 */
public interface QueuePair extends AutoCloseable {
    /** The request completes with an entry in the send queue; without it only if it fails. */
    int SIGNALED = 1;
    /** The receiver's completion queue sends an event even if it was armed for these only. */
    int SOLICITED = 2;
    /** The bytes are taken at once, so that the memory can be used again; at most {@link #maxInline} of them. */
    int INLINE = 4;

    enum State { RESET, INIT, READY_TO_RECEIVE, READY_TO_SEND, ERROR }

    /**
     * Where the peer's queue pair is (spec/40-buffers-linkgroups.md §9).
     *
     * @param sourceGidIndex  of our entry in the port's GID table
     * @param mtuCode         the smaller of both ends
     * @param peerQueuePair   24 bits
     * @param peerInitialPsn  24 bits
     * @param peerMac         of the next hop
     * @param hopLimit        1, or 64 through a gateway
     */
    record Path(int sourceGidIndex, int mtuCode, Gid peerGid, Mac peerMac, int peerQueuePair, int peerInitialPsn,
                int hopLimit) {
    }

    /** 24 bits, unique in the device. */
    int number();

    State state();

    /** Bytes that can be sent inline; 0 if none. */
    int maxInline();

    /** RESET to INIT, on a port. */
    void initialize(int port) throws RoceException;

    /** INIT to READY_TO_RECEIVE. Minimum RNR timer 5, one outstanding read. */
    void readyToReceive(Path path) throws RoceException;

    /** READY_TO_RECEIVE to READY_TO_SEND. Timeout 15, 7 retries, RNR retries without end. */
    void readyToSend(int initialPsn) throws RoceException;

    /** Any state to ERROR: everything posted completes. */
    void fail();

    /** Offers memory to the next message; from INIT on. Returns 0 or a negated errno ({@code ENOMEM}: queue full). */
    int postReceive(long id, long address, int length, int lkey);

    /** Sends a message; READY_TO_SEND only ({@code EINVAL} otherwise, {@code ENOMEM}: queue full). */
    int postSend(long id, long address, int length, int lkey, int flags);

    /** Writes into the peer's memory, of one piece; results as {@link #postSend}. */
    int postWrite(long id, long address, int length, int lkey, long remoteAddress, int rkey, int flags);

    /** Writes into the peer's memory, of two pieces one behind the other; results as {@link #postSend}. */
    int postWrite(long id, long address1, int length1, int lkey1, long address2, int length2, int lkey2, long remoteAddress,
                  int rkey, int flags);

    /** Destroys it; completions that were not polled are gone. Callers have driven it to ERROR and waited for all. */
    @Override
    void close();
}
