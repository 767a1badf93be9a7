package org.smc4j.roce.software;

/** What the receiver of requests says about them. Filled anew for each one. */
final class Answer {
    /** To the HELLO: requests may follow. */
    static final int READY = 1;
    /** To the HELLO: the queue pair is not ready to receive yet. */
    static final int NOT_READY = 2;
    /** There is no such queue pair for this sender, or not any more. */
    static final int GONE = 3;
    /** All packets up to the PSN are taken. */
    static final int TAKEN = 4;
    /** The request that the packet with the PSN is of fails with the status; those before it are taken. */
    static final int REFUSED = 5;

    int kind;
    int status;
    int psn;
}
