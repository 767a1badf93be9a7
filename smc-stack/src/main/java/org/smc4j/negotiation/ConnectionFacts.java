package org.smc4j.negotiation;

import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * What is known of the TCP connection that is to become SMC.
 *
 * @param local          its address at this end; IPv4-mapped ones are IPv4, as {@link InetAddress} makes them
 * @param localInterface through which its packets leave; null if it cannot be told, which leaves SMC-D v2 only
 * @param pnetId         of that interface
 */
public record ConnectionFacts(InetAddress local, LocalInterface localInterface, PnetId pnetId, Routes routes) {
    boolean isIpv4() {
        return local instanceof Inet4Address;
    }

    /** The address at this end; 0 over IPv6. */
    int localIpv4() {
        return local instanceof Inet4Address address ? Ipv4Math.of(address) : Ipv4Math.NONE;
    }

    /** 0 if the interface has none, or is not known. */
    int vlan() {
        return localInterface == null ? 0 : localInterface.vlan();
    }
}
