package org.smc4j.negotiation;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Hostname;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.roce.Gids;
import org.smc4j.roce.RoceDevice;

/** A host of a test and its connection: 10.8.0.1/24 on eth0 in NET1, without devices and EIDs until the test adds some. */
final class Host {
    static final PnetId NET = new PnetId("NET1");
    static final int MTU_4096 = 5;

    final Set<Technology> technologies = EnumSet.allOf(Technology.class);
    final List<Eid> ueids = new ArrayList<>();
    final List<LocalIsm> ismDevices = new ArrayList<>();
    final List<LocalPort> ports = new ArrayList<>();
    final Set<PnetId> activeNetworks = new HashSet<>(Set.of(NET));
    final List<LocalInterface.Ipv4> ipv4 = new ArrayList<>();
    final List<LocalInterface.Ipv6> ipv6 = new ArrayList<>();
    SystemId systemId = new SystemId(0x0102_0304_0506_0708L);
    Eid seid = Eid.NONE;
    boolean seidEnabled;
    int maxConnections = 255;
    int maxLinks = 2;
    int release = 1;
    int featureMask = 1;
    String hostname = "vm1";
    String local;
    String interfaceName = "eth0";
    String baseName = "eth0";
    int vlan;
    PnetId pnetId = NET;
    boolean interfaceKnown = true;
    Routes.Route route = new Routes.Direct();

    Host(String local) {
        this.local = local;
        if (InetAddress.ofLiteral(local) instanceof Inet4Address) {
            ipv4.add(new LocalInterface.Ipv4(address(local), 24));
        }
    }

    Host() {
        this("10.8.0.1");
    }

    static int address(String text) {
        return Ipv4Math.of((Inet4Address) InetAddress.ofLiteral(text));
    }

    static Gid gid(String ipv4) {
        return Gids.ofIpv4(address(ipv4));
    }

    Host ueids(String... texts) {
        for (String text : texts) {
            ueids.add(Eid.ueid(text));
        }
        return this;
    }

    /** A native device, which reaches everybody. */
    static LocalIsm ism(String name, int chid, PnetId network) {
        return new LocalIsm(name, new Gid(0x5000L + chid, 0), chid, true, true, network, (peer, vlan) -> true);
    }

    static LocalIsm emulatedIsm(String name, int chid) {
        return new LocalIsm(name, new Gid(0xE000L + chid, chid), chid, true, false, PnetId.NONE, (peer, vlan) -> true);
    }

    static LocalIsm reachingOnly(LocalIsm device, Gid... peers) {
        List<Gid> reachable = List.of(peers);
        return new LocalIsm(device.name(), device.gid(), device.chid(), device.v2Capable(), device.vlanCapable(),
                device.pnetId(), (peer, vlan) -> reachable.contains(peer));
    }

    /** A port with one GID of each of these types, made of an address of its network interface. */
    static LocalPort port(String device, String networkName, String ipv4, PnetId network, RoceDevice.GidType... types) {
        List<RoceDevice.GidEntry> gids = new ArrayList<>();
        for (RoceDevice.GidType type : types) {
            gids.add(new RoceDevice.GidEntry(gids.size(), type, gid(ipv4), networkName, 24, 0));
        }
        return new LocalPort(device, new RoceDevice.Port(1, true, MTU_4096, new Mac(0xA268_B0C4_0895L), gids), network);
    }

    Host rnic(RoceDevice.GidType... types) {
        ports.add(port("rxe0", "eth0", "10.8.0.1", NET, types));
        return this;
    }

    LocalAbilities abilities() {
        return new LocalAbilities(technologies, systemId, new LocalEids(ueids, seid, seidEnabled), ismDevices, ports,
                activeNetworks, maxConnections, maxLinks, release, featureMask, Hostname.of(hostname));
    }

    ConnectionFacts connection() {
        LocalInterface egress = new LocalInterface(interfaceName, baseName, true, vlan, ipv4, ipv6);
        Routes routes = (source, destination) -> destination == 0 ? new Routes.Unreachable() : route;
        return new ConnectionFacts(InetAddress.ofLiteral(local), interfaceKnown ? egress : null,
                interfaceKnown ? pnetId : PnetId.NONE, routes);
    }

    Offer offer() throws DeclineException {
        return Offer.of(abilities(), connection());
    }
}
