package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcAcceptConfirmD;
import org.smc4j.clc.ClcAcceptConfirmR;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcTechnologies;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.time.VirtualTime;

/**
 * Every captured CLC conversation against our two ends, in the situation that its file describes: where a Linux kernel spoke, we
 * say the same bytes. From the capture come only numbers that are random or a device's own: system id, MACs, GIDs of ISM devices,
 * and what Accept and Confirm say of queue pairs, buffers and whether the link group is new.
 */
@Timeout(20)
class ReplayTest {
    private static final int LOOPBACK = 0xFFFF;
    private static final long TWO_SECONDS = 2_000_000_000L;

    private final VirtualTime time = new VirtualTime(1);
    private final List<ClcMessage> sent = new ArrayList<>();
    private final List<HandshakeEnd> ends = new ArrayList<>();

    static List<CapturedHandshake> ofKernelClients() {
        return CapturedHandshake.all().stream().filter(captured -> captured.isByKernel(true)).toList();
    }

    static List<CapturedHandshake> ofKernelServers() {
        return CapturedHandshake.all().stream().filter(captured -> captured.isByKernel(false)).toList();
    }

    /** All messages of a kernel in the vector files are said again by the tests below. */
    @Test
    void shouldCoverEveryMessageOfAKernelWhenAllConversationsAreReplayed() {
        Map<ClcType, Integer> counts = new EnumMap<>(ClcType.class);
        for (CapturedHandshake captured : ofKernelClients()) {
            captured.sentBy(true).forEach(line -> counts.merge(line.message().type(), 1, Integer::sum));
        }
        for (CapturedHandshake captured : ofKernelServers()) {
            captured.sentBy(false).forEach(line -> counts.merge(line.message().type(), 1, Integer::sum));
        }
        assertEquals(Map.of(ClcType.PROPOSAL, 35, ClcType.ACCEPT, 28, ClcType.CONFIRM, 23, ClcType.DECLINE, 28), counts);
    }

    @ParameterizedTest
    @MethodSource("ofKernelClients")
    void shouldSayWhatTheKernelSaidWhenWeAreTheClient(CapturedHandshake captured) {
        Host host = client(captured);
        ClientHandshake client = new ClientHandshake(time, sent::add, new CapturedResources(captured, true),
                new HandshakeTurns(time), ends::add);
        client.begin(host.abilities(), host.connection());
        for (CapturedHandshake.Line line : captured.sentBy(false)) {
            client.received(line.message());
            time.runDue();
        }
        time.advance(TWO_SECONDS);
        check(captured, true);
    }

    @ParameterizedTest
    @MethodSource("ofKernelServers")
    void shouldSayWhatTheKernelSaidWhenWeAreTheServer(CapturedHandshake captured) {
        Host host = server(captured);
        ServerHandshake server = new ServerHandshake(time, sent::add, new CapturedResources(captured, false),
                new HandshakeTurns(time), host::abilities, host.connection(), ends::add);
        server.begin();
        for (CapturedHandshake.Line line : captured.sentBy(true)) {
            server.received(line.message());
            time.runDue();
        }
        time.advance(TWO_SECONDS);
        check(captured, false);
    }

    private void check(CapturedHandshake captured, boolean client) {
        List<CapturedHandshake.Line> expected = captured.sentBy(client);
        for (int i = 0; i < Math.min(expected.size(), sent.size()); i++) {
            ClcMessage said = asTheKernel(sent.get(i));
            assertEquals(expected.get(i).message(), said, expected.get(i).id());
            assertArrayEquals(expected.get(i).bytes(), ClcCodec.encode(said), expected.get(i).id());
        }
        assertEquals(expected.size(), sent.size(), captured.toString());
        if (captured.declinedBy(client)) {
            assertEquals(List.of(new HandshakeEnd.Fallback(captured.decline().diagnosis(), 0)), ends);
        } else if (captured.declinedBy(!client)) {
            assertEquals(List.of(new HandshakeEnd.Fallback(ReasonCode.PEERDECL.number(), captured.decline().diagnosis())), ends);
        } else if (captured.answer(ClcType.CONFIRM) != null) {
            assertInstanceOf(HandshakeEnd.Active.class, ends.getFirst());
        } else {
            assertEquals(List.of(), ends, "the capture ends with the Accept");
        }
    }

