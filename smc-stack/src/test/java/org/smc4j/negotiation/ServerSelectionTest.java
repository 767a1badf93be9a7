package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcTechnologies;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.clc.IpArea;
import org.smc4j.clc.IsmEntry;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SmcdV2Extension;
import org.smc4j.clc.SystemId;
import org.smc4j.clc.V2Extension;
import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceDevice.GidType;

/** Candidates, the reasons that are remembered, and the terms, by hand; {@link SelectionTableTest} has all combinations. */
@Timeout(10)
class ServerSelectionTest {
    private static final IpArea SAME_SUBNET = new IpArea(Host.address("10.8.0.0"), 24, List.of());

    private final Host server = new Host("10.8.0.2").ueids("SERVER", "COMMON");

    private final List<Eid> ueids = new ArrayList<>(List.of(Eid.ueid("COMMON")));
    private final List<IsmEntry> entries = new ArrayList<>();
    private IsmEntry anchor = IsmEntry.NONE;
    private IpArea area = SAME_SUBNET;
    private Eid seid = Eid.NONE;
    private int release = 1;
    private int maxConnections = 255;
    private int maxLinks = 2;
    private Gid roceGid = Host.gid("10.8.0.1");

    private ClcProposal proposal(ClcTechnologies typeV1, ClcTechnologies typeV2) {
        SmcdV2Extension smcd = typeV2.includesD() ? new SmcdV2Extension(seid, entries) : null;
        V2Extension extension = typeV2 == ClcTechnologies.NONE ? null
                : new V2Extension(ueids, release, !seid.equals(Eid.NONE), roceGid, maxConnections, maxLinks, 0x8001, smcd);
        return new ClcProposal(2, typeV1, typeV2, new SystemId(5), new Gid(1, 1), new Mac(6), anchor,
                typeV1 == ClcTechnologies.NONE ? null : area, extension);
    }

    private ServerSelection selection(ClcProposal proposal) throws DeclineException {
        return new ServerSelection(server.abilities(), server.connection(), Usable.of(server.abilities(), proposal));
    }

    private static ReasonCode refusal(ServerSelection selection) {
        return assertThrows(DeclineException.class, selection::next).reason();
    }

    private ReasonCode unusable(ClcProposal proposal) {
        return assertThrows(DeclineException.class, () -> Usable.of(server.abilities(), proposal)).reason();
    }

    // -- Candidates --

