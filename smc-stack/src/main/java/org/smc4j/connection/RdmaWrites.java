package org.smc4j.connection;

/**
 * The RDMA WRITEs of one CDC message: up to two, as the data may go round the end of the peer's ring, each of one or two pieces, as it
 * may go round the end of our own buffer too. Used again and again by one sender.
 */
final class RdmaWrites {
    static final int MOST = 2;

    private final long[] addresses = new long[2 * MOST];
    private final int[] lengths = new int[2 * MOST];
    private final long[] remoteAddresses = new long[MOST];
    private int count;

    /**
     * The WRITEs of so many bytes from a position on, which says where they lie in either ring.
     *
     * @param localAddress of the first byte of our buffer
     * @param length       at most the size of either ring
     * @param peerAddress  of the first byte of the peer's ring
     */
    void set(long localAddress, int localSize, long position, int length, long peerAddress, int peerSize) {
        count = 0;
        long at = position;
        int left = length;
        while (left > 0) {
            int remote = (int) (at % peerSize);
            int n = Math.min(left, peerSize - remote);
            int local = (int) (at % localSize);
            int first = Math.min(n, localSize - local);
            addresses[2 * count] = localAddress + local;
            lengths[2 * count] = first;
            addresses[2 * count + 1] = localAddress;
            lengths[2 * count + 1] = n - first;
            remoteAddresses[count] = peerAddress + remote;
            count++;
            at += n;
            left -= n;
        }
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    long remoteAddress(int write) {
        return remoteAddresses[write];
    }

    int length(int write) {
        return lengths[2 * write] + lengths[2 * write + 1];
    }

    long address(int write, int piece) {
        return addresses[2 * write + piece];
    }

    /** 0 for the second piece if there is only one. */
    int length(int write, int piece) {
        return lengths[2 * write + piece];
    }
}
