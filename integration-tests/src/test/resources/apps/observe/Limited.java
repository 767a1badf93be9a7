import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/**
 * The socket option SMC_LIMIT_HS. {@code options} tries it on every kind of socket; {@code server PORT LIMIT FILE}
 * listens with it and accepts nothing until the file is there; {@code client PORT COUNT DECLINES FILE} opens so many
 * connections, makes the file when so many of their handshakes were declined, and then uses them.
 */
public class Limited {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "options" -> options();
            case "server" -> serve(Integer.parseInt(args[1]), Boolean.valueOf(args[2]), Path.of(args[3]));
            default -> connect(Integer.parseInt(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]),
                    Path.of(args[4]));
        }
    }

    @SuppressWarnings("unchecked")
    private static SocketOption<Boolean> option() throws ReflectiveOperationException {
        return (SocketOption<Boolean>) Class.forName("org.smc4j.SmcSocketOptions").getField("SMC_LIMIT_HS").get(null);
    }

    private interface Access {
        Object run() throws Exception;
    }

    private static void show(String what, Access access) {
        try {
            System.out.println(what + ": " + access.run());
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void options() throws Exception {
        SocketOption<Boolean> limit = option();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
        ServerSocket socket = new ServerSocket();
        show("socket at first", () -> socket.getOption(limit));
        show("socket before bind", () -> socket.setOption(limit, true).getOption(limit));
        socket.bind(any);
        show("socket bound", () -> socket.getOption(limit));
        show("socket listed", () -> socket.supportedOptions().contains(limit));
        show("socket wrong value", () -> socket.setOption((SocketOption) limit, "yes"));
        ServerSocketChannel channel = ServerSocketChannel.open().bind(any);
        show("channel", () -> channel.setOption(limit, true).getOption(limit));
        show("channel's socket", () -> channel.socket().setOption(limit, false).getOption(limit));
        show("channel listed", () -> channel.supportedOptions().contains(limit));
        AsynchronousServerSocketChannel asynchronous = AsynchronousServerSocketChannel.open();
        show("asynchronous", () -> asynchronous.setOption(limit, true).bind(any).getOption(limit));
        show("UNIX domain", () -> ServerSocketChannel.open(StandardProtocolFamily.UNIX).setOption(limit, true));
        show("client", () -> new Socket().setOption(limit, true));
        channel.close();
        show("closed channel", () -> channel.setOption(limit, true));
        socket.close();
        show("closed socket", () -> socket.getOption(limit));
        show("null", () -> asynchronous.getOption(null));
    }

    private static void serve(int port, Boolean limit, Path file) throws Exception {
        ServerSocket server = new ServerSocket();
        server.setOption(option(), limit);
        server.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        System.out.println("listening");
        while (!Files.exists(file)) {
            Thread.sleep(20);
        }
        while (true) {
            Socket socket = server.accept();
            Thread.ofPlatform().daemon().start(() -> Echo.echo(socket));
        }
    }

    /** Handshakes that the server declined. */
    private static long declined() throws Exception {
        CompositeData[] reasons = (CompositeData[]) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("org.smc4j:type=Smc"), "FallbackReasons");
        long count = 0;
        for (CompositeData reason : reasons) {
            count += reason.get("code").equals("0x05000000") ? (long) reason.get("count") : 0;
        }
        return count;
    }

    private static void connect(int port, int count, int declines, Path file) throws Exception {
        Socket[] sockets = new Socket[count];
        for (int i = 0; i < count; i++) {
            sockets[i] = new Socket("127.0.0.1", port);
            sockets[i].getOutputStream().write(1);
        }
        for (int tries = 0; tries < 400 && declined() < declines; tries++) {
            Thread.sleep(50);
        }
        Files.createFile(file);
        for (int round = 0; round < 60; round++) {
            for (Socket socket : sockets) {
                if (socket.getInputStream().read() != 1) {
                    throw new IllegalStateException("no echo");
                }
                socket.getOutputStream().write(1);
            }
            Thread.sleep(50);
        }
        System.out.println("done");
    }
}
