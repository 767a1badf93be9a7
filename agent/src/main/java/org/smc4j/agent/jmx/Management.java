package org.smc4j.agent.jmx;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.smc4j.diag.Log;
import org.smc4j.nio.SmcSockets;

/**
 * Gets the MXBean into the platform's MBean server without making that server, which would cost every start of a JVM some 50 ms:
 * a provider of the JDK's own service for platform MBeans hands the bean over when, and if, the application makes the server.
 */
public final class Management {
    private static final String NAME = "org.smc4j:type=Smc";
    private static final String MODULE = "java.management";
    private static final String SPI = "sun.management.spi";
    private static final String SERVICE = SPI + ".PlatformMBeanProvider";
    private static final String[] PROVIDER = {"AgentBeans", "AgentBeans$Component"};
    private static final String PROVIDER_FOLDER = "hooks/sun/management/spi/";
    /** Once it is loaded, it has read the list of services, or is about to. */
    private static final String READER = "java.lang.management.ManagementFactory$PlatformMBeanFinder";

    private Management() {
    }

    /** Never throws: without the bean everything else works. */
    public static void register(SmcSockets sockets, Instrumentation instrumentation) {
        try {
            Optional<Module> module = ModuleLayer.boot().findModule(MODULE);
            if (module.isPresent()) {
                provide(module.get(), sockets, instrumentation);
                if (isLoaded(READER, instrumentation)) {
                    registerNow(sockets);
                }
            }
        } catch (Exception | LinkageError e) {
            Log.warn("no MXBean: " + e);
        }
    }

    private static void provide(Module module, SmcSockets sockets, Instrumentation instrumentation)
            throws ReflectiveOperationException, IOException {
        Set<Module> us = Set.of(Management.class.getModule());
        instrumentation.redefineModule(module, Set.of(), Map.of(SPI, us), Map.of(SPI, us), Set.of(), Map.of());
        Class<?> service = Class.forName(SERVICE, false, null);
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(service, MethodHandles.lookup());
        Class<?> provider = null;
        for (String name : PROVIDER) {
            try (InputStream in = Management.class.getClassLoader()
                    .getResourceAsStream(PROVIDER_FOLDER + name + ".classdata")) {
                Class<?> defined = lookup.defineClass(in.readAllBytes());
                provider = provider == null ? defined : provider;
            }
        }
        provider.getField("name").set(null, NAME);
        provider.getField("bean").set(null, new Supplier<Object>() {
            @Override
            public Object get() {
                return new Smc(sockets);
            }
        });
        instrumentation.redefineModule(module, Set.of(), Map.of(), Map.of(), Set.of(), Map.of(service, List.of(provider)));
    }

    private static boolean isLoaded(String name, Instrumentation instrumentation) {
        for (Class<?> type : instrumentation.getInitiatedClasses(null)) {
            if (type.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Something, another agent perhaps, uses JMX already; the provider may or may not have been early enough. */
    private static void registerNow(SmcSockets sockets) throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(NAME);
        if (!server.isRegistered(name)) {
            try {
                server.registerMBean(new StandardMBean(new Smc(sockets), SmcMXBean.class, true), name);
            } catch (InstanceAlreadyExistsException e) {
                Log.debug("MXBean: " + e.getMessage());
            }
        }
    }
}
