package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcTechnologies;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.clc.IpArea;
import org.smc4j.clc.IsmEntry;
import org.smc4j.clc.Mac;
import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceDevice.GidType;

@Timeout(10)
class OfferTest {
    private static final PnetId ELSEWHERE = new PnetId("ELSEWHERE");

    private final Host host = new Host();

    private List<String> namesOffered() throws DeclineException {
        return host.offer().ismV2().stream().map(LocalIsm::name).toList();
    }

    private List<IsmEntry> entries() throws DeclineException {
        return host.offer().proposal().v2Extension().smcd().entries();
    }

    private ReasonCode refusal() {
        return assertThrows(DeclineException.class, host::offer).reason();
    }

    // -- ISM devices --

    @Test
    void shouldPreferLoopbackThenDevicesWithoutPnetIdWhenManyAreThere() throws DeclineException {
        host.ismDevices.add(Host.ism("pnet", 1, Host.NET));
        host.ismDevices.add(Host.ism("free1", 2, PnetId.NONE));
        host.ismDevices.add(Host.ism("elsewhere", 3, ELSEWHERE));
        host.ismDevices.add(Host.ism("free2", 4, PnetId.NONE));
        host.ismDevices.add(Host.emulatedIsm("lo", 0xFFFF));
        host.activeNetworks.add(ELSEWHERE);
        host.pnetId = PnetId.NONE;
        assertEquals(List.of("lo", "free1", "free2", "pnet", "elsewhere"), namesOffered());
    }

    @Test
    void shouldOfferDevicesOfNetworksThatAreUpOnlyWhenTheyHaveAPnetId() throws DeclineException {
        host.ismDevices.add(Host.ism("elsewhere", 3, ELSEWHERE));
        assertEquals(ReasonCode.NOSMCDEV, refusal());
        host.activeNetworks.add(ELSEWHERE);
        assertEquals(List.of("elsewhere"), namesOffered());
        assertNull(host.offer().ismV1(), "version 1 is for the network of the connection");
    }

    @Test
    void shouldNotRepeatTheDeviceOfTheAnchorWhenItIsAlsoOfferedWithVersion2() throws DeclineException {
        host.ismDevices.add(Host.ism("pnet", 1, Host.NET));
        host.ismDevices.add(Host.ism("free", 2, PnetId.NONE));
        ClcProposal proposal = host.offer().proposal();
        assertEquals(ClcTechnologies.SMCD, proposal.v1());
        assertEquals(ClcTechnologies.SMCD, proposal.v2());
        assertEquals(new IsmEntry(0x5001, 1), proposal.ismV1());
        assertEquals(List.of(new IsmEntry(0x5002, 2)), entries());
    }

    @Test
    void shouldOfferVersion2WithoutEntriesWhenTheAnchorIsTheOnlyDevice() throws DeclineException {
        host.ismDevices.add(Host.ism("pnet", 1, Host.NET));
        assertEquals(ClcTechnologies.SMCD, host.offer().proposal().v2());
        assertEquals(List.of(), entries());
        assertEquals("pnet", host.offer().deviceOffered(1).name());
    }

    @Test
    void shouldNotOfferVersion2WhenTheOnlyDeviceHasNoChid() throws DeclineException {
        host.ismDevices.add(Host.ism("pnet", 0, Host.NET));
        assertEquals(ClcTechnologies.SMCD, host.offer().proposal().v1());
        assertEquals(ClcTechnologies.NONE, host.offer().proposal().v2());
    }

    @Test
    void shouldOfferEachChidOnceWhenDevicesShareOne() throws DeclineException {
        host.ismDevices.add(Host.ism("pnet", 1, Host.NET));
        host.ismDevices.add(Host.ism("sameAsAnchor", 1, PnetId.NONE));
        host.ismDevices.add(Host.ism("first", 2, PnetId.NONE));
        host.ismDevices.add(Host.ism("second", 2, PnetId.NONE));
        assertEquals(List.of("first"), namesOffered());
    }

    @Test
    void shouldGiveEmulatedDevicesTwoEntriesWhenOffered() throws DeclineException {
        host.ismDevices.add(Host.emulatedIsm("virt", 0xFF01));
        host.ismDevices.add(Host.ism("native", 2, PnetId.NONE));
        assertEquals(List.of(new IsmEntry(0x1DF01, 0xFF01), new IsmEntry(0xFF01, 0xFF01), new IsmEntry(0x5002, 2)), entries());
    }

    @Test
    void shouldOfferEightNativeDevicesBesideTheAnchorWhenThereAreMore() throws DeclineException {
        host.ismDevices.add(Host.ism("anchor", 100, Host.NET));
        IntStream.range(1, 12).forEach(i -> host.ismDevices.add(Host.ism("free" + i, i, PnetId.NONE)));
        assertEquals(IntStream.range(1, 9).mapToObj(i -> "free" + i).toList(), namesOffered());
        assertEquals("anchor", host.offer().ismV1().name());
    }

