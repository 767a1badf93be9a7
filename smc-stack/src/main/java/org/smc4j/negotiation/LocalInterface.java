package org.smc4j.negotiation;

import java.util.List;
import org.smc4j.clc.IpArea;
import org.smc4j.wire.Checks;

/**
 * A network interface of this host.
 *
 * @param name     such as {@code eth0}
 * @param baseName of the device under it, such as that of a VLAN's; its own name if there is none
 * @param vlan     its VLAN id, 0 if it has none
 */
public record LocalInterface(String name, String baseName, boolean up, int vlan, List<Ipv4> ipv4, List<Ipv6> ipv6) {
    private static final int MAX_VLAN = 0xFFF;

    /** @param address in network order */
    public record Ipv4(int address, int prefixLength) {
        public Ipv4 {
            Checks.range("IPv4 prefix length", prefixLength, 0, Ipv4Math.BITS);
        }

        /** The subnet, host bits cleared. */
        int subnet() {
            return address & Ipv4Math.mask(prefixLength);
        }

        boolean isInSubnet(int other) {
            return (other & Ipv4Math.mask(prefixLength)) == subnet();
        }
    }

    /**
     * @param high bytes 0 to 7
     * @param low  bytes 8 to 15
     */
    public record Ipv6(long high, long low, int prefixLength) {
        private static final int BITS = 128;
        private static final long LINK_LOCAL = 0xFE80L << 48;
        private static final long LINK_LOCAL_MASK = 0xFFC0L << 48;

        public Ipv6 {
            Checks.range("IPv6 prefix length", prefixLength, 0, BITS);
        }

        boolean isLinkLocal() {
            return (high & LINK_LOCAL_MASK) == LINK_LOCAL;
        }

        /** The prefix, host bits cleared. */
        IpArea.Ipv6Prefix prefix() {
            return new IpArea.Ipv6Prefix(high & mask(prefixLength), low & mask(prefixLength - Long.SIZE), prefixLength);
        }

        private static long mask(int bits) {
            if (bits <= 0) {
                return 0;
            }
            return bits >= Long.SIZE ? -1 : -1L << (Long.SIZE - bits);
        }
    }

    public LocalInterface {
        ipv4 = List.copyOf(ipv4);
        ipv6 = List.copyOf(ipv6);
        Checks.range("VLAN", vlan, 0, MAX_VLAN);
    }
}
