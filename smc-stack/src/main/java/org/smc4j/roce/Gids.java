package org.smc4j.roce;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;

/** The GIDs that a RoCE port makes of the addresses of its network interface. */
public final class Gids {
    private static final long MAPPED_PREFIX = 0xFFFFL << 32;
    private static final long LINK_LOCAL_PREFIX = 0xFE80L << 48;
    private static final long UNIVERSAL_BIT = 0x02L << 56;

    private Gids() {
    }

    /** The IPv4-mapped GID of an address, which is that of SMC-R v2 ({@code ::ffff:a.b.c.d}). */
    public static Gid ofIpv4(int address) {
        return new Gid(0, MAPPED_PREFIX | Integer.toUnsignedLong(address));
    }

    public static boolean isIpv4(Gid gid) {
        return gid.high() == 0 && gid.low() >>> 32 == MAPPED_PREFIX >>> 32;
    }

    /** The address of an IPv4-mapped GID. */
    public static int ipv4(Gid gid) {
        return (int) gid.low();
    }

    /** The link-local GID of a MAC (modified EUI-64), which every port has. */
    public static Gid linkLocal(Mac mac) {
        long high = mac.value() >>> 24;
        long low = mac.value() & 0xFF_FFFF;
        return new Gid(LINK_LOCAL_PREFIX, (high << 40 | 0xFFFEL << 24 | low) ^ UNIVERSAL_BIT);
    }

    /** Written as an IPv6 address, in full: 39 characters. */
    public static String text(Gid gid) {
        return gid.toString().replaceAll("(....)(?!$)", "$1:");
    }

    /** Whether it is of the prefix fe80::/64. */
    public static boolean isLinkLocal(Gid gid) {
        return gid.high() == LINK_LOCAL_PREFIX;
    }
}
