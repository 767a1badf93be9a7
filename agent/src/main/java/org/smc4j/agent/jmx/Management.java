package org.smc4j.agent.jmx;

import java.lang.instrument.Instrumentation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.smc4j.diag.Log;
import org.smc4j.nio.SmcSockets;

/**
 * Gets the MXBean into the platform's MBean server without making that server, which would cost every start of a JVM
 * some 50 ms, and without touching JMX at all until the application does: the JDK is about to read its list of
 * providers of platform beans when it loads {@link #READER}, and that is when a provider of ours joins the list.
 */
public final class Management {
    /** The class that reads the list, in its static initialiser. */
    public static final String READER = "java/lang/management/ManagementFactory$PlatformMBeanFinder";
    private static final long ACTIVATION_SECONDS = 10;
    private static final CountDownLatch ACTIVATION = new CountDownLatch(1);
    private static final AtomicBoolean PROVIDED = new AtomicBoolean();
    private static volatile SmcSockets starting;
    private static volatile SmcSockets sockets;

    private Management() {
    }

    /** The JDK loads {@link #READER} in this thread. Never throws. */
    public static void loading(Instrumentation instrumentation) {
        if (PROVIDED.getAndSet(true)) {
            // Another agent retransforms the class.
            return;
        }
        try {
            PlatformService.provide(instrumentation);
        } catch (Exception | LinkageError e) {
            Log.warn("no MXBean: " + e);
        }
    }

    /** The agent starts: whoever asks for its sockets does not want to wait for long. */
    public static void starting(SmcSockets newSockets) {
        starting = newSockets;
    }

    /**
     * The agent has started. Never throws.
     *
     * @param newSockets null if it has not
     * @param late       whether {@link #READER} was there before the agent
     */
    public static void activated(SmcSockets newSockets, boolean late) {
        sockets = newSockets;
        ACTIVATION.countDown();
        // Not if the class was loaded since the agent began to start: then its list has us.
        if (late && newSockets != null && !PROVIDED.getAndSet(true)) {
            try {
                LateRegistration.register(newSockets);
            } catch (Exception | LinkageError e) {
                Log.warn("no MXBean: " + e);
            }
        }
    }

    /** The sockets; null if the agent did not start. The application may be faster than the agent, so this may wait. */
    static SmcSockets sockets() {
        SmcSockets current = starting;
        if (current != null) {
            current.need();
        }
        try {
            ACTIVATION.await(ACTIVATION_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return sockets;
    }
}
