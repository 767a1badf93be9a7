import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.TreeSet;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;

/** Looks at its own connections through JMX, changes settings and prints what it finds. */
public class Managed {
    private static MBeanServer server;
    private static ObjectName name;
    private static ServerSocket listener;

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("early")) {
            ManagementFactory.getPlatformMBeanServer();
        }
        listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Thread.ofPlatform().daemon().start(Managed::serve);
        name = new ObjectName("org.smc4j:type=Smc");
        server = ManagementFactory.getPlatformMBeanServer();
        Set<String> types = new TreeSet<>();
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
            types.add(attribute.getName());
        }
        System.out.println("attributes " + types);
        try (Socket first = echo()) {
            System.out.println("first " + mode(first));
            set("smc.enabled", "false");
            try (Socket second = echo()) {
                System.out.println("second " + mode(second));
                System.out.println("first again " + exchange(first) + " " + mode(first));
                set("smc.enabled", "true");
                try (Socket third = echo()) {
                    System.out.println("third " + mode(third));
                    for (String attribute : new String[] {"TotalConnections", "ClientConnections", "ServerConnections",
                            "SmcdConnections", "SmcrConnections", "TcpConnections", "OpenConnections", "TxBytes", "RxBytes"}) {
                        System.out.println(attribute + " " + server.getAttribute(name, attribute));
                    }
                    for (CompositeData row : (CompositeData[]) server.getAttribute(name, "LinkGroups")) {
                        System.out.println("group " + row.get("mode") + " " + row.get("connections") + " " + row.get("rmbsUsed")
                                + " " + row.get("peer").equals("pid " + ProcessHandle.current().pid()));
                    }
                    for (CompositeData row : (CompositeData[]) server.getAttribute(name, "Devices")) {
                        System.out.println("device " + row.get("device") + " " + row.get("linkGroups"));
                    }
                    CompositeData smcd = (CompositeData) server.getAttribute(name, "SmcdTraffic");
                    System.out.println("SmcdTraffic " + smcd.get("txBytes") + " " + ((Long) smcd.get("txCalls") >= 6));
                    CompositeData smcr = (CompositeData) server.getAttribute(name, "SmcrTraffic");
                    System.out.println("SmcrTraffic " + smcr.get("txBytes") + " " + smcr.get("txCalls"));
                    for (CompositeData row : (CompositeData[]) server.getAttribute(name, "FallbackReasons")) {
                        System.out.println("fallback " + row.get("code") + " " + row.get("count") + " "
                                + row.get("words"));
                    }
                }
            }
        }
        set("smc.log", "debug");
        try (ServerSocket published = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Thread.sleep(1000);
        }
        set("smc.log", "off");
        set("smc.nonsense", "1");
        set("smc.ueid", "A");
        set("smc.busy_poll_us", "many");
        for (CompositeData row : (CompositeData[]) server.getAttribute(name, "Tunables")) {
            System.out.println("tunable " + row.get("name") + "=" + row.get("value") + " " + row.get("source") + " "
                    + row.get("changesAtRunTime") + " " + (!row.get("doc").toString().isEmpty()));
        }
        System.out.println("summary: " + server.invoke(name, "summary", new Object[0], new String[0]));
        System.out.println("platform interfaces of ours: "
                + ManagementFactory.getPlatformManagementInterfaces().stream().filter(c -> c.getName().contains("smc"))
                .count());
    }

    private static void set(String tunable, String value) throws Exception {
        try {
            server.invoke(name, "setTunable", new Object[] {tunable, value},
                    new String[] {String.class.getName(), String.class.getName()});
        } catch (RuntimeMBeanException e) {
            System.out.println("refused: " + e.getTargetException().getMessage());
        }
    }

    private static Socket echo() throws Exception {
        Socket socket = new Socket("127.0.0.1", listener.getLocalPort());
        exchange(socket);
        return socket;
    }

    private static boolean exchange(Socket socket) throws Exception {
        socket.getOutputStream().write(new byte[1000]);
        return socket.getInputStream().readNBytes(1000).length == 1000;
    }

    private static String mode(Socket socket) throws Exception {
        String local = "127.0.0.1:" + socket.getLocalPort();
        for (CompositeData row : (CompositeData[]) server.getAttribute(name, "Sockets")) {
            if (row.get("role").equals("CLIENT") && row.get("localAddress").equals(local)) {
                return row.get("state") + " " + row.get("mode") + " " + row.get("txBytes") + " "
                        + row.get("tcpTxBytes") + " "
                        + row.get("reason");
            }
        }
        return "not found";
    }

    private static void serve() {
        while (true) {
            try {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().start(() -> {
                    try (socket; InputStream in = socket.getInputStream()) {
                        in.transferTo(socket.getOutputStream());
                    } catch (Exception e) {
                        System.out.println("server: " + e);
                    }
                });
            } catch (Exception e) {
                System.out.println("accept: " + e);
                return;
            }
        }
    }
}