    /** Ours has the system id also in a Proposal of version 2 alone, where the kernel leaves it out: see {@link Offer}. */
    private static ClcMessage asTheKernel(ClcMessage ours) {
        return ours instanceof ClcProposal proposal && proposal.typeV1() == ClcTechnologies.NONE
                ? new ClcProposal(proposal.version(), proposal.typeV1(), proposal.typeV2(), SystemId.NONE, proposal.roceGid(),
                        proposal.mac(), proposal.ismV1(), proposal.ipArea(), proposal.v2Extension())
                : ours;
    }

    // -- The situations, as the heads of the files and of their sections describe them --

    private static Host client(CapturedHandshake captured) {
        Host host = host(captured, true);
        switch (captured.file() + " " + captured.number()) {
            case "clc-decline.txt 1" -> host.ports.clear();
            case "clc-decline.txt 4" -> host.ueids.clear();
            case "clc-decline.txt 52" -> host.route = new Routes.Unreachable();
            default -> {
                // As the file says.
            }
        }
        return host;
    }

    private static Host server(CapturedHandshake captured) {
        Host host = host(captured, false);
        switch (captured.file() + " " + captured.number()) {
            case "clc-decline.txt 2" -> host.ports.clear();
            case "clc-decline.txt 61" -> {
                host.ipv4.clear();
                host.ipv4.add(new LocalInterface.Ipv4(Host.address(host.local), 16));
            }
            default -> {
                // As the file says.
            }
        }
        return host;
    }

    private static Host host(CapturedHandshake captured, boolean client) {
        Host host = new Host(captured.address(client));
        host.systemId = systemId(captured);
        String file = captured.file();
        boolean rebuiltModule = file.startsWith("smcr-v1") || file.equals("clc-ipv6.txt") || file.equals("smcd-v2.txt")
                || file.equals("clc-decline.txt") && captured.number() >= 61 && captured.number() <= 67;
        if (rebuiltModule) {
            host.ismDevices.add(loopback(captured));
        }
        if (file.equals("smcd-v2.txt")) {
            host.ueids("SMCV2-TEST-UEID");
            host.interfaceName = "lo";
            host.pnetId = PnetId.NONE;
            host.ipv4.clear();
            host.ipv4.add(new LocalInterface.Ipv4(Host.address("127.0.0.1"), 8));
            return host;
        }
        if (!rebuiltModule) {
            host.ueids("SMCV2-TEST-UEID");
        } else if (file.equals("clc-ipv6.txt") && captured.number() > 1) {
            host.ueids("SMCV2-TEST-UEID", "SECOND.UEID");
        }
        if (file.equals("clc-ipv6.txt")) {
            host.ipv4.clear();
            host.ipv4.add(new LocalInterface.Ipv4(Host.address(client ? "10.8.0.1" : "10.8.0.2"), 24));
            int last = client ? 1 : 2;
            if (client) {
                host.ipv6.add(new LocalInterface.Ipv6(0xfd00_0009_0000_0000L, last, 48));
            }
            host.ipv6.add(new LocalInterface.Ipv6(0xfd00_0008_0000_0000L, last, 64));
            host.ipv6.add(new LocalInterface.Ipv6(0xfe80L << 48, last, 64));
        }
        // The rebuilt module takes RoCE v2 GIDs for SMC-R v1 too.
        GidType[] types = rebuiltModule ? new GidType[] {GidType.ROCE_V1, GidType.ROCE_V2} : new GidType[] {GidType.ROCE_V2};
        host.ports.add(port(client ? "rxe0" : "rxe1", "v0", client ? "10.8.0.1" : "10.8.0.2", systemId(captured), types));
        if (file.endsWith("two-ports.txt") || file.equals("smcr-v2-asymmetric.txt") && !client) {
            host.ports.add(port(client ? "rxe2" : "rxe3", "w0", client ? "10.8.0.3" : "10.8.0.4", systemId(captured), types));
        }
        return host;
    }

