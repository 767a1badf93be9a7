package org.smc4j.agent.jmx;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.smc4j.nio.SmcSockets;

/** Makes {@code sun.management.spi.AgentBeans} a class and a service of the module java.management. */
final class PlatformService {
    static final String NAME = "org.smc4j:type=Smc";
    private static final String SPI = "sun.management.spi";
    private static final String SERVICE = SPI + ".PlatformMBeanProvider";
    private static final String FOLDER = "hooks/sun/management/spi/";
    private static final String PROVIDER = "AgentBeans";

    private PlatformService() {
    }

    static void provide(Instrumentation instrumentation) throws ReflectiveOperationException, IOException {
        Class<?> service = Class.forName(SERVICE, false, null);
        Module module = service.getModule();
        Set<Module> us = Set.of(PlatformService.class.getModule());
        instrumentation.redefineModule(module, Set.of(), Map.of(SPI, us), Map.of(SPI, us), Set.of(), Map.of());
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(service, MethodHandles.lookup());
        Class<?> provider = define(lookup, PROVIDER);
        define(lookup, PROVIDER + "$Component");
        provider.getField("name").set(null, NAME);
        provider.getField("bean").set(null, new Bean());
        instrumentation.redefineModule(module, Set.of(), Map.of(), Map.of(), Set.of(),
                Map.of(service, List.of(provider)));
    }

    private static Class<?> define(MethodHandles.Lookup lookup, String name)
            throws IOException, IllegalAccessException {
        String resource = FOLDER + name + ".classdata";
        try (InputStream in = PlatformService.class.getClassLoader().getResourceAsStream(resource)) {
            return lookup.defineClass(in.readAllBytes());
        }
    }

    private static final class Bean implements Supplier<Object> {
        @Override
        public Object get() {
            SmcSockets sockets = Management.sockets();
            return sockets == null ? null : new Smc(sockets);
        }
    }
}
