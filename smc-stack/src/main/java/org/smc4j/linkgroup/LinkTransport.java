package org.smc4j.linkgroup;

import java.lang.foreign.MemorySegment;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceException;

/**
 * What a link needs of its device: one queue pair with a protection domain of its own, and the slots that LLC messages share with
 * the CDC messages of all connections of the link (spec/40-buffers-linkgroups.md §9, §10). A transport begins in state RESET.
 *
 * <p>All methods are called on the scheduler, and all that they report comes back on it, in a turn of its own and never before
 * the call has returned. None blocks.
 */
public interface LinkTransport {
    /** The number of LLC messages that may wait for a slot in one transport; more of them fail. */
    int MAX_WAITING_MESSAGES = 256;

    /** Where a transport reports what it does by itself; nothing after {@link #fail} was called. */
    interface Listener {
        /** A message that is not CDC, as it arrived: of any length and content. The array is the listener's from now on. */
        void received(byte[] message);

        /**
         * The queue pair is of no more use: a request completed with an error, none could be posted, or no slot became free for
         * 10 s. Reported once; {@link #fail} has still to be called.
         */
        void failed();
    }

    /** Opens queue pairs. */
    interface Factory {
        /**
         * Opens a queue pair on a port. Called on the scheduler.
         *
         * @param group that the link belongs to: its version decides the size of the receive buffers, 44 bytes, or up to 8192 in
         *              version 2; the tokens of its connections are those in CDC messages
         * @throws RoceException if the device has no room for one
         */
        LinkTransport open(RnicPort port, SmcrLinkGroup group, Listener listener) throws RoceException;
    }

    /** How the sending of a message ended. */
    interface SendResult {
        /** @param completed whether the peer's queue pair has taken the message; if not, it may have */
        void sent(boolean completed);
    }

    /**
     * The other end of the queue pair.
     *
     * @param mac        of the next hop
     * @param queuePair  24 bits
     * @param initialPsn 24 bits
     * @param mtuCode    the smaller of both ends
     * @param hopLimit   1, or 64 through a gateway
     */
    record Peer(Gid gid, Mac mac, int queuePair, int initialPsn, int mtuCode, int hopLimit) {
    }

    /** Number of the queue pair: 24 bits, unique in its device. */
    int queuePair();

    /** Messages that can be under way, as the device has granted them (net.smc.smcr_max_send_wr). */
    int controlSlots();

    /** Receive buffers, as the device has granted them (net.smc.smcr_max_recv_wr). */
    int receiveBuffers();

    /**
     * RESET to INIT to READY_TO_RECEIVE, with receive buffers posted.
     *
     * @throws RoceException if the device refuses; the transport is of no more use then
     */
    void connect(Peer peer) throws RoceException;

    /**
     * READY_TO_RECEIVE to READY_TO_SEND.
     *
     * @param initialPsn ours, as the peer was told: 24 bits
     * @throws RoceException if the device refuses; the transport is of no more use then
     */
    void readyToSend(int initialPsn) throws RoceException;

    /**
     * Sends an LLC message of up to 8192 bytes as one request, in READY_TO_SEND; it waits for a slot if none is free, behind the
     * LLC messages that already wait. The array is the transport's from now on.
     */
    void send(byte[] message, SendResult result);

    /**
     * Registers memory for this queue pair, in any state before {@link #fail}.
     *
     * @param remoteWrite whether the peer may write there
     * @throws RoceException if the device has no room for it
     */
    MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws RoceException;

    /** When a message, CDC or LLC, last arrived without an error, on the scheduler's clock; before that, when it was opened. */
    long lastReceiveNanos();

    /** Runs {@code drained} once all that was posted before has completed, well or not. */
    void drain(Runnable drained);

    /**
     * Sends nothing any more, nor again: the queue pair goes to ERROR, and what is posted completes as flushed. Before connections
     * go on by another link. Called before {@link #fail}, in READY_TO_SEND; does nothing again.
     */
    void stop();

    /**
     * Ends the queue pair: to ERROR, not to RESET, so that every request that was posted completes; those that wait for a slot,
     * and later ones, fail. After that it is destroyed and {@code flushed} runs. Called once, in any state.
     */
    void fail(Runnable flushed);

    /** Frees the protection domain. Called after {@code flushed} has run and all memory regions were closed. */
    void close();
}