    @Test
    void shouldSkipEmulatedDeviceButNotTheNextWhenOnlyOneEntryIsLeft() throws DeclineException {
        IntStream.range(1, 8).forEach(i -> host.ismDevices.add(Host.ism("free" + i, i, PnetId.NONE)));
        host.ismDevices.add(Host.emulatedIsm("virt", 0xFF01));
        host.ismDevices.add(Host.ism("last", 8, PnetId.NONE));
        assertEquals(List.of("free1", "free2", "free3", "free4", "free5", "free6", "free7", "last"), namesOffered());
        assertEquals(8, entries().size());
    }

    @Test
    void shouldOfferFourEmulatedDevicesWhenThereAreMore() throws DeclineException {
        IntStream.range(0, 5).forEach(i -> host.ismDevices.add(Host.emulatedIsm("virt" + i, 0xFF00 + i)));
        assertEquals(List.of("virt0", "virt1", "virt2", "virt3"), namesOffered());
        assertEquals(8, entries().size());
    }

    @Test
    void shouldNotOfferEmulatedDeviceWithVersion1WhenItHasThePnetIdOfTheConnection() throws DeclineException {
        host.ismDevices.add(Host.emulatedIsm("virt", 0xFF01).in(Host.NET));
        assertEquals(ClcTechnologies.NONE, host.offer().proposal().v1());
        assertEquals(List.of("virt"), namesOffered());
    }

    @Test
    void shouldOfferNoVersion1DeviceWhenItCannotRegisterTheVlan() throws DeclineException {
        host.ismDevices.add(new LocalIsm("pnet", new Gid(5, 0), 1, true, false, Host.NET, (peer, vlan) -> true));
        assertEquals(ClcTechnologies.SMCD, host.offer().proposal().v1());
        host.vlan = 10;
        assertEquals(ClcTechnologies.NONE, host.offer().proposal().v1());
        assertEquals(List.of("pnet"), namesOffered(), "then it is not the anchor");
    }

    @Test
    void shouldOfferVersion1OnlyWhenNoDeviceIsCapableOfVersion2() throws DeclineException {
        host.ismDevices.add(new LocalIsm("old", new Gid(5, 0), 1, false, true, Host.NET, (peer, vlan) -> true));
        assertEquals(ClcTechnologies.NONE, host.offer().proposal().v2());
        assertEquals(new IsmEntry(5, 1), host.offer().proposal().ismV1());
    }

    // -- IP area --

    @Test
    void shouldNameTheSubnetOfTheLocalAddressWhenInterfaceHasMore() throws DeclineException {
        host.rnic(GidType.ROCE_V1);
        host.ipv4.addFirst(new LocalInterface.Ipv4(Host.address("192.168.5.6"), 16));
        assertEquals(new IpArea(Host.address("10.8.0.0"), 24, List.of()), host.offer().proposal().ipArea());
    }

    @Test
    void shouldNameTheFirstEightPrefixesWithoutLinkLocalOnesWhenOverIpv6() throws DeclineException {
        Host six = new Host("fd00::1").rnic(GidType.ROCE_V1);
        six.ipv6.add(new LocalInterface.Ipv6(0xfe80L << 48, 1, 64));
        six.ipv6.add(new LocalInterface.Ipv6(0xfebfL << 48, 1, 64));
        IntStream.range(0, 10).forEach(i -> six.ipv6.add(new LocalInterface.Ipv6(0xfd00_0000_0000_0000L + i, -1, 68)));
        IpArea area = six.offer().proposal().ipArea();
        assertEquals(IntStream.range(0, 8)
                .mapToObj(i -> new IpArea.Ipv6Prefix(0xfd00_0000_0000_0000L + i, 0xFL << 60, 68)).toList(), area.ipv6Prefixes());
        assertEquals(0, area.ipv4Subnet());
        assertEquals(0, area.ipv4PrefixLength());
    }

    @Test
    void shouldOfferVersion2OnlyWhenInterfaceHasNoAddressForTheIpArea() throws DeclineException {
        host.rnic(GidType.ROCE_V1, GidType.ROCE_V2).ueids("ONE");
        host.ismDevices.add(new LocalIsm("pnet", new Gid(0x55FF, 0), 1, true, true, Host.NET, (peer, vlan) -> true));
        host.ipv4.clear();
        ClcProposal proposal = host.offer().proposal();
        assertEquals(ClcTechnologies.NONE, proposal.v1());
        assertEquals(ClcTechnologies.BOTH, proposal.v2());
        assertEquals(IsmEntry.NONE, proposal.ismV1(), "the low byte of its GID would be read as a count");
        assertEquals(List.of(new IsmEntry(0x55FF, 1)), entries());
        assertEquals(host.systemId, proposal.systemId());
        assertEquals(Mac.NONE, proposal.mac());
    }

