package org.smc4j.agent;

import org.smc4j.agent.jmx.Management;
import org.smc4j.diag.Log;
import org.smc4j.nio.SmcSockets;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;
import sun.nio.ch.SocketHooks;

/** Connects the woven calls with the socket layer. Loaded after the hooks are defined, as it links to them. */
final class Activate {
    private Activate() {
    }

    /** @param managed whether platform MBeans were in use before the agent came */
    static void run(Sysctl sysctl, boolean managed) {
        SmcSockets sockets = new SmcSockets(sysctl);
        String summary = sysctl.text(Tunable.SUMMARY);
        if (!summary.equals("off")) {
            Runtime.getRuntime().addShutdownHook(new Thread(new Summary(sockets, summary), "smc4j-summary"));
        }
        SocketHooks.activate(sockets);
        Management.activated(sockets, managed);
        Log.info("sockets of this JVM use SMC where the peer does");
    }

    /** Sockets stay the JDK's. */
    static void no() {
        SocketHooks.activate(null);
        Management.activated(null, false);
    }
}
