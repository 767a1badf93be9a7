package org.smc4j.clc;

import java.util.List;

import org.smc4j.wire.Checks;

/**
 * The IP area of a Proposal: the subnets of the client, which version 1 requires to be equal on both ends.
 *
 * @param ipv4Subnet       the address and mask in network order; 0 over IPv6
 * @param ipv4PrefixLength count of mask bits; a peer may send any byte
 * @param ipv6Prefixes     up to 8; empty over IPv4
 */
public record IpArea(int ipv4Subnet, int ipv4PrefixLength, List<Ipv6Prefix> ipv6Prefixes) {
    public static final int MAX_IPV6_PREFIXES = 8;

    public IpArea {
        Checks.range("IPv4 prefix length", ipv4PrefixLength, 0, Checks.U8);
        ipv6Prefixes = List.copyOf(ipv6Prefixes);
        Checks.range("count of IPv6 prefixes", ipv6Prefixes.size(), 0, MAX_IPV6_PREFIXES);
    }

    /**
     * One IPv6 subnet.
     *
     * @param high   bytes 0 to 7 of the address, host bits cleared
     * @param low    bytes 8 to 15
     * @param length count of prefix bits; a peer may send any byte
     */
    public record Ipv6Prefix(long high, long low, int length) {
        public Ipv6Prefix {
            Checks.range("IPv6 prefix length", length, 0, Checks.U8);
        }
    }
}
