package org.smc4j.agent.cli;

import java.io.PrintStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.smc4j.diag.Log;
import org.smc4j.diag.ReasonCode;
import org.smc4j.diag.SmcMode;
import org.smc4j.sideband.SidebandCheck;
import org.smc4j.sysctl.Sysctl;

/** {@code check}: one line for each address of the host; the first, which Java connects to, decides. */
record CheckCommand(PrintStream out, PrintStream err) {
    private static final long ANSWER_MILLIS = 2000;
    private static final int MAX_PORT = 65535;

    int run(List<String> arguments) throws UsageException {
        if (arguments.size() != 2) {
            throw new UsageException("check needs a host and a port");
        }
        int port = port(arguments.get(1));
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(arguments.getFirst());
        } catch (UnknownHostException e) {
            err.println("smc4j: check: no address for '" + arguments.getFirst() + "'");
            return Main.NO;
        }
        Sysctl sysctl = Sysctl.load(null);
        for (String warning : sysctl.warnings()) {
            err.println("smc4j: " + warning);
        }
        // The answer says what matters.
        Log.level("error");
        SidebandCheck check = new SidebandCheck(sysctl, ANSWER_MILLIS);
        int status = Main.NO;
        for (int i = 0; i < addresses.length; i++) {
            SidebandCheck.Verdict verdict = check.check(addresses[i], port);
            boolean smc = verdict.mode() != SmcMode.TCP;
            out.println(text(addresses[i], port) + ": " + verdict.mode()
                    + (smc ? "" : " " + ReasonCode.describe(verdict.reasonCode())) + "; " + verdict.detail());
            if (i == 0 && smc) {
                status = Main.OK;
            }
        }
        return status;
    }

    private static int port(String text) throws UsageException {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw new UsageException("not a port: '" + text + "'");
        }
        throw new UsageException("not a port: '" + text + "'");
    }

    private static String text(InetAddress address, int port) {
        String host = address.getHostAddress();
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
    }
}
