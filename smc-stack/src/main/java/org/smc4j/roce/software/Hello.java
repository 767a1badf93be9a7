package org.smc4j.roce.software;

import org.smc4j.clc.Gid;

/**
 * The first thing that is said over a connection between two RNICs: whose requests it will carry, and to whom. That the sender
 * knows the PSN shows that it is the one the queue pair was connected to, as far as its packets can show it in RoCE.
 *
 * @param sourceGid       of the sender's port
 * @param destinationGid  of the receiver's port
 * @param sourceQueuePair 24 bits
 * @param destinationQueuePair 24 bits
 * @param psn             of the first packet that follows, 24 bits
 */
record Hello(Gid sourceGid, Gid destinationGid, int sourceQueuePair, int destinationQueuePair, int psn) {
}
