package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcTechnologies;
import org.smc4j.diag.ReasonCode;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.clc.IpArea;
import org.smc4j.clc.IsmEntry;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SmcdV2Extension;
import org.smc4j.clc.SystemId;
import org.smc4j.clc.V2Extension;
import org.smc4j.roce.RoceDevice.GidType;

/**
 * Each client offer × each server ability → expected choice or reason. What is expected is written down here from the tables of
 * spec/10-clc.md §9 and §8, as text, and shares nothing with the code.
 */
@Timeout(20)
class SelectionTableTest {
    private static final Eid SEID = new Eid("IBM-SYSZ-ISMSEID00000000ABCD3906");

    // -- The server --

    /** Version, types offered (N none, R, D, B both), EIDs, devices, subnet, RNICs. */
    private static final List<List<String>> SERVER_COLUMNS = columns(
            "1 2",                                  // version of the Proposal
            "N R D B",                              // typev1
            "N R D B",                              // typev2
            "none foreign common seid foreignSeid", // no UEID and no SEID flag; a UEID unknown or known here; SEID equal or not
            "none nomatch match",                   // no ISM device capable of v2; none that reaches one offered; one that does
            "no yes",                               // ISM device of the connection's PNETID that reaches the anchor's GID
            "same diff",                            // subnet
            "no yes",                               // RNIC with a RoCE v2 GID
            "no yes");                              // RNIC with a RoCE v1 GID

    private static final String SERVER_TABLE = """
            # v t1  t2  EIDs                        D v2         D v1 subnet R v2 R v1
            # The order of choice: D v2, D v1, R v2, R v1. D v2 knows nothing of subnets. A version-1 Proposal has no v2 types.
              2 *   D,B common,seid                 match        *    *    *    *    -> SMCD_V2
              * D,B *   *                           *            yes  same *    *    -> SMCD_V1
              2 *   R,B common                      *            *    *    yes  *    -> SMCR_V2
              * R,B *   *                           *            *    same *    yes  -> SMCR_V1

            # Nothing usable at all (step 0): only v2 is offered, and ...
              2 N   D   *                           none         *    *    *    *    -> NOISM2SUPP
              2 N   D   none                        *            *    *    *    *    -> NOUEID
              2 N   R   none,seid,foreignSeid       *            *    *    *    *    -> NOUEID
              2 N   B   none                        *            *    *    *    *    -> NOUEID
              2 N   B   seid,foreignSeid            none         *    *    *    *    -> NOUEID

            # Only v2 is offered, so there is no IP area. Devices that do not match are remembered, EIDs that do not are not.
              2 N   D,B seid,foreignSeid,foreign,common nomatch  *    *    *    *    -> NOSMCD2DEV
              2 N   D   foreign,foreignSeid         match        *    *    *    *    -> NOSMCDDEV
              2 N   R   common                      *            *    *    no   *    -> NOSMCRDEV
              2 N   B   common                      none         *    *    no   *    -> NOSMCRDEV
              2 N   R,B *                           *            *    *    *    *    -> NOSMCDEV

            # Another subnet. With R offered in any version the check of the prefix is what the client is told ...
              * R,B *   *                           *            *    diff *    *    -> DIFFPREFIX
              2 D   R,B *                           *            *    diff *    *    -> DIFFPREFIX
            # ... with D alone the first reason.
              2 D   D   foreign,common,seid,foreignSeid nomatch  *    diff *    *    -> NOSMCD2DEV
              * D   *   *                           *            *    diff *    *    -> DIFFPREFIX

            # The same subnet: the first reason.
              2 *   D,B foreign,common,seid,foreignSeid nomatch  *    same *    *    -> NOSMCD2DEV
              * D,B *   *                           *            no   same *    *    -> NOSMCDDEV
              2 R   R,B common                      *            *    same no   no   -> NOSMCRDEV
              * R   *   *                           *            *    same *    no   -> NOSMCDEV
            """;

    @Test
    void shouldChooseOrRefuseAsTheTableSaysWhenServerGetsAnyOffer() throws DeclineException {
        DecisionTable table = new DecisionTable(SERVER_COLUMNS, SERVER_TABLE);
        int count = 0;
        for (List<String> values : DecisionTable.combinations(SERVER_COLUMNS)) {
            boolean v1 = values.get(0).equals("1");
            if (v1 ? values.get(1).equals("N") : values.get(1).equals("N") && values.get(2).equals("N")) {
                continue;
            }
            assertEquals(table.expected(values), answer(server(values), proposal(values)), values.toString());
            count++;
        }
        assertEquals((3 * 4 + 15) * 5 * 3 * 16, count);
        assertEquals(List.of(), table.unused());
    }