    @Test
    void shouldFallBackWithConfigurationErrorWhenOnlyVersion1CouldBeOfferedAndThereIsNoAddress() {
        host.rnic(GidType.ROCE_V1);
        host.ipv4.clear();
        assertEquals(ReasonCode.CNFERR, refusal());
    }

    // -- SMC-R --

    @Test
    void shouldFillTheFieldsOfSmcRWhenVersion1OffersIt() throws DeclineException {
        host.rnic(GidType.ROCE_V1);
        ClcProposal proposal = host.offer().proposal();
        assertEquals(host.systemId, proposal.systemId());
        assertEquals(Host.gid("10.8.0.1"), proposal.roceGid());
        assertEquals(host.ports.getFirst().port().mac(), proposal.mac());
        assertNull(proposal.v2Extension());
    }

    @Test
    void shouldTellTheJvmsOfAHostApartAlsoWhenOnlyVersion2IsOffered() throws DeclineException {
        host.rnic(GidType.ROCE_V2);
        host.ueids("ONE");
        ClcProposal proposal = host.offer().proposal();
        assertEquals(ClcTechnologies.SMCR, proposal.v2());
        assertEquals(host.systemId, proposal.systemId());
        assertEquals(Mac.NONE, proposal.mac());
    }

    @Test
    void shouldOfferSmcRv2OnlyWhenIpv4AndUeidAndGidInSubnetAreThere() throws DeclineException {
        host.rnic(GidType.ROCE_V2);
        assertEquals(ReasonCode.NOSMCDEV, refusal(), "no UEID");
        host.ueids("ONE");
        host.maxConnections = 33;
        host.maxLinks = 1;
        ClcProposal proposal = host.offer().proposal();
        assertEquals(ClcTechnologies.SMCR, proposal.v2());
        assertEquals(Host.gid("10.8.0.1"), proposal.v2Extension().roceGid());
        assertEquals(33, proposal.v2Extension().maxConnections());
        assertEquals(1, proposal.v2Extension().maxLinks());
        assertEquals(List.of(Eid.ueid("ONE")), proposal.v2Extension().ueids());
        host.local = "10.9.0.1";
        assertEquals(ReasonCode.NOSMCDEV, refusal(), "the GID is in another subnet");
        host.local = "fd00::1";
        host.ipv6.add(new LocalInterface.Ipv6(0xfd00L << 48, 1, 64));
        assertEquals(ReasonCode.NOSMCDEV, refusal(), "IPv6");
    }

    @Test
    void shouldTakeFirstActivePortOfTheNetworkWhenThereAreMore() throws DeclineException {
        LocalPort down = Host.port("down", "eth9", "10.8.0.9", Host.NET, GidType.ROCE_V1);
        host.ports.add(Host.port("elsewhere", "eth0", "10.8.0.1", ELSEWHERE, GidType.ROCE_V1));
        host.ports.add(new LocalPort("down", new RoceDevice.Port(1, false, 5, Mac.NONE, down.port().gids()), Host.NET));
        host.ports.add(Host.port("v2only", "eth8", "10.8.0.8", Host.NET, GidType.ROCE_V2));
        host.ports.add(Host.port("right", "eth7", "10.8.0.7", Host.NET, GidType.ROCE_V1));
        assertEquals("right", host.offer().portV1().port().device());
    }

    @Test
    void shouldTakeTheRnicOfTheBaseDeviceWhenConnectionHasNoPnetId() throws DeclineException {
        host.pnetId = PnetId.NONE;
        host.interfaceName = "eth0.10";
        host.ports.add(Host.port("other", "eth1", "10.8.0.1", PnetId.NONE, GidType.ROCE_V1));
        host.ports.add(Host.port("attached", "eth0", "10.8.0.1", PnetId.NONE, GidType.ROCE_V1));
        assertEquals("attached", host.offer().portV1().port().device());
    }

    @Test
    void shouldTakeTheGidOfTheVlanWhenConnectionHasOne() throws DeclineException {
        RoceDevice.GidEntry untagged = new RoceDevice.GidEntry(0, GidType.ROCE_V1, Host.gid("10.8.0.1"), "eth0", 24, 0);
        RoceDevice.GidEntry tagged = new RoceDevice.GidEntry(1, GidType.ROCE_V1, Host.gid("10.8.1.1"), "eth0.10", 24, 10);
        host.ports.add(new LocalPort("rxe0", new RoceDevice.Port(1, true, 5, Mac.NONE, List.of(untagged, tagged)), Host.NET));
        assertEquals(0, host.offer().portV1().entry().index());
        host.vlan = 10;
        assertEquals(1, host.offer().portV1().entry().index());
        host.vlan = 11;
        assertEquals(ReasonCode.NOSMCDEV, refusal());
    }

