package org.smc4j.agent;

import org.smc4j.agent.jmx.Management;
import org.smc4j.diag.Log;
import org.smc4j.nio.SmcSockets;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;
import sun.nio.ch.SocketHooks;

/** Connects the woven calls with the socket layer. Loaded after the hooks are defined, as it links to them. */
final class Activate {
    // Set before the application runs, if it is to use SMC.
    private static volatile SmcSockets sockets;

    private Activate() {
    }

    /** From now on sockets are followed, but none leaves TCP. */
    static void run(Sysctl sysctl) {
        SocketHooks.enableNativeAccess();
        sockets = new SmcSockets(sysctl);
        SocketHooks.activate(sockets);
        Management.starting(sockets);
    }

    /** Whether Netty has to use the sockets of the JDK. */
    static boolean disablesNettyNatives() {
        SmcSockets current = sockets;
        return current != null && !current.sysctl().flag(Tunable.NETTY_NATIVE);
    }

    /** Ends {@link #awaitNeed}. */
    static void hurry() {
        sockets.need();
    }

    /** Waits until something depends on {@link #checked}, at most for {@code millis}. */
    static void awaitNeed(long millis) throws InterruptedException {
        sockets.awaitNeed(millis);
    }

    /**
     * The JDK is as the agent needs it: connections may leave TCP.
     *
     * @param managed whether platform MBeans were in use before the agent came
     */
    static void checked(boolean managed) {
        sockets.open();
        String summary = sockets.sysctl().text(Tunable.SUMMARY);
        if (!summary.equals("off")) {
            Runtime.getRuntime().addShutdownHook(new Thread(new Summary(sockets, summary), "smc4j-summary"));
        }
        Management.activated(sockets, managed);
        Log.info("sockets of this JVM use SMC where the peer does");
    }

    /** Sockets stay the JDK's. */
    static void no() {
        SocketHooks.activate(null);
        if (sockets != null) {
            sockets.shut();
        }
        Management.activated(null, false);
    }
}