    private static List<List<String>> columns(String... domains) {
        return Arrays.stream(domains).map(domain -> Arrays.asList(domain.split(" "))).toList();
    }

    private static String answer(Host server, ClcProposal proposal) {
        String answer = choice(server, proposal);
        ReasonCode refusal = Trial.refusal(server.abilities(), server.connection(), proposal);
        assertEquals(answer.startsWith("SMC") ? null : answer, refusal == null ? null : refusal.name(), "for who only asks");
        return answer;
    }

    private static String choice(Host server, ClcProposal proposal) {
        try {
            Usable usable = Usable.of(server.abilities(), proposal);
            Choice choice = new ServerSelection(server.abilities(), server.connection(), usable).next();
            return (choice instanceof SmcdChoice ? "SMCD_V" : "SMCR_V") + choice.version();
        } catch (DeclineException e) {
            return e.reason().name();
        }
    }

    private static ClcTechnologies type(String letter) {
        return ClcTechnologies.values()["RDNB".indexOf(letter)];
    }

    private static Host server(List<String> values) {
        Host server = new Host("10.8.0.2").ueids("COMMON");
        server.seid = SEID;
        server.seidEnabled = true;
        // Chid 7 is offered with D v2, the GID 0xA of the anchor with D v1.
        if (!values.get(4).equals("none")) {
            boolean match = values.get(4).equals("match");
            server.ismDevices.add(Host.reachingOnly(Host.ism("v2", 7, PnetId.NONE), match ? new Gid(0x77, 0) : new Gid(0x78, 0)));
        }
        LocalIsm old = new LocalIsm("v1", new Gid(0x51, 0), 9, false, true, Host.NET,
                (peer, vlan) -> peer.equals(new Gid(0xA, 0)));
        if (values.get(5).equals("yes")) {
            server.ismDevices.add(old);
        }
        if (values.get(6).equals("diff")) {
            server.ipv4.clear();
            server.ipv4.add(new LocalInterface.Ipv4(Host.address("10.8.0.2"), 16));
        }
        List<GidType> types = new ArrayList<>();
        if (values.get(7).equals("yes")) {
            types.add(GidType.ROCE_V2);
        }
        if (values.get(8).equals("yes")) {
            types.add(GidType.ROCE_V1);
        }
        server.ports.add(Host.port("rxe1", "eth0", "10.8.0.2", Host.NET, types.toArray(GidType[]::new)));
        return server;
    }

    private static ClcProposal proposal(List<String> values) {
        int version = Integer.parseInt(values.get(0));
        ClcTechnologies typeV1 = type(values.get(1));
        ClcTechnologies typeV2 = type(values.get(2));
        IpArea area = typeV1 == ClcTechnologies.NONE ? null : new IpArea(Host.address("10.8.0.0"), 24, List.of());
        V2Extension extension = null;
        if (version == 2 && typeV2 != ClcTechnologies.NONE) {
            String eids = values.get(3);
            List<Eid> ueids = switch (eids) {
                case "foreign" -> List.of(Eid.ueid("FOREIGN"));
                case "common" -> List.of(Eid.ueid("FOREIGN"), Eid.ueid("COMMON"));
                default -> List.of();
            };
            boolean seidUsable = eids.endsWith("eid");
            Eid seid = eids.equals("seid") ? SEID : eids.equals("foreignSeid") ? new Eid("OTHER MACHINE") : Eid.NONE;
            SmcdV2Extension smcd = typeV2.includesD() ? new SmcdV2Extension(seid, List.of(new IsmEntry(0x77, 7))) : null;
            extension = new V2Extension(ueids, 1, seidUsable, Host.gid("10.8.0.1"), 255, 2, 1, smcd);
        }
        return new ClcProposal(version, typeV1, typeV2, new SystemId(5), Host.gid("10.8.0.1"), new Mac(6),
                typeV1.includesD() ? new IsmEntry(0xA, 0) : IsmEntry.NONE, area, extension);
    }

    // -- The client --