    @Test
    void shouldFindAnotherRnicOfTheNetworkWhenSecondLinkIsWanted() {
        host.rnic(GidType.ROCE_V2);
        PortGid used = PortChoice.v2(host.abilities(), host.connection());
        host.ports.add(new LocalPort("rxe0", new RoceDevice.Port(2, true, 5, Mac.NONE, used.port().port().gids()), Host.NET));
        host.ports.add(Host.port("rxe1", "eth1", "10.9.0.1", Host.NET, GidType.ROCE_V2));
        host.ports.add(Host.port("rxe2", "eth2", "10.8.0.3", ELSEWHERE, GidType.ROCE_V2));
        host.ports.add(Host.port("rxe3", "eth3", "10.8.0.4", Host.NET, GidType.ROCE_V1));
        assertNull(PortChoice.alternate(host.ports, used, Host.address("10.8.0.1")));
        host.ports.add(Host.port("rxe4", "eth4", "10.8.0.5", Host.NET, GidType.ROCE_V2));
        assertEquals("rxe4", PortChoice.alternate(host.ports, used, Host.address("10.8.0.1")).port().device());
        PortGid withoutNetwork = new PortGid(new LocalPort("rxe9", used.port().port(), PnetId.NONE), used.entry());
        assertNull(PortChoice.alternate(host.ports, withoutNetwork, Host.address("10.8.0.1")));
    }

    // -- Interface, EIDs, switches --

    @Test
    void shouldOfferSmcDv2OnlyWhenTheInterfaceIsNotKnown() throws DeclineException {
        host.rnic(GidType.ROCE_V1, GidType.ROCE_V2).ueids("ONE");
        host.interfaceKnown = false;
        assertEquals(ReasonCode.GETVLANERR, refusal());
        host.ismDevices.add(Host.emulatedIsm("virt", 0xFF01));
        assertEquals(ClcTechnologies.NONE, host.offer().proposal().v1());
        assertEquals(ClcTechnologies.SMCD, host.offer().proposal().v2());
    }

    @Test
    void shouldOfferSeidWithSmcDOnlyWhenEnabled() throws DeclineException {
        host.seid = new Eid("IBM-SYSZ-ISMSEID00000000ABCD3906");
        host.seidEnabled = true;
        host.rnic(GidType.ROCE_V2).ueids("ONE");
        assertTrue(host.offer().proposal().v2Extension().smcd() == null && !host.offer().proposal().v2Extension().seidUsable());
        host.ismDevices.add(Host.ism("free", 1, PnetId.NONE));
        assertTrue(host.offer().proposal().v2Extension().seidUsable());
        assertEquals(host.seid, host.offer().proposal().v2Extension().smcd().seid());
        host.seidEnabled = false;
        assertTrue(!host.offer().proposal().v2Extension().seidUsable());
        assertEquals(Eid.NONE, host.offer().proposal().v2Extension().smcd().seid());
    }

    @Test
    void shouldLeaveOutWhatIsSwitchedOffWhenOffering() throws DeclineException {
        host.rnic(GidType.ROCE_V1, GidType.ROCE_V2).ueids("ONE");
        host.ismDevices.add(Host.ism("pnet", 1, Host.NET));
        assertEquals(ClcTechnologies.BOTH, host.offer().proposal().v1());
        assertEquals(ClcTechnologies.BOTH, host.offer().proposal().v2());
        host.technologies.remove(Technology.SMCD_V1);
        host.technologies.remove(Technology.SMCR_V2);
        assertEquals(ClcTechnologies.SMCR, host.offer().proposal().v1());
        assertEquals(ClcTechnologies.SMCD, host.offer().proposal().v2());
        host.technologies.remove(Technology.SMCR_V1);
        host.technologies.remove(Technology.SMCD_V2);
        assertEquals(ReasonCode.NOSMCDEV, refusal());
    }

    @Test
    void shouldCheckLimitsOfAbilitiesWhenMade() {
        for (int[] wrong : new int[][] {{15, 2, 1}, {256, 2, 1}, {255, 0, 1}, {255, 3, 1}, {255, 2, 2}}) {
            host.maxConnections = wrong[0];
            host.maxLinks = wrong[1];
            host.release = wrong[2];
            assertThrows(IllegalArgumentException.class, host::abilities);
        }
    }
}
