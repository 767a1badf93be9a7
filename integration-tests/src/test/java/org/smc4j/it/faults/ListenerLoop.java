package org.smc4j.it.faults;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** {@code LISTENERS}: so many listeners one after the other, with one short connection each, both ends in this process. */
final class ListenerLoop {
    private static final int BACKLOG = 1;

    private ListenerLoop() {
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            try (ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
                    Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket server = listener.accept()) {
                client.getOutputStream().write(i);
                server.getOutputStream().write(server.getInputStream().read());
                if (client.getInputStream().read() != (i & 0xFF)) {
                    throw new IllegalStateException("wrong echo at listener " + i);
                }
            }
        }
        System.out.println("all echoed");
    }
}
