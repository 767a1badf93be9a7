package org.smc4j.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.concurrent.CountDownLatch;

/**
 * The entry of the agent, and the only classes of it that the application's class loader sees; compiled for Java 9, so that
 * an older JVM prints one line instead of failing to start. Everything else is loaded by {@link AgentLoader}.
 *
 * <p>Nothing here may throw: the agent may fail, the application may not.
 */
public final class SmcAgent {
    private static final int NEEDED_FEATURE = 25;
    private static final long ACTIVATION_MILLIS = 10_000;

    private SmcAgent() {
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        Thread activation = start(arguments, instrumentation);
        // Classes that are loaded from now on wait for their weaving; those that another agent has used already do not,
        // and the application's first listener would stay unknown.
        if (activation != null && usesSockets(instrumentation)) {
            await(activation);
        }
    }

    /** Returns when the agent works, for whoever attached it. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        Thread activation = start(arguments, instrumentation);
        if (activation != null) {
            await(activation);
        }
    }

    private static boolean usesSockets(Instrumentation instrumentation) {
        for (Class<?> type : instrumentation.getInitiatedClasses(null)) {
            String name = type.getName();
            if (name.equals("sun.nio.ch.NioSocketImpl") || name.equals("sun.nio.ch.ServerSocketChannelImpl")
                    || name.equals("sun.nio.ch.SocketDispatcher")) {
                return true;
            }
        }
        return false;
    }

    private static void await(Thread activation) {
        try {
            activation.join(ACTIVATION_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The thread on which the agent starts; null if it does not. */
    private static Thread start(String arguments, Instrumentation instrumentation) {
        try {
            if ("false".equalsIgnoreCase(System.getProperty("smc.enabled")) || isJdkTool()) {
                return null;
            }
            String unsupported = unsupported();
            if (unsupported != null) {
                System.err.println("smc4j: plain TCP: " + unsupported);
                return null;
            }
            Transformer transformer = new Transformer();
            instrumentation.addTransformer(transformer, true);
            Thread thread = new Thread(new Activation(arguments, instrumentation, transformer), "smc4j-start");
            thread.setDaemon(true);
            thread.start();
            return thread;
        } catch (Throwable e) {
            System.err.println("smc4j: plain TCP: " + e);
            return null;
        }
    }

    private static String unsupported() {
        String os = System.getProperty("os.name");
        String architecture = System.getProperty("os.arch");
        if (!"Linux".equals(os) || !"amd64".equals(architecture) && !"aarch64".equals(architecture)) {
            return "Linux on x86-64 or aarch64 is needed, this is " + os + " on " + architecture;
        }
        String version = System.getProperty("java.specification.version");
        boolean old = version.startsWith("1.") || Integer.parseInt(version) < NEEDED_FEATURE;
        return old ? "Java " + NEEDED_FEATURE + " or later is needed, this is " + version : null;
    }

    /** JAVA_TOOL_OPTIONS reaches jcmd, keytool and the like too: their main class is in a module of the JDK. */
    private static boolean isJdkTool() {
        String main = System.getProperty("jdk.module.main");
        String mainClass = System.getProperty("jdk.module.main.class", "");
        return main != null && (main.startsWith("jdk.") || main.startsWith("java.")) && !mainClass.endsWith("SourceLauncher");
    }

    /** What the loaded part does with a class that is being loaded. */
    public interface Weaver {
        /** The new bytes, or null to leave the class as it is. */
        byte[] weave(ClassLoader loader, String name, byte[] bytes);
    }

    /** Hands over the classes of interest, once the loaded part is there; all others cost a look at their name. */
    public static final class Transformer implements ClassFileTransformer {
        private static final String PLATFORM_BEANS = "java/lang/management/ManagementFactory$PlatformMBeanFinder";

        private final CountDownLatch ready = new CountDownLatch(1);
        private volatile Weaver weaver;
        private volatile Thread activating;

        /** Called once: null if the JDK stays as it is. */
        public void ready(Weaver newWeaver) {
            weaver = newWeaver;
            ready.countDown();
        }

        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
            if (name == null || !isOfInterest(loader, name)) {
                return null;
            }
            try {
                if (ready.getCount() != 0) {
                    if (Thread.currentThread() == activating) {
                        // Loaded on the way to the weaver: it is retransformed later.
                        return null;
                    }
                    ready.await();
                }
                Weaver current = weaver;
                return current == null ? null : current.weave(loader, name, bytes);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            } catch (Throwable e) {
                return null;
            }
        }

        private static boolean isOfInterest(ClassLoader loader, String name) {
            return loader == null ? name.startsWith("sun/nio/ch/") || name.equals(PLATFORM_BEANS)
                    : name.endsWith("/channel/epoll/Epoll") || name.endsWith("/channel/uring/IoUring")
                            || name.endsWith("/channel/uring/IOUring") || name.endsWith("/channel/kqueue/KQueue");
        }
    }

    private static final class Activation implements Runnable {
        private final String arguments;
        private final Instrumentation instrumentation;
        private final Transformer transformer;

        Activation(String arguments, Instrumentation instrumentation, Transformer transformer) {
            this.arguments = arguments;
            this.instrumentation = instrumentation;
            this.transformer = transformer;
        }

        @Override
        public void run() {
            transformer.activating = Thread.currentThread();
            try {
                Class<?> start = new AgentLoader().loadClass("org.smc4j.agent.Start");
                Method run = start.getMethod("run", String.class, Instrumentation.class, Transformer.class);
                run.invoke(null, arguments, instrumentation, transformer);
            } catch (Throwable e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                System.err.println("smc4j: plain TCP: the agent could not start: " + cause);
            } finally {
                if (transformer.ready.getCount() != 0) {
                    transformer.ready(null);
                }
                transformer.activating = null;
            }
        }
    }
}
