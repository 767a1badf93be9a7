package org.smc4j.linkgroup;

/** A receive buffer of the peer, as it is reached on each link of the group. */
final class PeerRmb {
    /** By the link's place in its group; null where the peer told nothing, or took it back. */
    private final Rtoken[] tokens = new Rtoken[LinkSlots.COUNT];

    Rtoken on(int link) {
        return tokens[link];
    }

    void put(int link, Rtoken token) {
        tokens[link] = token;
    }

    void forget() {
        for (int link = 0; link < tokens.length; link++) {
            tokens[link] = null;
        }
    }

    boolean isForgotten() {
        for (Rtoken token : tokens) {
            if (token != null) {
                return false;
            }
        }
        return true;
    }
}
