package org.smc4j.linkgroup;

/** A connection's place in a link group: held from the handshake on until nothing of the connection is in flight any more. */
public sealed class Membership permits SmcrMembership {
    private final LinkGroup group;
    private final GroupMember member;
    private final int alertToken;
    private boolean left;

    Membership(LinkGroup group, GroupMember member, int alertToken) {
        this.group = group;
        this.member = member;
        this.alertToken = alertToken;
    }

    /** Our id of the connection, by which the peer's CDC messages find it; never 0, unique in the group. */
    public final int alertToken() {
        return alertToken;
    }

    public LinkGroup group() {
        return group;
    }

    final GroupMember member() {
        return member;
    }

    public final boolean hasLeft() {
        return left;
    }

    /**
     * The connection is over, or its handshake has failed, and its buffers are nobody's any more: no work request names them.
     * Does nothing again.
     */
    public final void leave() {
        if (!left) {
            left = true;
            released();
            group.remove(this);
        }
    }

    /** What else this place was. */
    void released() {
    }
}
