package org.smc4j.roce.software;

/** A slot of a send queue; used again by later requests. */
final class SendRequest {
    private static final int PIECES = Payload.MOST_PIECES;

    long id;
    /** {@link Packet#SEND} or {@link Packet#WRITE}. */
    int opcode;
    /** Of {@link org.smc4j.roce.QueuePair}. */
    int flags;
    final long[] addresses = new long[PIECES];
    final int[] lengths = new int[PIECES];
    final int[] lkeys = new int[PIECES];
    int pieces;
    /** Bytes of all pieces. */
    int length;
    long remoteAddress;
    int rkey;
    /** Whether a packet of it was given out; the PSNs below are those of its packets. */
    boolean begun;
    int firstPsn;
    int lastPsn;

    void set(long newId, int newOpcode, int newFlags, long newRemoteAddress, int newRkey) {
        id = newId;
        opcode = newOpcode;
        flags = newFlags;
        remoteAddress = newRemoteAddress;
        rkey = newRkey;
        pieces = 0;
        length = 0;
        begun = false;
    }

    void add(long address, int pieceLength, int lkey) {
        addresses[pieces] = address;
        lengths[pieces] = pieceLength;
        lkeys[pieces] = lkey;
        pieces++;
        length += pieceLength;
    }
}
