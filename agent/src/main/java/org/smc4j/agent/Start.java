package org.smc4j.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
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

/** Runs on the agent's start thread while the application already starts; its sockets wait for the end of this. */
public final class Start {
    private static final String HOOKS = "hooks/sun/nio/ch/";
    private static final String JDK_PACKAGE = "sun.nio.ch.";
    private static final String DEFAULT_PROVIDER = "sun.nio.ch.EPollSelectorProvider";

    private Start() {
    }

    public static void run(String arguments, Instrumentation instrumentation, SmcAgent.Transformer transformer) {
        Sysctl sysctl = Sysctl.load(arguments);
        Log.level(sysctl.text(Tunable.LOG));
        for (String warning : sysctl.warnings()) {
            Log.warn(warning);
        }
        if (!sysctl.flag(Tunable.ENABLED)) {
            transformer.ready(null);
            Log.info("plain TCP: smc.enabled is false");
            return;
        }
        String foreign = foreignProvider();
        if (foreign != null) {
            transformer.ready(null);
            Log.warn("plain TCP: " + foreign);
            return;
        }
        boolean hooksDefined = false;
        try {
            openJdk(instrumentation);
            defineHooks();
            hooksDefined = true;
            SocketWeaver weaver = new SocketWeaver();
            transformer.ready(new Weaver(weaver, sysctl.flag(Tunable.NETTY_NATIVE), instrumentation));
            boolean managed = weaveLoaded(instrumentation, weaver);
            String mismatch = check(weaver);
            if (mismatch != null) {
                throw new IllegalStateException(mismatch);
            }
            Activate.run(sysctl, managed);
        } catch (Throwable e) {
            if (hooksDefined) {
                Activate.no();
            }
            Log.warn("plain TCP: this JDK is not as the agent needs it: " + e.getMessage());
            if (Log.isDebug()) {
                Log.unexpected("start", e);
            }
        }
    }

    private record Weaver(SocketWeaver sockets, boolean leaveNetty, Instrumentation instrumentation)
            implements SmcAgent.Weaver {
        @Override
        public byte[] weave(ClassLoader loader, String name, byte[] bytes) {
            if (loader == null) {
                if (name.equals(Management.READER)) {
                    Management.loading(instrumentation);
                    return null;
                }
                return sockets.weave(name, bytes);
            }
            if (!leaveNetty) {
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

    private static void openJdk(Instrumentation instrumentation) throws ReflectiveOperationException {
        Module base = Object.class.getModule();
        Set<Module> us = Set.of(Start.class.getModule());
        Map<String, Set<Module>> exports = new HashMap<>();
        exports.put("sun.nio.ch", us);
        Map<String, Set<Module>> opens = new HashMap<>();
        opens.put("sun.nio.ch", us);
        opens.put("java.lang", us);
        instrumentation.redefineModule(base, Set.of(), exports, opens, Set.of(), Map.of());
        Method enable = Module.class.getDeclaredMethod("implAddEnableNativeAccessToAllUnnamed");
        enable.setAccessible(true);
        enable.invoke(null);
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
