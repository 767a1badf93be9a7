import java.net.URL;
import java.util.Collections;

/** What an application can see of the agent. */
public class Seen {
    public static void main(String[] args) throws Exception {
        Hello.main(args);
        for (String name : new String[] {"org.smc4j.nio.SmcSockets", "org.smc4j.agent.Start",
                "org.smc4j.sysctl.Sysctl"}) {
            try {
                System.out.println(name + " is visible from " + Class.forName(name).getClassLoader());
            } catch (ClassNotFoundException e) {
                System.out.println(name + " is invisible");
            }
        }
        for (String name : new String[] {"org/smc4j/nio/SmcSockets.class", "org/smc4j/agent/Start.class",
                "module-info.class"}) {
            for (URL url : Collections.list(ClassLoader.getSystemClassLoader().getResources(name))) {
                if (!url.getProtocol().equals("jrt")) {
                    System.out.println("resource " + url);
                }
            }
        }
        System.out.println("context loader " + (Thread.currentThread().getContextClassLoader()
                == ClassLoader.getSystemClassLoader()));
        for (String key : System.getProperties().stringPropertyNames()) {
            if (key.startsWith("java.nio.channels.spi")) {
                System.out.println("property " + key);
            }
        }
    }
}
