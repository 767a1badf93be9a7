package org.smc4j.linkgroup;

/**
 * A connection as its link group sees it. Called on the scheduler; calls of the {@link Membership} are allowed from within, its
 * {@link Membership#leave} above all.
 */
public interface GroupMember {
    /**
     * The link of this connection still works and is to be left: posts nothing on it any more, until {@link #moveTo}, which comes
     * when all that was posted has completed. Otherwise what is still on its way there could arrive after the ring has gone round
     * by the other link, and overwrite newer bytes. Never called for SMC-D, nor before the connection is established.
     */
    void pause();

    /**
     * The link of this connection was lost or is left; from now on it uses {@code link}, which is ACTIVE. {@link SmcrMembership#link} and
     * {@link SmcrMembership#peerRtoken} already say so. What the connection has to do is in spec/30-cdc.md §7: an active one
     * rewinds its cursors and sends the validation message, one that closes only changes its link. Never called for SMC-D, nor
     * before the connection is {@link SmcrMembership#establish established}.
     */
    void moveTo(Link link);

    /**
     * The link group ends although the peer is, or was just, reachable: it was deleted by either end. The connection is aborted
     * as spec/50-sockets.md §2 says for "kill", unless its handshake is still under way. It sends its abort message within this
     * call if at all, for the peer is told of the end right after it, and leaves when nothing of it is in flight any more.
     *
     * @param reason one of those in {@link org.smc4j.llc.DeleteLink}
     */
    void kill(int reason);

    /**
     * The last link on which this connection could go on was lost, most often with the link group. Nothing can be sent any more;
     * what the kernel aborts now can still go on over the TCP connection. The connection leaves when nothing of it is in flight
     * any more.
     */
    void lastLinkLost();
}