    /** The first port of the machine, the client's, gave the system id its MAC; MACs of others are in no message of ours. */
    private static LocalPort port(String device, String networkName, String ipv4, SystemId systemId, GidType[] types) {
        LocalPort port = Host.port(device, networkName, ipv4, Host.NET, types);
        Mac mac = new Mac(systemId.value() & 0xFFFF_FFFF_FFFFL);
        return new LocalPort(device, new RoceDevice.Port(1, true, Host.MTU_4096, mac, port.port().gids()), Host.NET);
    }

    /** Both ends are on one machine; what a kernel says tells it, unless the connection has nothing to do with SMC-R. */
    private static SystemId systemId(CapturedHandshake captured) {
        for (CapturedHandshake.Line line : captured.lines()) {
            SystemId id = switch (line.message()) {
                case ClcAcceptConfirmR answer -> answer.systemId();
                case ClcDecline decline -> decline.systemId();
                case ClcProposal proposal -> proposal.systemId();
                case ClcAcceptConfirmD answer -> SystemId.NONE;
            };
            if (line.byKernel() && !id.equals(SystemId.NONE)) {
                return id;
            }
        }
        return SystemId.NONE;
    }

    /** The kernel's loopback device, which reaches itself only. */
    private static LocalIsm loopback(CapturedHandshake captured) {
        Gid gid = new Gid(1, 2);
        if (captured.lines().getFirst().message() instanceof ClcProposal proposal && proposal.v2().includesD()) {
            gid = proposal.v2Extension().smcd().devices().getFirst().gid();
        }
        LocalIsm device = new LocalIsm("lo", gid, LOOPBACK, true, false, PnetId.NONE, (peer, vlan) -> true);
        return Host.reachingOnly(device, gid);
    }

    /** Link groups, buffers and LLC that did what the captured ones did. */
    private record CapturedResources(CapturedHandshake captured, boolean client) implements HandshakeResources {
        @Override
        public void offer(Choice candidate, Receiver receiver) {
            reserve(captured.answer(ClcType.ACCEPT), receiver);
        }

        @Override
        public void join(Choice choice, ClcAcceptConfirm accept, Receiver receiver) {
            reserve(captured.answer(ClcType.CONFIRM), receiver);
        }

        private void reserve(ClcAcceptConfirm own, Receiver receiver) {
            if (own == null) {
                // The kernel has declined here, for a reason that its link groups gave.
                receiver.failed(ReasonCode.of(captured.decline().diagnosis()));
                return;
            }
            ScriptedResources.Place place = new ScriptedResources.Place(end(own), own.firstContact());
            boolean silence = captured.decline() != null && captured.decline().diagnosis() == ReasonCode.TIMEOUT_CL.number();
            receiver.reserved(new CapturedPlace(place, silence, captured.declinedBy(client)));
        }

        private static LocalEnd end(ClcAcceptConfirm own) {
            return switch (own) {
                case ClcAcceptConfirmD answer -> new LocalEnd.Smcd(answer.dmbToken(), answer.dmbeIndex(), answer.sizeCode(),
                        answer.linkGroupId());
                case ClcAcceptConfirmR answer -> new LocalEnd.Smcr(answer.gid(), answer.mac(), answer.qpNumber(), answer.rkey(),
                        answer.rmbeIndex(), answer.alertToken(), answer.sizeCode(), Host.MTU_4096, answer.rmbAddress(),
                        answer.initialPsn());
            };
        }
    }

    /**
     * @param silence      whether the other end was never heard of over RoCE
     * @param lostPatience whether this end was the first whose wait was over
     */
    private record CapturedPlace(ScriptedResources.Place place, boolean silence, boolean lostPatience) implements Reservation {
        @Override
        public LocalEnd localEnd() {
            return place.localEnd();
        }

        @Override
        public boolean isFirstContact() {
            return place.isFirstContact();
        }

        @Override
        public void complete(Choice choice, ClcAcceptConfirm confirm, Completion completion) {
            if (!silence) {
                completion.completed();
            } else if (lostPatience) {
                completion.failed(ReasonCode.TIMEOUT_CL);
            }
        }

        @Override
        public void awaitFirstLink(FirstLink firstLink) {
            if (!silence) {
                firstLink.ready();
            } else if (lostPatience) {
                firstLink.failed(ReasonCode.TIMEOUT_CL);
            }
        }

        @Override
        public void outOfSync() {
            place.outOfSync();
        }

        @Override
        public void release() {
            place.release();
        }
    }
}
