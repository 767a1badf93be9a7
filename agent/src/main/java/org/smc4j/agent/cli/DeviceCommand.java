package org.smc4j.agent.cli;

import java.io.IOException;
import java.io.PrintStream;
import org.smc4j.diag.SmcMode;
import org.smc4j.sideband.SidebandQuery;
import org.smc4j.status.DeviceStatus;
import org.smc4j.status.LinkGroupReport;

/** {@code device}: the RNICs and ISM devices of the JVMs of this user, in the manner of {@code smcr device}. */
record DeviceCommand(PrintStream out, PrintStream err) {
    private static final int FIRST_NUMBER = 7;
    private static final int AFTER_NUMBERS = 9;

    int run() throws IOException {
        Table table = new Table(FIRST_NUMBER, AFTER_NUMBERS, "PID", "Net-Dev", "IB-Dev", "IB-P", "IB-State", "Type", "Crit", "#LGs",
                "#Links", "PNET-ID", "GID");
        Processes processes = Processes.ask(SidebandQuery.Topic.LINK_GROUPS, err);
        processes.each(answer -> {
            for (DeviceStatus device : LinkGroupReport.decode(answer.lines()).devices()) {
                add(table, answer.pid(), device);
            }
        });
        table.print(out);
        return processes.status();
    }

    private static void add(Table table, long pid, DeviceStatus device) {
        boolean rnic = device.mode() == SmcMode.SMCR;
        table.add(Long.toString(pid), Table.known(device.netDevice()), device.device(), rnic ? Integer.toString(device.port()) : "-",
                device.active() ? "ACTIVE" : "INACTIVE", rnic ? "RNIC" : "ISM", device.critical() ? "Yes" : "No",
                Integer.toString(device.linkGroups()), rnic ? Integer.toString(device.links()) : "-", Table.known(device.pnetId()),
                Table.known(device.gids()));
    }
}
