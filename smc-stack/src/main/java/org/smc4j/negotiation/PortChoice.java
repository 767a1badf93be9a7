package org.smc4j.negotiation;

import java.util.List;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceDevice.GidType;

/**
 * Which port and which of its GIDs a connection uses: the first active port in the physical network of the connection's
 * interface or, if that has no PNETID, of the RNIC that belongs to the interface (spec/10-clc.md §9,
 * spec/40-buffers-linkgroups.md §9).
 */
public final class PortChoice {
    private PortChoice() {
    }

    /** For SMC-R v1: a RoCE v1 GID of the connection's VLAN. Null if there is none. */
    static PortGid v1(LocalAbilities abilities, ConnectionFacts connection) {
        return first(abilities.ports(), connection, GidType.ROCE_V1);
    }

    /** For SMC-R v2: a RoCE v2 GID of that VLAN, of an IPv4 address in whose subnet the connection's is. Null if none is. */
    static PortGid v2(LocalAbilities abilities, ConnectionFacts connection) {
        return first(abilities.ports(), connection, GidType.ROCE_V2);
    }

    private static PortGid first(List<LocalPort> ports, ConnectionFacts connection, GidType type) {
        LocalInterface local = connection.localInterface();
        if (local == null) {
            return null;
        }
        for (LocalPort port : ports) {
            boolean candidate = connection.pnetId().isSet() ? port.pnetId().equals(connection.pnetId())
                    : port.isOf(local.baseName());
            GidEntry entry = candidate ? entry(port, type, local.vlan(), connection.localIpv4()) : null;
            if (entry != null) {
                return new PortGid(port, entry);
            }
        }
        return null;
    }

    /**
     * A port for another link beside one on {@code current}: of the same PNETID and with a GID of the same type and VLAN, but of
     * another RNIC, for the other port of the same one would fail with it.
     *
     * @param localIpv4 address of the connection at this end, network order; for RoCE v2 GIDs only
     * @return null if there is none
     */
    public static PortGid alternate(List<LocalPort> ports, PortGid current, int localIpv4) {
        LocalPort used = current.port();
        for (LocalPort port : ports) {
            if (used.pnetId().isSet() && port.pnetId().equals(used.pnetId()) && !port.device().equals(used.device())) {
                GidEntry entry = entry(port, current.entry().type(), current.entry().vlan(), localIpv4);
                if (entry != null) {
                    return new PortGid(port, entry);
                }
            }
        }
        return null;
    }

    private static GidEntry entry(LocalPort port, GidType type, int vlan, int localIpv4) {
        if (port.isActive()) {
            for (GidEntry entry : port.port().gids()) {
                if (entry.type() == type && entry.vlan() == vlan && (type == GidType.ROCE_V1 || isInSubnet(entry, localIpv4))) {
                    return entry;
                }
            }
        }
        return null;
    }

    private static boolean isInSubnet(GidEntry entry, int localIpv4) {
        int address = Ipv4Math.of(entry.gid());
        return address != Ipv4Math.NONE && new LocalInterface.Ipv4(address, entry.prefixLength()).isInSubnet(localIpv4);
    }
}
