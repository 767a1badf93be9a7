package org.smc4j.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * The entry of the agent, and the only classes of it that the application's class loader sees; compiled for Java 9, so that
 * an older JVM prints one line instead of failing to start. Everything else is loaded by {@link AgentLoader}.
 *
 * <p>Nothing here may throw: the agent may fail, the application may not.
 */
public final class SmcAgent {
    private static final int NEEDED_FEATURE = 25;

    private static volatile Starter starter;

    private SmcAgent() {
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        // Classes that are loaded from now on are woven on the way; those that another agent has used already are not, and
        // the application's first listener would stay unknown.
        start(arguments, instrumentation, usesSockets(instrumentation));
    }

    /** Returns when the agent works, for whoever attached it. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        start(arguments, instrumentation, true);
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

    private static void start(String arguments, Instrumentation instrumentation, boolean completely) {
        try {
            if ("false".equalsIgnoreCase(System.getProperty("smc.enabled")) || isJdkTool()) {
                return;
            }
            String unsupported = unsupported();
            if (unsupported != null) {
                System.err.println("smc4j: plain TCP: " + unsupported);
                return;
            }
            Transformer transformer = new Transformer();
            instrumentation.addTransformer(transformer, true);
            // Its initialiser hands it over: without reflection, whose first use in a process takes as long as all of this.
            Class.forName("org.smc4j.agent.Start", true, new AgentLoader());
            Runnable rest = starter.start(arguments, instrumentation, transformer);
            if (rest == null) {
                return;
            }
            if (completely) {
                starter.hurry();
                rest.run();
            } else {
                Thread thread = new Thread(rest, "smc4j-start");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (Throwable e) {
            System.err.println("smc4j: plain TCP: the agent could not start: " + e);
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

    /** The loaded part. */
    public interface Starter {
        /** What has to be done before the application starts. Returns the rest, null if there is none; says why on its own. */
        Runnable start(String arguments, Instrumentation instrumentation, Transformer transformer);

        /** The rest, which otherwise lets the application start first, is to be done at once. */
        void hurry();
    }

    /** Called by the loaded part when it is initialised. */
    public static void starter(Starter loaded) {
        starter = loaded;
    }

    /** What the loaded part does with a class that is being loaded. */
    public interface Weaver {
        /** The new bytes, or null to leave the class as it is. */
        byte[] weave(ClassLoader loader, String name, byte[] bytes);
    }

    /** Hands over the classes of interest; all others cost a look at their name. */
    public static final class Transformer implements ClassFileTransformer {
        private static final String PLATFORM_BEANS = "java/lang/management/ManagementFactory$PlatformMBeanFinder";

        private volatile Weaver weaver;

        /** From now on classes are woven; what was loaded before has to be retransformed. */
        public void ready(Weaver newWeaver) {
            weaver = newWeaver;
        }

        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
            Weaver current = weaver;
            if (current == null || name == null || !isOfInterest(loader, name)) {
                return null;
            }
            try {
                return current.weave(loader, name, bytes);
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
}
