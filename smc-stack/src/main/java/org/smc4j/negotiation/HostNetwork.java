package org.smc4j.negotiation;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The network interfaces, VLANs and IPv4 routes of this host, or of its network namespace, as they were when they were read. The
 * only class of this package that does I/O, in {@link #read}.
 */
public final class HostNetwork implements Routes {
    private static final Path PROC_NET = Path.of("/proc/net");

    private final List<LocalInterface> interfaces;
    private final RoutingTable routes;

    HostNetwork(List<LocalInterface> interfaces, RoutingTable routes) {
        this.interfaces = List.copyOf(interfaces);
        this.routes = routes;
    }

    /** One line of the list of VLANs. */
    record Vlan(int id, String baseName) {
    }

    /**
     * Asks the operating system; some system calls and small files.
     *
     * @throws IOException if it does not say
     */
    public static HostNetwork read() throws IOException {
        return read(PROC_NET);
    }

    static HostNetwork read(Path procNet) throws IOException {
        Map<String, Vlan> vlans = vlans(lines(procNet.resolve("vlan/config")));
        RoutingTable routes = new RoutingTable(lines(procNet.resolve("route")), lines(procNet.resolve("arp")));
        List<LocalInterface> interfaces = new ArrayList<>();
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            interfaces.add(local(network, vlans.get(network.getName())));
        }
        return new HostNetwork(interfaces, routes);
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            // A kernel without VLANs, or without IPv4.
            return List.of();
        }
    }

    /** The lines of /proc/net/vlan/config, "eth0.10 | 10 | eth0", by the name in front. */
    static Map<String, Vlan> vlans(List<String> lines) {
        Map<String, Vlan> vlans = new HashMap<>();
        for (String line : lines) {
            String[] fields = line.split("\\|");
            if (fields.length == 3) {
                vlans.put(fields[0].strip(), new Vlan(Integer.parseInt(fields[1].strip()), fields[2].strip()));
            }
        }
        return vlans;
    }

    private static LocalInterface local(NetworkInterface network, Vlan vlan) throws SocketException {
        List<LocalInterface.Ipv4> ipv4 = new ArrayList<>();
        List<LocalInterface.Ipv6> ipv6 = new ArrayList<>();
        for (InterfaceAddress address : network.getInterfaceAddresses()) {
            if (address.getAddress() instanceof Inet4Address four) {
                ipv4.add(new LocalInterface.Ipv4(Ipv4Math.of(four), address.getNetworkPrefixLength()));
            } else if (address.getAddress() instanceof Inet6Address six) {
                ipv6.add(ipv6(six, address.getNetworkPrefixLength()));
            }
        }
        String name = network.getName();
        return new LocalInterface(name, vlan == null ? name : vlan.baseName(), network.isUp(), vlan == null ? 0 : vlan.id(),
                ipv4, ipv6);
    }

    private static LocalInterface.Ipv6 ipv6(Inet6Address address, int prefixLength) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return new LocalInterface.Ipv6(bytes.getLong(), bytes.getLong(), prefixLength);
    }

    /** The PNETIDs of all interfaces that are up. */
    public Set<PnetId> activeNetworks(PnetTable pnetIds) {
        Set<PnetId> networks = new HashSet<>();
        for (LocalInterface local : interfaces) {
            PnetId id = pnetIds.ofNetwork(local.name(), local.baseName());
            if (local.up() && id.isSet()) {
                networks.add(id);
            }
        }
        return networks;
    }

    /** What is known of a TCP connection between these addresses, of which the first is this host's own. */
    public ConnectionFacts facts(InetAddress local, InetAddress remote, PnetTable pnetIds) {
        LocalInterface egress = egress(local, remote);
        PnetId id = egress == null ? PnetId.NONE : pnetIds.ofNetwork(egress.name(), egress.baseName());
        return new ConnectionFacts(local, egress, id, this);
    }

    /** Packets to an own address stay on the loopback interface; IPv6 is taken to leave where the own address is. */
    private LocalInterface egress(InetAddress local, InetAddress remote) {
        if (owner(remote) != null) {
            return owner(InetAddress.ofLiteral(remote instanceof Inet4Address ? "127.0.0.1" : "::1"));
        }
        if (remote instanceof Inet4Address four) {
            LocalInterface onTheWay = named(routes.networkName(Ipv4Math.of(four)));
            return onTheWay == null ? owner(local) : onTheWay;
        }
        return owner(local);
    }

    private LocalInterface named(String name) {
        for (LocalInterface local : interfaces) {
            if (local.name().equals(name)) {
                return local;
            }
        }
        return null;
    }

    /** The interface that has this address; of the loopback subnet every address is the host's. Null if there is none. */
    private LocalInterface owner(InetAddress address) {
        for (LocalInterface local : interfaces) {
            if (has(local, address)) {
                return local;
            }
        }
        return null;
    }

    private static boolean has(LocalInterface local, InetAddress address) {
        if (address instanceof Inet4Address four) {
            int number = Ipv4Math.of(four);
            return local.ipv4().stream()
                    .anyMatch(own -> own.address() == number || address.isLoopbackAddress() && own.isInSubnet(number));
        }
        LocalInterface.Ipv6 wanted = ipv6((Inet6Address) address, 0);
        return local.ipv6().stream().anyMatch(own -> own.high() == wanted.high() && own.low() == wanted.low());
    }

    @Override
    public Route find(int source, int destination) {
        if (destination == Ipv4Math.NONE) {
            return new Unreachable();
        }
        for (LocalInterface local : interfaces) {
            for (LocalInterface.Ipv4 own : local.ipv4()) {
                if (own.address() == destination) {
                    return new Direct();
                }
            }
        }
        return routes.route(destination);
    }
}
