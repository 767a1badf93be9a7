package org.smc4j.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.smc4j.agent.jmx.Management;
import org.smc4j.agent.weave.NettyNatives;
import org.smc4j.agent.weave.SocketWeaver;
import org.smc4j.diag.Log;
import org.smc4j.sysctl.Sysctl;
import org.smc4j.sysctl.Tunable;

/**
 * Starts the agent in two steps. Before the application: hooks and weaver, as a connection that nobody counted from its first
 * byte could never leave TCP. Beside it: weaving what the application has not loaded, and the check, before which no connection
 * is attached.
 */
public final class Start implements SmcAgent.Starter {
    private static final String HOOKS = "hooks/sun/nio/ch/";
    private static final String JDK_PACKAGE = "sun.nio.ch.";
    private static final String DEFAULT_PROVIDER = "sun.nio.ch.EPollSelectorProvider";
    /** The start of a JVM is a bad time for what is not urgent: its processors have enough to do. */
    private static final long CHECK_DELAY_MILLIS = 300;
    /** What every client on sockets uses; the weaver's own code is then loaded and has run, too. */
    private static final String[] FIRST = {"sun.nio.ch.NioSocketImpl", "sun.nio.ch.SocketDispatcher"};

    static {
        SmcAgent.starter(new Start());
    }

    private Start() {
    }

    @Override
    public Runnable start(String arguments, Instrumentation instrumentation, SmcAgent.Transformer transformer) {
        Sysctl sysctl = settings(arguments);
        if (sysctl == null) {
            return null;
        }
        boolean hooksDefined = false;
        try {
            openJdk(instrumentation);
            defineHooks();
            hooksDefined = true;
            Activate.run(sysctl);
            SocketWeaver weaver = new SocketWeaver();
            transformer.ready(new Weaver(weaver, instrumentation));
            for (String name : FIRST) {
                Class.forName(name, false, null);
            }
            return () -> finish(instrumentation, weaver);
        } catch (Exception | LinkageError e) {
            failed(hooksDefined, e);
            return null;
        }
    }

    /** Null if sockets are to stay the JDK's. */
    private static Sysctl settings(String arguments) {
        Sysctl sysctl = Sysctl.load(arguments);
        Log.level(sysctl.text(Tunable.LOG));
        for (String warning : sysctl.warnings()) {
            Log.warn(warning);
        }
        if (!sysctl.flag(Tunable.ENABLED)) {
            Log.info("plain TCP: smc.enabled is false");
            return null;
        }
        String foreign = foreignProvider();
        if (foreign != null) {
            Log.warn("plain TCP: " + foreign);
            return null;
        }
        return sysctl;
    }

    @Override
    public void hurry() {
        Activate.hurry();
    }

    private static void finish(Instrumentation instrumentation, SocketWeaver weaver) {
        try {
            Activate.awaitNeed(CHECK_DELAY_MILLIS);
            boolean managed = weaveLoaded(instrumentation, weaver);
            String mismatch = check(weaver);
            if (mismatch != null) {
                throw new IllegalStateException(mismatch);
            }
            Activate.checked(managed);
        } catch (Exception | LinkageError e) {
            failed(true, e);
        }
    }

    private static void failed(boolean hooksDefined, Throwable e) {
        if (hooksDefined) {
            Activate.no();
        }
        Log.warn("plain TCP: this JDK is not as the agent needs it: " + e.getMessage());
        if (Log.isDebug()) {
            Log.unexpected("start", e);
        }
    }

    private record Weaver(SocketWeaver sockets, Instrumentation instrumentation) implements SmcAgent.Weaver {
        @Override
        public byte[] weave(ClassLoader loader, String name, byte[] bytes) {
            if (loader == null) {
                if (name.equals(Management.READER)) {
                    Management.loading(instrumentation);
                    return null;
                }
                return sockets.weave(name, bytes);
            }
            if (Activate.disablesNettyNatives()) {
                NettyNatives.disable(name, bytes);
            }
            return null;
        }
    }

    /** Somebody else's provider has channels that we know nothing of: step back and say so. */
    private static String foreignProvider() {
        String[] properties = {"java.nio.channels.spi.SelectorProvider", "java.nio.channels.spi.AsynchronousChannelProvider"};
        for (String property : properties) {
            String value = System.getProperty(property);
            if (value != null && !value.equals(DEFAULT_PROVIDER)) {
                return property + " is " + value;
            }
        }
        return null;
    }

    private static void openJdk(Instrumentation instrumentation) {
        Module base = Object.class.getModule();
        Set<Module> us = Set.of(Start.class.getModule());
        Map<String, Set<Module>> exports = new HashMap<>();
        exports.put("sun.nio.ch", us);
        Map<String, Set<Module>> opens = new HashMap<>();
        opens.put("sun.nio.ch", us);
        instrumentation.redefineModule(base, Set.of(), exports, opens, Set.of(), Map.of());
    }

    private static void defineHooks() throws ReflectiveOperationException, IOException {
        Class<?> neighbour = Class.forName("sun.nio.ch.IOStatus", false, null);
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup());
        for (String name : SocketWeaver.hooks()) {
            try (InputStream in = Start.class.getClassLoader().getResourceAsStream(HOOKS + name + ".classdata")) {
                lookup.defineClass(in.readAllBytes());
            }
        }
    }

    /** Weaves what was loaded before we were ready, and loads the rest; true if platform MBeans are in use already. */
    private static boolean weaveLoaded(Instrumentation instrumentation, SocketWeaver weaver)
            throws ClassNotFoundException, UnmodifiableClassException {
        Set<String> names = new HashSet<>();
        for (String name : weaver.classes()) {
            names.add(JDK_PACKAGE + name);
        }
        String reader = Management.READER.replace('/', '.');
        boolean managed = false;
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> type : instrumentation.getInitiatedClasses(null)) {
            if (names.contains(type.getName())) {
                loaded.add(type);
            }
            managed |= type.getName().equals(reader);
        }
        for (String name : names) {
            Class.forName(name, false, null);
        }
        List<Class<?>> unwoven = new ArrayList<>();
        for (Class<?> type : loaded) {
            if (!weaver.isWoven(type.getName().substring(JDK_PACKAGE.length()))) {
                unwoven.add(type);
            }
        }
        if (!unwoven.isEmpty()) {
            instrumentation.retransformClasses(unwoven.toArray(new Class<?>[0]));
        }
        return managed;
    }

    /** What is not as expected, or null. */
    private static String check(SocketWeaver weaver) {
        Set<String> missing = weaver.missing();
        if (!missing.isEmpty()) {
            return "not found: " + missing;
        }
        return Probe.mismatch();
    }
}