    @Test
    void shouldTryDevicesInTheClientsOrderWhenSeveralMatch() throws DeclineException {
        server.ismDevices.add(Host.ism("three", 3, PnetId.NONE));
        server.ismDevices.add(Host.emulatedIsm("virt", 0xFF01));
        server.ismDevices.add(Host.ism("one", 1, Host.NET));
        server.ismDevices.add(Host.reachingOnly(Host.ism("two", 2, PnetId.NONE), new Gid(0x99, 0)));
        anchor = new IsmEntry(0x11, 1);
        entries.addAll(List.of(new IsmEntry(0x22, 2), new IsmEntry(0x33, 3), new IsmEntry(0x44, 4),
                new IsmEntry(0x55, 0xFF02), new IsmEntry(0x66, 0xFF01), new IsmEntry(0x67, 0xFF01)));
        ServerSelection selection = selection(proposal(ClcTechnologies.SMCD, ClcTechnologies.SMCD));
        List<String> tried = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SmcdChoice choice = assertInstanceOf(SmcdChoice.class, selection.next());
            tried.add(choice.device().name() + " " + choice.peerGid() + " v" + choice.version() + " " + choice.eid());
            selection.failed(i == 0 ? ReasonCode.MAX_DMB : ReasonCode.MEM);
        }
        assertEquals(List.of("one 00000000000000110000000000000000 v2 COMMON", "three 00000000000000330000000000000000 v2 COMMON",
                "virt 00000000000000660000000000000067 v2 COMMON"), tried);
        SmcdChoice v1 = assertInstanceOf(SmcdChoice.class, selection.next());
        assertEquals(1, v1.version());
        assertEquals("one", v1.device().name());
        assertNull(v1.eid());
        selection.failed(ReasonCode.MEM);
        assertEquals(ReasonCode.MAX_DMB, refusal(selection), "the first reason");
    }

    @Test
    void shouldTakeTheFirstLocalDeviceWhenSeveralHaveTheChid() throws DeclineException {
        server.ismDevices.add(Host.reachingOnly(Host.ism("unreachable", 3, PnetId.NONE), new Gid(0x99, 0)));
        server.ismDevices.add(new LocalIsm("old", new Gid(1, 0), 3, false, false, PnetId.NONE, (peer, vlan) -> true));
        server.ismDevices.add(Host.ism("reachable", 3, PnetId.NONE));
        entries.add(new IsmEntry(0x33, 3));
        ServerSelection selection = selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCD));
        assertEquals("reachable", ((SmcdChoice) selection.next()).device().name());
        selection.failed(ReasonCode.MEM);
        assertEquals(ReasonCode.MEM, refusal(selection));
    }

    @Test
    void shouldAskWithTheReservedVlanWhenVersionIs2AndWithTheConnectionsWhenItIs1() throws DeclineException {
        List<Integer> vlans = new ArrayList<>();
        server.vlan = 10;
        server.ismDevices.add(new LocalIsm("ism", new Gid(1, 0), 3, true, true, Host.NET, (peer, vlan) -> {
            vlans.add(vlan);
            return true;
        }));
        anchor = new IsmEntry(0x33, 3);
        ServerSelection selection = selection(proposal(ClcTechnologies.SMCD, ClcTechnologies.SMCD));
        assertEquals(0, ((SmcdChoice) selection.next()).vlan(), "version 2 does not look for VLANs");
        selection.failed(ReasonCode.MEM);
        assertEquals(10, ((SmcdChoice) selection.next()).vlan());
        assertEquals(List.of(0x1FFF, 10), vlans);
    }

    @Test
    void shouldGoOnToSmcRWhenSmcDFailsAndToVersion1WhenVersion2Fails() throws DeclineException {
        server.rnic(GidType.ROCE_V1, GidType.ROCE_V2);
        server.local = "10.8.0.2";
        server.ismDevices.add(Host.ism("ism", 3, PnetId.NONE));
        entries.add(new IsmEntry(0x33, 3));
        ServerSelection selection = selection(proposal(ClcTechnologies.BOTH, ClcTechnologies.BOTH));
        assertInstanceOf(SmcdChoice.class, selection.next());
        selection.failed(ReasonCode.MAX_DMB);
        SmcrChoice v2 = assertInstanceOf(SmcrChoice.class, selection.next());
        assertEquals(new SmcrChoice(2, v2.port(), new SystemId(5), Host.gid("10.8.0.1"), new Mac(6), null, Eid.ueid("COMMON"), 0,
                false, new Terms(1, 255, 2, 1)), v2);
        assertEquals(GidType.ROCE_V2, v2.port().entry().type());
        selection.failed(ReasonCode.ERR_REGBUF);
        SmcrChoice v1 = assertInstanceOf(SmcrChoice.class, selection.next());
        assertEquals(new SmcrChoice(1, v1.port(), new SystemId(5), new Gid(1, 1), new Mac(6), null, null, 0, false,
                Terms.DEFAULT), v1);
        assertEquals(GidType.ROCE_V1, v1.port().entry().type());
        selection.failed(ReasonCode.MEM);
        assertEquals(ReasonCode.MAX_DMB, refusal(selection));
    }

    @Test
    void shouldSeeTheGatewayWhenTheRouteToTheClientsGidHasOne() throws DeclineException {
        server.rnic(GidType.ROCE_V2);
        server.route = new Routes.Gateway(new Mac(9));
        SmcrChoice choice = (SmcrChoice) selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR)).next();
        assertEquals(new Mac(9), choice.gateway());
        assertEquals(new Mac(6), choice.peerMac());
    }

    @Test
    void shouldHaveNoDeviceWhenTheClientsGidCannotBeReached() throws DeclineException {
        server.rnic(GidType.ROCE_V2);
        server.route = new Routes.Unreachable();
        assertEquals(ReasonCode.NOSMCRDEV, refusal(selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR))));
        server.route = new Routes.Direct();
        roceGid = new Gid(0xfe80L << 48, 1);
        assertEquals(ReasonCode.NOSMCRDEV, refusal(selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR))));
        roceGid = new Gid(0, 0x0A08_0001L);
        assertInstanceOf(SmcrChoice.class, selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR)).next());
    }

    // -- EIDs --

    @Test
    void shouldPreferSeidWhenBothHaveTheSame() throws DeclineException {
        seid = new Eid("IBM-SYSZ-ISMSEID00000000ABCD3906");
        server.seid = seid;
        server.seidEnabled = true;
        server.ismDevices.add(Host.ism("ism", 3, PnetId.NONE));
        entries.add(new IsmEntry(0x33, 3));
        assertEquals(seid, selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCD)).next().eid());
        server.seidEnabled = false;
        assertEquals(Eid.ueid("COMMON"), selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCD)).next().eid());
    }

    @Test
    void shouldTakeTheFirstOfTheClientsUeidsWhenSeveralAreKnown() throws DeclineException {
        server.rnic(GidType.ROCE_V2);
        ueids.clear();
        // What a peer sends need not keep to the rules for own UEIDs.
        ueids.addAll(List.of(new Eid("not by the rules"), Eid.ueid("COMMON"), Eid.ueid("SERVER")));
        assertEquals(Eid.ueid("COMMON"), selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR)).next().eid());
        ueids.clear();
        ueids.add(new Eid("common"));
        assertEquals(ReasonCode.NOSMCDEV, refusal(selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR))),
                "case matters");
    }

    @Test
    void shouldFindTheEighthUeidWhenTheClientHasEight() throws DeclineException {
        server.rnic(GidType.ROCE_V2);
        ueids.clear();
        for (int i = 0; i < 7; i++) {
            ueids.add(Eid.ueid("FOREIGN" + i));
        }
        ueids.add(Eid.ueid("SERVER"));
        assertEquals(Eid.ueid("SERVER"), selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR)).next().eid());
    }

    // -- Subnets and the interface --

    @Test
    void shouldCompareIpv6PrefixesWhenTheClientNamesSome() throws DeclineException {
        Host six = new Host("fd00:8::2");
        six.ports.add(Host.port("rxe1", "eth0", "10.8.0.2", Host.NET, GidType.ROCE_V1));
        six.ipv6.add(new LocalInterface.Ipv6(0xfe80L << 48, 2, 64));
        six.ipv6.add(new LocalInterface.Ipv6(0xfd00_0008_0000_0000L, 2, 64));
        IpArea.Ipv6Prefix other = new IpArea.Ipv6Prefix(0xfd00_0009_0000_0000L, 0, 48);
        IpArea.Ipv6Prefix same = new IpArea.Ipv6Prefix(0xfd00_0008_0000_0000L, 0, 64);
        assertInstanceOf(SmcrChoice.class, select(six, new IpArea(0, 0, List.of(other, same))));
        for (IpArea.Ipv6Prefix wrong : List.of(other, new IpArea.Ipv6Prefix(same.high(), 0, 63),
                new IpArea.Ipv6Prefix(0xfd00_0008_0000_0001L, 0, 64), new IpArea.Ipv6Prefix(0xfe80L << 48, 0, 64),
                new IpArea.Ipv6Prefix(same.high(), 0, 255))) {
            assertEquals(ReasonCode.DIFFPREFIX, select(six, new IpArea(Host.address("10.8.0.0"), 24, List.of(wrong))));
        }
    }

    private Object select(Host six, IpArea ipArea) {
        area = ipArea;
        ClcProposal proposal = proposal(ClcTechnologies.SMCR, ClcTechnologies.NONE);
        try {
            return new ServerSelection(six.abilities(), six.connection(), Usable.of(six.abilities(), proposal)).next();
        } catch (DeclineException e) {
            return e.reason();
        }
    }

    @Test
    void shouldCompareAnyAddressOfTheInterfaceWhenTheClientNamesAnIpv4Subnet() {
        Host four = new Host("192.168.0.1").rnic(GidType.ROCE_V1);
        four.ipv4.add(new LocalInterface.Ipv4(Host.address("10.8.0.2"), 24));
        assertInstanceOf(SmcrChoice.class, select(four, SAME_SUBNET));
        assertEquals(ReasonCode.DIFFPREFIX, select(four, new IpArea(Host.address("10.8.0.0"), 25, List.of())));
        assertEquals(ReasonCode.DIFFPREFIX, select(four, new IpArea(Host.address("10.9.0.0"), 24, List.of())));
        assertEquals(ReasonCode.DIFFPREFIX, select(four, new IpArea(0, 0, List.of())));
    }

    @Test
    void shouldDoSmcDv2OnlyWhenTheInterfaceIsNotKnown() throws DeclineException {
        server.rnic(GidType.ROCE_V1, GidType.ROCE_V2);
        server.interfaceKnown = false;
        assertEquals(ReasonCode.GETVLANERR, refusal(selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR))));
        assertEquals(ReasonCode.DIFFPREFIX, refusal(selection(proposal(ClcTechnologies.SMCR, ClcTechnologies.SMCR))));
        server.ismDevices.add(Host.ism("ism", 3, PnetId.NONE));
        assertEquals(ReasonCode.NOSMCD2DEV, refusal(selection(proposal(ClcTechnologies.BOTH, ClcTechnologies.BOTH))));
        entries.add(new IsmEntry(0x33, 3));
        assertInstanceOf(SmcdChoice.class, selection(proposal(ClcTechnologies.BOTH, ClcTechnologies.BOTH)).next());
    }

    @Test
    void shouldRefuseSmcDWhenAVersion1ClientSendsNoAnchor() throws DeclineException {
        server.ismDevices.add(Host.ism("ism", 3, Host.NET));
        ClcProposal proposal = new ClcProposal(1, ClcTechnologies.BOTH, ClcTechnologies.SMCR, new SystemId(5), new Gid(1, 1),
                new Mac(6), null, area, null);
        assertEquals(ReasonCode.NOSMCDDEV, refusal(selection(proposal)));
        server.rnic(GidType.ROCE_V1);
        assertEquals(1, selection(proposal).next().version());
    }

    @Test
    void shouldBehaveAsWithoutDeviceWhenATechnologyIsSwitchedOff() throws DeclineException {
        server.rnic(GidType.ROCE_V1, GidType.ROCE_V2);
        server.ismDevices.add(Host.ism("ism", 3, Host.NET));
        entries.add(new IsmEntry(0x33, 3));
        server.technologies.clear();
        assertEquals(ReasonCode.NOISM2SUPP, unusable(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCD)));
        assertEquals(ReasonCode.NOSMCDDEV, refusal(selection(proposal(ClcTechnologies.SMCD, ClcTechnologies.NONE))));
        assertEquals(ReasonCode.NOSMCRDEV, refusal(selection(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR))));
        assertEquals(ReasonCode.NOSMCDEV, refusal(selection(proposal(ClcTechnologies.SMCR, ClcTechnologies.NONE))));
        for (Technology technology : Technology.values()) {
            server.technologies.add(technology);
            Choice choice = selection(proposal(ClcTechnologies.BOTH, ClcTechnologies.BOTH)).next();
            assertEquals(technology.name(), (choice instanceof SmcdChoice ? "SMCD_V" : "SMCR_V") + choice.version());
            server.technologies.clear();
        }
    }

    // -- Terms --

    @Test
    void shouldTakeTheSmallerLimitsAndTheLowerReleaseWhenOffered() throws DeclineException {
        server.rnic(GidType.ROCE_V2);
        server.maxConnections = 100;
        server.featureMask = 0x4001;
        ClcTechnologies r = ClcTechnologies.SMCR;
        ClcTechnologies none = ClcTechnologies.NONE;
        release = 15;
        assertEquals(new Terms(1, 100, 2, 0x4001), selection(proposal(none, r)).next().terms(), "all of the server's features");
        maxConnections = 16;
        maxLinks = 1;
        assertEquals(new Terms(1, 16, 1, 0x4001), selection(proposal(none, r)).next().terms());
        release = 0;
        maxConnections = 0;
        maxLinks = 0;
        assertEquals(new Terms(0, 255, 2, 0), selection(proposal(none, r)).next().terms(), "release 0 negotiates nothing");
        release = 1;
        server.release = 0;
        assertEquals(new Terms(0, 255, 2, 0), selection(proposal(none, r)).next().terms());
    }

    @Test
    void shouldRefuseLimitsThatNoLinkGroupHasWhenSmcRv2IsUsable() throws DeclineException {
        server.rnic(GidType.ROCE_V2);
        maxConnections = 15;
        maxLinks = 0;
        assertEquals(ReasonCode.MAXCONNERR, unusable(proposal(ClcTechnologies.NONE, ClcTechnologies.SMCR)));
        maxConnections = 16;
        assertEquals(ReasonCode.MAXLINKERR, unusable(proposal(ClcTechnologies.BOTH, ClcTechnologies.BOTH)));
        ueids.clear();
        server.ismDevices.add(Host.ism("ism", 3, PnetId.NONE));
        entries.add(new IsmEntry(0x33, 3));
        seid = new Eid("IBM-SYSZ-ISMSEID00000000ABCD3906");
        server.seid = seid;
        server.seidEnabled = true;
        assertEquals(new Terms(1, 255, 2, 1), selection(proposal(ClcTechnologies.NONE, ClcTechnologies.BOTH)).next().terms(),
                "SMC-D has no limits");
    }

    @Test
    void shouldSayThatThePeerHasNoSmcWhenAProposalOffersNothing() {
        assertEquals(ReasonCode.PEERNOSMC, unusable(proposal(ClcTechnologies.NONE, ClcTechnologies.NONE)));
    }
}
