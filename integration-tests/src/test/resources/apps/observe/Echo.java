import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Something to look at. {@code server PORT} echoes; {@code client PORT BYTES...} opens a connection for each number,
 * sends so many bytes, reads them back and keeps the connection open. Both say what they are up to and stay until they
 * are ended; {@code once} instead of client ends by itself.
 */
public class Echo {
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("server")) {
            ServerSocket server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            System.out.println("listening");
            while (true) {
                Socket socket = server.accept();
                Thread.ofPlatform().daemon().start(() -> echo(socket));
            }
        }
        Socket[] sockets = new Socket[args.length - 2];
        for (int i = 0; i < sockets.length; i++) {
            sockets[i] = new Socket("127.0.0.1", port);
            byte[] bytes = new byte[Integer.parseInt(args[i + 2])];
            sockets[i].getOutputStream().write(bytes);
            if (sockets[i].getInputStream().readNBytes(bytes.length).length != bytes.length) {
                throw new IOException("end of stream");
            }
            System.out.println("echoed " + sockets[i].getLocalPort());
        }
        System.out.println("done");
        if (args[0].equals("client")) {
            Thread.sleep(600_000);
        }
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    static void echo(Socket socket) {
        try (socket) {
            byte[] buffer = new byte[65536];
            int n;
            while ((n = socket.getInputStream().read(buffer)) > 0) {
                socket.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            // The client was ended.
            return;
        }
    }
}
