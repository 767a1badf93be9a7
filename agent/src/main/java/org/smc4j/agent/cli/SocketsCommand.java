package org.smc4j.agent.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.sideband.SidebandQuery;
import org.smc4j.status.SocketStatus;

/** {@code ss}: the sockets of the JVMs of this user, in the manner of smcss. */
record SocketsCommand(PrintStream out, PrintStream err) {
    private static final int FIRST_NUMBER = 5;
    private static final int AFTER_NUMBERS = 9;

    int run(List<String> options) throws IOException {
        boolean listeners = options.contains("-a") || options.contains("-l");
        boolean connections = options.contains("-a") || !options.contains("-l");
        Table table = new Table(FIRST_NUMBER, AFTER_NUMBERS, "State", "UID", "PID", "Local Address", "Peer Address",
                "SMC Tx", "SMC Rx", "TCP Tx", "TCP Rx", "LG-ID", "Link", "IB-Dev", "IB-P", "Mode");
        Processes processes = Processes.ask(SidebandQuery.Topic.SOCKETS, err);
        processes.each(answer -> {
            for (SocketStatus socket : decode(answer.lines())) {
                if (socket.role() == SocketStatus.Role.LISTENER ? listeners : connections) {
                    add(table, answer, socket);
                }
            }
        });
        table.print(out);
        return processes.status();
    }

    private static List<SocketStatus> decode(List<String> lines) {
        List<SocketStatus> sockets = new ArrayList<>();
        for (String line : lines) {
            sockets.add(SocketStatus.decode(line));
        }
        return sockets;
    }

    private static void add(Table table, Processes.Answer answer, SocketStatus socket) {
        boolean linked = !socket.device().isEmpty();
        table.add(socket.state().smcssName(), Integer.toUnsignedString(answer.uid()), Long.toString(answer.pid()),
                socket.local(), socket.peer(), Long.toString(socket.smcSent()), Long.toString(socket.smcReceived()),
                Long.toString(socket.tcpSent()), Long.toString(socket.tcpReceived()),
                linked ? HexFormat.of().toHexDigits(socket.linkGroup()) : "-", linked ? Integer.toString(socket.link()) : "-",
                Table.known(socket.device()), linked ? Integer.toString(socket.port()) : "-", mode(socket));
    }

    private static String mode(SocketStatus socket) {
        if (socket.mode() == null) {
            return "-";
        }
        if (socket.mode() != SmcMode.TCP) {
            return socket.mode().name();
        }
        return socket.reasonCode() == 0 ? "TCP (no handshake ended yet)"
                : "TCP " + ReasonCode.describe(socket.reasonCode());
    }
}
