package org.smc4j.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.diag.SmcState;

class StatusTest {
    @Test
    void shouldReadBackWhatWasWrittenWhenItIsASocket() {
        for (SmcState state : SmcState.values()) {
            for (SocketStatus socket : List.of(
                    new SocketStatus(state, SocketStatus.Role.CLIENT, "127.0.0.1:1", "[::1]:65535", SmcMode.SMCR, 0,
                            1, 2, 3, Long.MAX_VALUE, -256, 255, "rnic", 2),
                    new SocketStatus(state, SocketStatus.Role.SERVER, "-", "-", SmcMode.TCP, 0xfedcba98, 0, 0, 0, 0, 0, 0, "", 0),
                    new SocketStatus(state, SocketStatus.Role.LISTENER, "0.0.0.0:80", "*", null, 0, 0, 0, 0, 0, 0, 0, "", 0))) {
                assertEquals(socket, SocketStatus.decode(socket.encode()));
            }
        }
    }

    @Test
    void shouldRefuseWhenALineIsNoSocket() {
        String good = new SocketStatus(SmcState.ACTIVE, SocketStatus.Role.CLIENT, "a", "b", SmcMode.TCP, 1, 2, 3, 4, 5, 6, 7, "d", 8)
                .encode();
        for (String bad : List.of("", "ACTIVE", good + "\t1", good.replace("ACTIVE", "LAZY"), good.replace("CLIENT",
                "-"),
                good.replace("TCP", "UDP"), good.replace("\t5", "\tx"), good.replace("\t1\t", "\t12345678901\t"))) {
            assertThrows(IllegalArgumentException.class, () -> SocketStatus.decode(bad), bad);
        }
    }

    @Test
    void shouldReadBackWhatWasWrittenWhenItIsCounters() {
        ModeCounters smcd = new ModeCounters(3, 4, new StreamCounts(1, 2, 3, 4, 5, 6, 7), Map.of(16384, 2L), Map.of(65536, 9L));
        ModeCounters smcr = new ModeCounters(5, 6, new StreamCounts(10, 20, 30, 40, 50, 60, Long.MAX_VALUE - 7),
                Map.of(32768, 1L, 1 << 29, 2L), Map.of());
        Counters counters = new Counters(10, 20, smcd, smcr, 7,
                new TreeMap<>(Map.of(ReasonCode.PEERNOSMC.number(), 7L, 0xf0000000, 8L)));
        assertEquals(counters, Counters.decode(counters.encode()));
        assertEquals(30, counters.totalConnections());
        assertEquals(7, counters.smcd().connections());
        assertEquals(11, counters.smcr().connections());
        assertEquals(12, counters.tcpConnections());
        assertEquals(new StreamCounts(11, 22, 33, 44, 55, 66, Long.MAX_VALUE), counters.traffic());
    }

    private static LinkGroupReport report() {
        LinkGroupStatus group = new LinkGroupStatus(SmcMode.SMCR, -256, "SERV", "ASYML", 2, 1, "NET1", 5, 6, 255, 2,
                "0123456789abcdef", "A.B", 7, 8, Long.MAX_VALUE, 9, 10, 11);
        LinkGroupStatus smcd = new LinkGroupStatus(SmcMode.SMCD, 256, "", "", 2, 1, "", 0, 1, 0, 0, "pid 1", "", 0, 0, 0, 1, 1, 2);
        LinkStatus link = new LinkStatus(-256, 255, "LINK_ACTIVE", true, 3, "eth0", "rnic", 2, "::1", "::2", 4, 5, 16, 48, -1, -2);
        DeviceStatus device = new DeviceStatus(SmcMode.SMCR, "eth0", "rnic", 2, true, false, "NET1", 1, 2, "::1,::2");
        return new LinkGroupReport(List.of(group, smcd), List.of(link), List.of(device));
    }

    @Test
    void shouldReadBackWhatWasWrittenWhenItIsLinkGroups() {
        assertEquals(report(), LinkGroupReport.decode(report().encode()));
        assertEquals(LinkGroupReport.NONE, LinkGroupReport.decode(LinkGroupReport.NONE.encode()));
    }

    @Test
    void shouldSkipOtherKindsOfLinesAndRefuseWhatIsNoLinkGroup() {
        assertEquals(LinkGroupReport.NONE, LinkGroupReport.decode(List.of("from the future\t1")));
        for (String line : report().encode()) {
            for (String bad : List.of(line + "\t1", line.substring(0, line.lastIndexOf('\t')), line.replace("SMCR", "SMCX"),
                    line.replaceFirst("\t-?[0-9]+\t", "\tmany\t"), line.replaceFirst("\ttrue\t", "\tyes\t"))) {
                if (!bad.equals(line)) {
                    assertThrows(IllegalArgumentException.class, () -> LinkGroupReport.decode(List.of(bad)), bad);
                }
            }
        }
    }

    @Test
    void shouldKeepALineOneLineWhateverAPeerIsCalled() {
        DeviceStatus device = new DeviceStatus(SmcMode.SMCR, "a\tb\nc", "", 1, true, true, "-", 0, 0, "");
        String line = RecordLine.encode(device);
        assertEquals(RecordLine.decode(DeviceStatus.class, line),
                new DeviceStatus(SmcMode.SMCR, "a?b?c", "", 1, true, true, "-", 0, 0, ""));
    }

    @Test
    void shouldSkipWhatOnlyAnotherVersionCountsAndRefuseWhatIsNoCounter() {
        Counters none = new Counters(0, 0, ModeCounters.ZERO, ModeCounters.ZERO, 0, Map.of());
        assertEquals(none, Counters.decode(List.of("from_the_future=1")));
        for (String bad : List.of("client", "client=", "client=x", "fallback_=1", "fallback_xyz=1")) {
            assertThrows(IllegalArgumentException.class, () -> Counters.decode(List.of(bad)), bad);
        }
    }
}
