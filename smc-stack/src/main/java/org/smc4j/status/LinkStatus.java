package org.smc4j.status;

/**
 * A link of a link group of SMC-R at one moment, in the words of {@code smcr linkgroup link-show}.
 *
 * @param group         id of the link group
 * @param id            number in the group, 1 to 255; 0 on a client that was not yet told
 * @param state         {@code LINK_ACTIVE}, {@code LINK_ACTIVATING}, {@code LINK_INACTIVE} or {@code LINK_UNUSED}
 * @param asymmetric    whether new connections leave it alone
 * @param connections   that use it
 * @param netDevice     network interface of the port
 * @param device        RNIC
 * @param port          of the RNIC: 1 or 2
 * @param gid           ours, as an IPv6 address is written
 * @param peerGid       likewise; all zero as long as the peer has not said it
 * @param queuePair     number of ours: 24 bits
 * @param peerQueuePair 0 as long as the peer has not said it
 * @param sendWr        messages that it can have under way (net.smc.smcr_max_send_wr, or less if the device has not so many)
 * @param receiveWr     its receive buffers (net.smc.smcr_max_recv_wr, likewise)
 * @param uid           our id of the link: 32 bits
 * @param peerUid       0 as long as the peer has not said it
 */
public record LinkStatus(int group, int id, String state, boolean asymmetric, int connections, String netDevice, String device,
        int port, String gid, String peerGid, int queuePair, int peerQueuePair, int sendWr, int receiveWr, int uid, int peerUid) {
}
