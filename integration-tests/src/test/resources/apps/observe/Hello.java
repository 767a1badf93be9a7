import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Runs on old JVMs too: uses a connection to itself and says so. */
public class Hello {
    public static void main(String[] args) throws Exception {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Socket client = new Socket("127.0.0.1", server.getLocalPort());
        Socket accepted = server.accept();
        byte[] bytes = new byte[100];
        for (int round = 0; round < 3; round++) {
            client.getOutputStream().write(bytes);
            int n = 0;
            while (n < bytes.length) {
                n += accepted.getInputStream().read(bytes, n, bytes.length - n);
            }
        }
        client.close();
        accepted.close();
        server.close();
        System.out.println("hello");
    }
}
