package org.smc4j.roce.software;

/** What carries the packets of one queue pair to its peer. Never blocks; calls come with the lock held that is named. */
interface Wire {
    /** The queue pair can receive. Both locks. */
    void readyToReceive();

    /** Requests were posted. Send lock. */
    void transmit();

    /** A receive was posted. Receive lock. */
    void receivePosted();

    /** The queue pair is in ERROR, everything has completed: nothing is sent or received any more. Both locks. */
    void failed();

    /** The queue pair is destroyed. Both locks; {@link #failed} came before. */
    void closed();
}
