import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/**
 * Connections between two hosts to look at. {@code server PORT} echoes; {@code client HOST PORT SEED BYTES...} opens a connection for
 * each number, sends so many random bytes, checks that the same come back, and keeps the connection. Then it says what JMX shows of
 * SMC-R, and stays until it is ended; when there is a file {@code again} in its directory, it sends and reads 777 bytes more on each.
 */
public class Between {
    private static final int PIECE = 16384;
    private static final int AGAIN = 777;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server")) {
            try (ServerSocket server = new ServerSocket(Integer.parseInt(args[1]))) {
                System.out.println("listening");
                while (true) {
                    Socket socket = server.accept();
                    Thread.ofPlatform().daemon().start(() -> echo(socket));
                }
            }
        }
        Socket[] sockets = new Socket[args.length - 4];
        for (int i = 0; i < sockets.length; i++) {
            Socket socket = new Socket(args[1], Integer.parseInt(args[2]));
            sockets[i] = socket;
            long seed = Long.parseLong(args[3]) * 1000 + i;
            int bytes = Integer.parseInt(args[4 + i]);
            Thread writer = Thread.ofPlatform().daemon().start(() -> write(socket, seed, bytes));
            System.out.println((isRight(socket.getInputStream(), seed, bytes) ? "right " : "WRONG ") + bytes + " "
                    + socket.getLocalPort());
            writer.join();
        }
        show();
        System.out.println("done");
        while (!new File("again").exists()) {
            Thread.sleep(100);
        }
        for (Socket socket : sockets) {
            socket.getOutputStream().write(new byte[AGAIN]);
            System.out.println("again " + socket.getInputStream().readNBytes(AGAIN).length);
        }
        Thread.sleep(600_000);
    }

    private static void write(Socket socket, long seed, int bytes) {
        Random random = new Random(seed);
        try {
            OutputStream out = socket.getOutputStream();
            for (int left = bytes; left > 0; left -= PIECE) {
                byte[] piece = new byte[PIECE];
                random.nextBytes(piece);
                out.write(piece, 0, Math.min(left, PIECE));
            }
        } catch (Exception e) {
            System.out.println("writer: " + e);
        }
    }

    private static boolean isRight(InputStream in, long seed, int bytes) throws Exception {
        Random random = new Random(seed);
        boolean right = true;
        for (int left = bytes; left > 0; left -= PIECE) {
            byte[] expected = new byte[PIECE];
            random.nextBytes(expected);
            byte[] piece = in.readNBytes(Math.min(left, PIECE));
            right &= piece.length == Math.min(left, PIECE);
            for (int i = 0; i < piece.length; i++) {
                right &= piece[i] == expected[i];
            }
        }
        return right;
    }

    private static void show() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.smc4j:type=Smc");
        System.out.println("SmcrConnections " + server.getAttribute(name, "SmcrConnections"));
        CompositeData traffic = (CompositeData) server.getAttribute(name, "SmcrTraffic");
        System.out.println("SmcrTraffic " + traffic.get("txBytes") + " " + traffic.get("rxBytes"));
        for (CompositeData row : (CompositeData[]) server.getAttribute(name, "Sockets")) {
            System.out.println("socket " + row.get("mode") + " group " + row.get("linkGroup") + " link " + row.get("link") + " "
                    + row.get("device") + " " + row.get("port"));
        }
        for (CompositeData row : (CompositeData[]) server.getAttribute(name, "LinkGroups")) {
            System.out.println("group " + row.get("mode") + " " + row.get("id") + " " + row.get("role") + " " + row.get("type")
                    + " " + row.get("connections"));
        }
        for (CompositeData row : (CompositeData[]) server.getAttribute(name, "Links")) {
            System.out.println("link " + row.get("group") + " " + row.get("state") + " " + row.get("device"));
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            byte[] buffer = new byte[65536];
            int n;
            while ((n = socket.getInputStream().read(buffer)) > 0) {
                socket.getOutputStream().write(buffer, 0, n);
            }
        } catch (Exception e) {
            // The client was ended.
            return;
        }
    }
}
