package org.smc4j.it.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code PORT CONNECTIONS}, with two files to wait for ({@link EchoClient#mayGo}): one connection that is there before, and many
 * to a server that does not run any more; when it runs again, all of them must work.
 */
final class BacklogClient {
    static final String SERVER_STOPPED = "-stopped";
    private static final int BYTES = 1000;
    private static final int TIMEOUT_MILLIS = 30_000;

    private BacklogClient() {
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Socket old = connect(port);
        System.out.println("one connected");
        // Until it is switched, and the server stopped.
        while (!EchoClient.mayGo()) {
            write(old, 0);
            check(old, 0);
            Thread.sleep(10);
        }
        // From here on nothing waits for an answer until all are connected, so the server may be stopped.
        System.out.println("going");
        EchoClient.awaitGo(SERVER_STOPPED);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            sockets.add(connect(port));
            write(sockets.get(i), i);
        }
        System.out.println("all connected");
        write(old, BYTES);
        check(old, BYTES);
        for (int i = 0; i < sockets.size(); i++) {
            check(sockets.get(i), i);
        }
        System.out.println("all good");
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static void write(Socket socket, long seed) throws IOException {
        byte[] bytes = new byte[BYTES];
        Pattern.fill(seed, 0, bytes, BYTES);
        socket.getOutputStream().write(bytes);
    }

    private static void check(Socket socket, long seed) throws IOException {
        byte[] bytes = new byte[BYTES];
        new DataInputStream(socket.getInputStream()).readFully(bytes);
        if (Pattern.mismatch(seed, 0, bytes, BYTES) >= 0) {
            throw new IOException("wrong content of connection " + seed);
        }
    }
}
