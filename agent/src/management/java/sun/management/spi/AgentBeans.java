package sun.management.spi;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The agent's part of the platform's MBean server, asked for when that server is made. The agent defines this class
 * into java.management, because only services of the JDK's modules are looked for then.
 */
public final class AgentBeans extends PlatformMBeanProvider {
    /** Gives the bean, or null; set by the agent before it makes this class a service. */
    public static volatile Supplier<Object> bean;
    /** The canonical name of the bean. */
    public static volatile String name;

    public AgentBeans() {
    }

    @Override
    public List<PlatformComponent<?>> getPlatformComponentList() {
        return List.of(new Component());
    }

    private static final class Component implements PlatformComponent<Object> {
        /** None: what {@code ManagementFactory} tells about the platform stays as it is. */
        @Override
        public Set<String> mbeanInterfaceNames() {
            return Set.of();
        }

        @Override
        public Set<Class<?>> mbeanInterfaces() {
            return Set.of();
        }

        @Override
        public Map<String, Object> nameToMBeanMap() {
            Object made = bean.get();
            return made == null ? Map.of() : Map.of(name, made);
        }

        @Override
        public String getObjectNamePattern() {
            return name;
        }
    }
}
