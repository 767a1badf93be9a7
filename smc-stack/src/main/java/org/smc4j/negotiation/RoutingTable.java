package org.smc4j.negotiation;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.smc4j.clc.Mac;

/** The IPv4 routes and neighbours of Linux, as /proc/net/route and /proc/net/arp show them: the main table, without rules. */
final class RoutingTable {
    private static final int UP = 0x0001;
    private static final int GATEWAY = 0x0002;
    private static final int REJECT = 0x0200;
    private static final int RESOLVED = 0x2;

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Neighbour, Mac> neighbours = new HashMap<>();

    private record Entry(String networkName, int destination, int gateway, int flags, int metric, int mask) {
        boolean isBetterThan(Entry other) {
            int bits = Integer.bitCount(mask);
            int otherBits = other == null ? -1 : Integer.bitCount(other.mask);
            return bits > otherBits || bits == otherBits && metric < other.metric;
        }
    }

    private record Neighbour(String networkName, int address) {
    }

    /** The lines of the two files; headings and what else has another form are left out. */
    RoutingTable(List<String> routes, List<String> neighbours) {
        for (String line : routes) {
            addRoute(line.strip().split("\\s+"));
        }
        for (String line : neighbours) {
            addNeighbour(line.strip().split("\\s+"));
        }
    }

    // Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT
    private void addRoute(String[] fields) {
        if (fields.length < 8) {
            return;
        }
        try {
            Entry entry = new Entry(fields[0], address(fields[1]), address(fields[2]), Integer.parseInt(fields[3], 16),
                    Integer.parseInt(fields[6]), address(fields[7]));
            if ((entry.flags() & UP) != 0) {
                entries.add(entry);
            }
        } catch (NumberFormatException e) {
            // The heading.
        }
    }

    /** The kernel prints the four bytes of an address as one number of its own byte order. */
    private static int address(String hex) {
        int number = Integer.parseUnsignedInt(hex, 16);
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(number) : number;
    }

    // IP address, HW type, Flags, HW address, Mask, Device
    private void addNeighbour(String[] fields) {
        if (fields.length < 6) {
            return;
        }
        try {
            if ((Integer.decode(fields[2]) & RESOLVED) != 0) {
                Mac mac = new Mac(Long.parseLong(fields[3].replace(":", ""), 16));
                neighbours.put(new Neighbour(fields[5], dotted(fields[0])), mac);
            }
        } catch (IllegalArgumentException e) {
            // The heading, or a link layer without MACs.
        }
    }

    private static int dotted(String text) {
        int address = 0;
        for (String part : text.split("\\.", -1)) {
            address = address << Byte.SIZE | Integer.parseInt(part);
        }
        return address;
    }

    private Entry best(int destination) {
        Entry best = null;
        for (Entry entry : entries) {
            if ((destination & entry.mask()) == entry.destination() && entry.isBetterThan(best)) {
                best = entry;
            }
        }
        return best == null || (best.flags() & REJECT) != 0 ? null : best;
    }

    /** The way to an address that is not this host's own. */
    Routes.Route route(int destination) {
        Entry entry = best(destination);
        if (entry == null) {
            return new Routes.Unreachable();
        }
        if ((entry.flags() & GATEWAY) == 0) {
            return new Routes.Direct();
        }
        return new Routes.Gateway(neighbours.getOrDefault(new Neighbour(entry.networkName(), entry.gateway()), Mac.NONE));
    }

    /** The interface on the way to an address that is not this host's own; null if there is none. */
    String networkName(int destination) {
        Entry entry = best(destination);
        return entry == null ? null : entry.networkName();
    }
}
