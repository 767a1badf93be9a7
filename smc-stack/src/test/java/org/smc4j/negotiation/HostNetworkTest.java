package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.smc4j.clc.Mac;

@Timeout(10)
class HostNetworkTest {
    private static final List<String> ROUTES = """
            Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
            eth0	00000000	FE00080A	0003	0	0	100	00000000	0	0	0
            eth1	00000000	0100090A	0003	0	0	50	00000000	0	0	0
            eth0	0000080A	00000000	0001	0	0	100	00FFFFFF	0	0	0
            eth1	0000090A	00000000	0001	0	0	0	00FFFFFF	0	0	0
            eth0	00010A0A	FD00080A	0003	0	0	0	00FFFFFF	0	0	0
            *	0000A8C0	00000000	0201	0	0	0	0000FFFF	0	0	0
            eth1	00010B0A	0100090A	0002	0	0	0	00FFFFFF	0	0	0
            """.lines().toList();
    private static final List<String> NEIGHBOURS = """
            IP address       HW type     Flags       HW address            Mask     Device
            10.8.0.253       0x1         0x2         de:ad:be:ef:00:01     *        eth0
            10.9.0.1         0x1         0x2         de:ad:be:ef:00:02     *        eth1
            10.8.0.254       0x1         0x0         00:00:00:00:00:00     *        eth0
            10.8.0.9         0x20        0x2         80:00:00:48:fe:80:00:00:00:00:00:00:00:02:c9:03:00:00:00:01  *  ib0
            """.lines().toList();
    private static final List<String> VLANS = """
            VLAN Dev name	 | VLAN ID
            Name-Type: VLAN_NAME_TYPE_RAW_PLUS_VID_NO_PAD
            eth0.10        | 10  | eth0
            office         | 4094  | eth1
            """.lines().toList();

    private final HostNetwork network = new HostNetwork(List.of(
            new LocalInterface("lo", "lo", true, 0, List.of(ipv4("127.0.0.1", 8)), List.of(new LocalInterface.Ipv6(0, 1, 128))),
            new LocalInterface("eth0", "eth0", true, 0, List.of(ipv4("10.8.0.1", 24)),
                    List.of(new LocalInterface.Ipv6(0xfd00_0008_0000_0000L, 1, 64))),
            new LocalInterface("eth0.10", "eth0", true, 10, List.of(ipv4("10.12.0.1", 16)), List.of()),
            new LocalInterface("eth1", "eth1", false, 0, List.of(ipv4("10.9.0.2", 24)), List.of())),
            new RoutingTable(ROUTES, NEIGHBOURS));

    private static LocalInterface.Ipv4 ipv4(String address, int prefixLength) {
        return new LocalInterface.Ipv4(Host.address(address), prefixLength);
    }

    private Routes.Route to(String address) {
        return network.find(Host.address("10.8.0.1"), Host.address(address));
    }

    @Test
    void shouldFollowLongestPrefixThenLowestMetricWhenRouteIsLookedUp() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the text is of such a host");
        assertEquals(new Routes.Direct(), to("10.8.0.77"));
        assertEquals(new Routes.Gateway(new Mac(0xDEAD_BEEF_0001L)), to("10.10.1.5"), "network route");
        assertEquals(new Routes.Gateway(new Mac(0xDEAD_BEEF_0002L)), to("8.8.8.8"), "default route of lower metric");
        assertEquals(new Routes.Gateway(new Mac(0xDEAD_BEEF_0002L)), to("10.11.1.5"), "the better route is down");
        assertEquals(new Routes.Unreachable(), to("192.168.3.4"), "rejected");
        assertEquals(new Routes.Direct(), to("10.9.0.2"), "own address");
        assertEquals(new Routes.Unreachable(), to("0.0.0.0"));
    }

    @Test
    void shouldKnowGatewayWithoutMacWhenNeighbourIsNotResolved() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the text is of such a host");
        RoutingTable onlyOne = new RoutingTable(ROUTES.subList(0, 2), NEIGHBOURS);
        assertEquals(new Routes.Gateway(Mac.NONE), onlyOne.route(Host.address("8.8.8.8")));
        assertEquals(new Routes.Unreachable(), new RoutingTable(List.of(), List.of()).route(Host.address("8.8.8.8")));
    }

    @Test
    void shouldFindVlansWhenListed() {
        assertEquals(Map.of("eth0.10", new HostNetwork.Vlan(10, "eth0"), "office", new HostNetwork.Vlan(4094, "eth1")),
                HostNetwork.vlans(VLANS));
    }

    private String egress(String local, String remote) {
        LocalInterface found = network.facts(InetAddress.ofLiteral(local), InetAddress.ofLiteral(remote),
                new PnetTable(PnetTable.Hardware.NONE)).localInterface();
        return found == null ? null : found.name();
    }

    @Test
    void shouldFindInterfaceOfConnectionWhenAddressesAreKnown() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the text is of such a host");
        assertEquals("eth0", egress("10.8.0.1", "10.8.0.2"));
        assertEquals("eth1", egress("10.8.0.1", "8.8.8.8"), "the way out counts, not the address");
        assertEquals("lo", egress("10.8.0.1", "10.9.0.2"), "to itself");
        assertEquals("lo", egress("127.0.0.1", "127.0.0.9"));
        assertEquals("lo", egress("::1", "::1"));
        assertEquals("eth0", egress("fd00:8::1", "fd00:8::2"));
        assertEquals("eth0.10", egress("10.12.0.1", "192.168.0.1"), "no route: where the address is");
        assertNull(egress("10.99.0.1", "192.168.0.1"));
    }

    @Test
    void shouldKnowPhysicalNetworksWhenTableNamesBaseDevice() {
        PnetTable table = new PnetTable(PnetTable.Hardware.NONE);
        table.add("NET1", "eth0", null, 1);
        table.add("DOWN", "eth1", null, 1);
        assertEquals(Set.of(new PnetId("NET1")), network.activeNetworks(table));
        ConnectionFacts facts = network.facts(InetAddress.ofLiteral("10.12.0.1"), InetAddress.ofLiteral("192.168.0.1"), table);
        assertEquals(new PnetId("NET1"), facts.pnetId());
        assertEquals(10, facts.vlan());
    }

    @Test
    void shouldReadThisHostWhenAsked(@TempDir Path procNet) throws IOException {
        Files.write(procNet.resolve("route"), ROUTES);
        HostNetwork here = HostNetwork.read(procNet);
        ConnectionFacts facts = here.facts(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("127.0.0.1"),
                new PnetTable(PnetTable.Hardware.NONE));
        assertNotNull(facts.localInterface());
        assertEquals(List.of(ipv4("127.0.0.1", 8)), facts.localInterface().ipv4().subList(0, 1));
        assertEquals(0, facts.vlan());
        assertEquals(new Routes.Direct(), HostNetwork.read().find(0, Host.address("127.0.0.1")));
    }
}
