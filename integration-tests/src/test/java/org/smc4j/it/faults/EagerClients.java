package org.smc4j.it.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * {@code server|client PORT...}: the server begins to listen, at one port after the other, for one connection each; the client tries
 * to connect all the time until it can, and has one byte echoed.
 */
final class EagerClients {
    private static final int TIMEOUT_MILLIS = 20_000;

    private EagerClients() {
    }

    public static void main(String[] args) throws Exception {
        boolean server = args[0].equals("server");
        for (int i = 1; i < args.length; i++) {
            int port = Integer.parseInt(args[i]);
            if (server) {
                serve(port);
            } else {
                ask(port, i);
            }
        }
        System.out.println("all echoed");
    }

    private static void serve(int port) throws IOException {
        try (ServerSocket listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(TIMEOUT_MILLIS);
            try (Socket accepted = listener.accept()) {
                accepted.getOutputStream().write(accepted.getInputStream().read());
                // Found through the listener, which has to stay until then.
                accepted.getInputStream().read();
            }
        }
    }

    private static void ask(int port, int value) throws IOException {
        try (Socket socket = connect(port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(value);
            if (socket.getInputStream().read() != (value & 0xFF)) {
                throw new IllegalStateException("wrong echo at connection " + value);
            }
        }
    }

    private static Socket connect(int port) throws IOException {
        long deadline = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
        while (true) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
                return socket;
            } catch (IOException e) {
                socket.close();
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }
}