    /** ISM devices, RNICs, EIDs, connection. */
    private static final List<List<String>> CLIENT_COLUMNS = columns(
            "none v1 v2 both", // no ISM device; one of the connection's PNETID, not for v2; one without PNETID, for v2; both
            "no yes",          // RNIC with a RoCE v1 GID
            "no yes",          // RNIC with a RoCE v2 GID in the subnet
            "no yes",          // UEID
            "4 6",             // IP version
            "no yes",          // whether the interface has an address that belongs into the IP area
            "no yes");         // whether the interface is known

    private static final String CLIENT_TABLE = """
            # ISM     R1  R2  UEID IP addr if
            # Without interface no VLAN id, which only D v2 does without.
              v2,both *   *   *    *  *    no  -> N/D
              none,v1 *   *   *    *  *    no  -> GETVLANERR
            # Without address nothing of version 1; R v2 needs IPv4 and a UEID.
              none    *   yes yes  4  no   yes -> N/R
              none    yes *   *    *  no   yes -> CNFERR
              none    no  *   *    *  no   yes -> NOSMCDEV
              v1      *   yes yes  4  no   yes -> N/R
              v1      *   *   *    *  no   yes -> CNFERR
              v2,both *   yes yes  4  no   yes -> N/B
              v2,both *   *   *    *  no   yes -> N/D
            # Everything is there.
              none    yes yes yes  4  yes  yes -> R/R
              none    yes *   *    *  yes  yes -> R/N
              none    no  yes yes  4  yes  yes -> N/R
              none    no  *   *    *  yes  yes -> NOSMCDEV
              v1      yes yes yes  4  yes  yes -> B/R
              v1      yes *   *    *  yes  yes -> B/N
              v1      no  yes yes  4  yes  yes -> D/R
              v1      no  *   *    *  yes  yes -> D/N
              v2      yes yes yes  4  yes  yes -> R/B
              v2      yes *   *    *  yes  yes -> R/D
              v2      no  yes yes  4  yes  yes -> N/B
              v2      no  *   *    *  yes  yes -> N/D
              both    yes yes yes  4  yes  yes -> B/B
              both    yes *   *    *  yes  yes -> B/D
              both    no  yes yes  4  yes  yes -> D/B
              both    no  *   *    *  yes  yes -> D/D
            """;

    @Test
    void shouldProposeOrRefuseAsTheTableSaysWhenClientHasAnyAbilities() {
        DecisionTable table = new DecisionTable(CLIENT_COLUMNS, CLIENT_TABLE);
        int count = 0;
        for (List<String> values : DecisionTable.combinations(CLIENT_COLUMNS)) {
            assertEquals(table.expected(values), offered(client(values)), values.toString());
            count++;
        }
        assertEquals(4 * 64, count);
        assertEquals(List.of(), table.unused());
    }

    private static String offered(Host client) {
        try {
            ClcProposal proposal = client.offer().proposal();
            assertTrue(proposal.version() == 2);
            return "RDNB".charAt(proposal.v1().code()) + "/" + "RDNB".charAt(proposal.v2().code());
        } catch (DeclineException e) {
            return e.reason().name();
        }
    }

    private static Host client(List<String> values) {
        boolean ipv4 = values.get(4).equals("4");
        Host client = new Host(ipv4 ? "10.8.0.1" : "fd00::1");
        if (values.get(0).equals("v1") || values.get(0).equals("both")) {
            client.ismDevices.add(new LocalIsm("v1", new Gid(0x51, 0), 9, false, true, Host.NET, (peer, vlan) -> true));
        }
        if (values.get(0).equals("v2") || values.get(0).equals("both")) {
            client.ismDevices.add(Host.ism("v2", 7, PnetId.NONE));
        }
        List<GidType> types = new ArrayList<>();
        if (values.get(1).equals("yes")) {
            types.add(GidType.ROCE_V1);
        }
        if (values.get(2).equals("yes")) {
            types.add(GidType.ROCE_V2);
        }
        client.rnic(types.toArray(GidType[]::new));
        if (values.get(3).equals("yes")) {
            client.ueids("ONE");
        }
        client.ipv6.add(new LocalInterface.Ipv6((values.get(5).equals("yes") ? 0xfd00L : 0xfe80L) << 48, 1, 64));
        if (values.get(5).equals("no")) {
            client.ipv4.clear();
        }
        client.interfaceKnown = values.get(6).equals("yes");
        return client;
    }
}
