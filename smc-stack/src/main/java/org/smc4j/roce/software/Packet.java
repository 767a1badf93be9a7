package org.smc4j.roce.software;

/** The header of a request's packet, as the sender's queue gives it out and the receiver takes it. Filled anew for each one. */
final class Packet {
    static final int SEND = 1;
    static final int WRITE = 2;

    /** {@link #SEND} or {@link #WRITE}. */
    int opcode;
    /** Whether it is the first, and the last, of its request. */
    boolean first;
    boolean last;
    /** Of the last packet of a SEND. */
    boolean solicited;
    /** Whether its sender waits for no completion; the receiver is not told. */
    boolean unsignaled;
    int psn;
    /** Where the request's first byte goes; for WRITE. */
    long remoteAddress;
    int rkey;
    /** Bytes in this packet. */
    int length;
    /** Bytes of the whole request. */
    int requestLength;
}
