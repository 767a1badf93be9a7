package org.smc4j.linkgroup;

import java.util.ArrayList;
import java.util.List;

/** The receive buffers that the peer has told of (spec/40-buffers-linkgroups.md §3, spec/20-llc.md §6, §7). */
final class RtokenTable {
    static final int MAX_RMBS = 255;

    private final List<PeerRmb> rmbs = new ArrayList<>();

    boolean isFull() {
        return rmbs.size() == MAX_RMBS;
    }

    /** The buffer that is reached in this way, which may be known already; null if there is no room for a new one. */
    PeerRmb add(int link, Rtoken token) {
        Rtoken[] tokens = new Rtoken[LinkSlots.COUNT];
        tokens[link] = token;
        return add(tokens);
    }

    /**
     * The buffer that is reached in these ways. It is known already if one of them is: the peer may have told of it before, over a
     * link that was alone then, without taking it back, as nobody used it (a CONFIRM RKEY that was not answered in time). The
     * kernel looks at the link of the message only, and may have two entries then; that a link was added changes the one that
     * no connection has.
     *
     * @param tokens by the link's place; null where the peer told nothing
     * @return null if there is no room for a new one
     */
    PeerRmb add(Rtoken[] tokens) {
        PeerRmb rmb = known(tokens);
        if (rmb == null) {
            if (isFull()) {
                return null;
            }
            rmb = new PeerRmb();
            rmbs.add(rmb);
        }
        for (int link = 0; link < tokens.length; link++) {
            if (tokens[link] != null) {
                rmb.put(link, tokens[link]);
            }
        }
        return rmb;
    }

    private PeerRmb known(Rtoken[] tokens) {
        for (PeerRmb rmb : rmbs) {
            for (int link = 0; link < tokens.length; link++) {
                if (tokens[link] != null && tokens[link].equals(rmb.on(link))) {
                    return rmb;
                }
            }
        }
        return null;
    }

    /** The buffer that has this rkey on one link is reached in this way on another; an unknown rkey is ignored. */
    void add(int link, int rkey, int otherLink, Rtoken token) {
        PeerRmb rmb = find(link, rkey);
        if (rmb != null) {
            rmb.put(otherLink, token);
        }
    }

    /** Forgets the buffer that has this rkey on that link; false if there is none. */
    boolean delete(int link, int rkey) {
        PeerRmb rmb = find(link, rkey);
        if (rmb == null) {
            return false;
        }
        rmb.forget();
        return rmbs.remove(rmb);
    }

    /** Forgets how the buffers are reached on a link that is gone. */
    void clear(int link) {
        for (PeerRmb rmb : rmbs) {
            rmb.put(link, null);
        }
        rmbs.removeIf(PeerRmb::isForgotten);
    }

    private PeerRmb find(int link, int rkey) {
        for (PeerRmb rmb : rmbs) {
            Rtoken token = rmb.on(link);
            if (token != null && token.rkey() == rkey) {
                return rmb;
            }
        }
        return null;
    }
}
