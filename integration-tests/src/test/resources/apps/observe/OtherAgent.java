import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Somebody else's agent: looks at every class, uses a socket and JMX before the application starts, retransforms
 * classes.
 */
public class OtherAgent {
    private static final AtomicInteger SEEN = new AtomicInteger();

    public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                    byte[] bytes) {
                SEEN.incrementAndGet();
                // The same bytes once more count as a change.
                return name != null && name.startsWith("sun/nio/ch/") ? bytes.clone() : null;
            }
        }, true);
        ManagementFactory.getPlatformMBeanServer();
        new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")).close();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.getName().equals("sun.nio.ch.NioSocketImpl") || type.getName()
                    .equals("sun.nio.ch.SocketDispatcher")
                    || type.getName().endsWith("PlatformMBeanFinder")) {
                instrumentation.retransformClasses(type);
            }
        }
        System.out.println("other agent: " + (SEEN.get() > 0));
    }
}
