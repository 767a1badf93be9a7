package org.smc4j.negotiation;

import java.net.Inet4Address;
import java.nio.ByteBuffer;
import org.smc4j.clc.Gid;
import org.smc4j.roce.Gids;

/** IPv4 addresses as numbers in network order. */
final class Ipv4Math {
    static final int BITS = Integer.SIZE;
    /** 0.0.0.0, which is nobody's. */
    static final int NONE = 0;

    private Ipv4Math() {
    }

    static int of(Inet4Address address) {
        return ByteBuffer.wrap(address.getAddress()).getInt();
    }

    static int mask(int prefixLength) {
        return prefixLength == 0 ? 0 : -1 << (BITS - prefixLength);
    }

    /**
     * The address in a GID: its last four bytes if the first twelve are those of an IPv4-mapped address, or zero (spec/10-clc.md
     * §8); {@link #NONE} for other GIDs.
     */
    static int of(Gid gid) {
        return Gids.isIpv4(gid) || gid.high() == 0 && gid.low() >>> BITS == 0 ? Gids.ipv4(gid) : NONE;
    }
}
