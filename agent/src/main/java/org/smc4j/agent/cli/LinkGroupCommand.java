package org.smc4j.agent.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.HexFormat;
import java.util.List;
import org.smc4j.sideband.SidebandQuery;
import org.smc4j.status.LinkGroupReport;
import org.smc4j.status.LinkGroupStatus;
import org.smc4j.status.LinkStatus;

/** {@code linkgroup}: the link groups of the JVMs of this user, or their links, in the manner of {@code smcr linkgroup}. */
record LinkGroupCommand(PrintStream out, PrintStream err) {
    private static final int FIRST_NUMBER = 6;
    private static final int AFTER_NUMBERS = 12;
    private static final int FIRST_LINK_NUMBER = 6;
    private static final int AFTER_LINK_NUMBERS = 7;
    private static final int QUEUE_PAIR_DIGITS = 6;

    /** @param links whether a line is a link of SMC-R, or a group */
    int run(boolean links) throws IOException {
        Table table = links
                ? new Table(FIRST_LINK_NUMBER, AFTER_LINK_NUMBERS, "PID", "LG-ID", "LG-Role", "LG-Type", "Link", "Link-State", "#Conns",
                        "Net-Dev", "IB-Dev", "IB-P", "QP", "Peer-QP", "Snd-WR", "Rcv-WR", "Link-UID", "Peer-UID", "Local-GID", "Peer-GID")
                : new Table(FIRST_NUMBER, AFTER_NUMBERS, "PID", "Mode", "LG-ID", "LG-Role", "LG-Type", "Version", "VLAN", "#Conns",
                        "Sndbufs", "Sndbuf", "RMBs", "RMB", "PNET-ID", "EID", "Peer");
        Processes processes = Processes.ask(SidebandQuery.Topic.LINK_GROUPS, err);
        processes.each(answer -> {
            LinkGroupReport report = LinkGroupReport.decode(answer.lines());
            String pid = Long.toString(answer.pid());
            if (links) {
                report.links().forEach(link -> add(table, pid, group(report.groups(), link), link));
            } else {
                report.groups().forEach(group -> add(table, pid, group));
            }
        });
        table.print(out);
        return processes.status();
    }

    private static LinkGroupStatus group(List<LinkGroupStatus> groups, LinkStatus link) {
        for (LinkGroupStatus group : groups) {
            if (group.id() == link.group() && !group.role().isEmpty()) {
                return group;
            }
        }
        throw new IllegalArgumentException("a link without its group");
    }

    private static void add(Table table, String pid, LinkGroupStatus group) {
        table.add(pid, group.mode().name(), hex(group.id()), Table.known(group.role()), Table.known(group.type()),
                group.version() + "." + group.release(), Integer.toString(group.vlan()), Integer.toString(group.connections()),
                group.sendBuffersUsed() + "/" + group.sendBuffers(), Long.toString(group.sendBufferBytes()),
                group.rmbsUsed() + "/" + group.rmbs(), Long.toString(group.rmbBytes()), Table.known(group.pnetId()),
                Table.known(group.eid()), Table.known(group.peer()));
    }

    private static void add(Table table, String pid, LinkGroupStatus group, LinkStatus link) {
        HexFormat format = HexFormat.of();
        table.add(pid, hex(link.group()), group.role(), group.type(), Integer.toString(link.id()),
                link.asymmetric() ? link.state() + " (asymmetric)" : link.state(), Integer.toString(link.connections()),
                link.netDevice(), link.device(), Integer.toString(link.port()),
                format.toHexDigits(link.queuePair(), QUEUE_PAIR_DIGITS), format.toHexDigits(link.peerQueuePair(), QUEUE_PAIR_DIGITS),
                Integer.toString(link.sendWr()), Integer.toString(link.receiveWr()),
                hex(link.uid()), hex(link.peerUid()), link.gid(), link.peerGid());
    }

    private static String hex(int number) {
        return HexFormat.of().toHexDigits(number);
    }
}
