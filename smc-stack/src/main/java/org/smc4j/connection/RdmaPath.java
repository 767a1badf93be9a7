package org.smc4j.connection;

/**
 * How a connection reaches its peer by one link.
 *
 * @param workQueue   of the link
 * @param lkey        of the connection's send buffer on this link
 * @param peerAddress of the first byte of the peer's RMBE: the address from its Accept, Confirm or CONFIRM RKEY, plus (index − 1)
 *                    times the size
 * @param rkey        of the peer's RMB on this link
 */
public record RdmaPath(WorkQueue workQueue, int lkey, long peerAddress, int rkey) {
    /** For messages that carry no data. */
    static RdmaPath withoutData(WorkQueue workQueue) {
        return new RdmaPath(workQueue, 0, 0, 0);
    }
}
