package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.clc.IpArea;

/** The subnets of an interface: what a client says of them, and whether a server has one of a client's (spec/10-clc.md §3.4). */
final class IpAreas {
    private IpAreas() {
    }

    /** The area of a Proposal; null if the interface has no address that belongs in there. */
    static IpArea of(ConnectionFacts connection) {
        LocalInterface local = connection.localInterface();
        if (local == null) {
            return null;
        }
        return connection.isIpv4() ? ipv4(local, connection.localIpv4()) : ipv6(local);
    }

    private static IpArea ipv4(LocalInterface local, int address) {
        for (LocalInterface.Ipv4 own : local.ipv4()) {
            if (own.isInSubnet(address)) {
                return new IpArea(own.subnet(), own.prefixLength(), List.of());
            }
        }
        return null;
    }

    private static IpArea ipv6(LocalInterface local) {
        List<IpArea.Ipv6Prefix> prefixes = new ArrayList<>();
        for (LocalInterface.Ipv6 own : local.ipv6()) {
            if (!own.isLinkLocal() && prefixes.size() < IpArea.MAX_IPV6_PREFIXES) {
                prefixes.add(own.prefix());
            }
        }
        return prefixes.isEmpty() ? null : new IpArea(0, 0, prefixes);
    }

    /** Whether a server's interface has the client's IPv4 subnet, or one of its IPv6 prefixes if it names any. */
    static boolean match(IpArea client, LocalInterface local) {
        if (local == null) {
            return false;
        }
        return client.ipv6Prefixes().isEmpty() ? matchesIpv4(client, local) : matchesIpv6(client, local);
    }

    private static boolean matchesIpv4(IpArea client, LocalInterface local) {
        for (LocalInterface.Ipv4 own : local.ipv4()) {
            if (own.prefixLength() == client.ipv4PrefixLength() && own.isInSubnet(client.ipv4Subnet())) {
                return true;
            }
        }
        return false;
    }

    private static boolean matchesIpv6(IpArea client, LocalInterface local) {
        for (LocalInterface.Ipv6 own : local.ipv6()) {
            if (own.isLinkLocal()) {
                continue;
            }
            for (IpArea.Ipv6Prefix prefix : client.ipv6Prefixes()) {
                // Compared as the receiver's own address is: host bits that a peer may have left in do not count.
                if (prefix.length() == own.prefixLength()
                        && new LocalInterface.Ipv6(prefix.high(), prefix.low(), prefix.length()).prefix().equals(own.prefix())) {
                    return true;
                }
            }
        }
        return false;
    }
}
