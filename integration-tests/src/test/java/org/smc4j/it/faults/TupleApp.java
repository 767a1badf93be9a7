package org.smc4j.it.faults;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * {@code server PORT} or {@code client PORT LOCAL_PORT ROUNDS}: connections that follow each other with the same 4-tuple. The
 * client says how a connection ends: by the server, or by a reset of the client's, as both leave the port free at once.
 */
final class TupleApp {
    private static final int BYTES = 50_000;
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final int RETRIES = 500;

    private TupleApp() {
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server")) {
            serve(Integer.parseInt(args[1]));
        }
        int rounds = Integer.parseInt(args[3]);
        for (int i = 0; i < rounds; i++) {
            round(i, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        }
        System.out.println(rounds + " good");
    }

    private static void serve(int port) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            while (true) {
                try (Socket socket = server.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    boolean endsHere = in.readBoolean();
                    byte[] bytes = new byte[BYTES];
                    in.readFully(bytes);
                    socket.getOutputStream().write(bytes);
                    // The client's word that it has read it all: nothing may be lost by the end.
                    in.readByte();
                    if (!endsHere) {
                        in.read();
                    }
                } catch (IOException e) {
                    if (!"Connection reset".equals(e.getMessage())) {
                        System.out.println("BAD " + e);
                    }
                }
            }
        }
    }

    private static void round(int number, int port, int localPort) throws Exception {
        boolean serverEnds = number % 2 == 0;
        try (Socket socket = connect(port, localPort)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeBoolean(serverEnds);
            byte[] bytes = new byte[BYTES];
            Pattern.fill(number, 0, bytes, BYTES);
            out.write(bytes);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readFully(bytes);
            if (Pattern.mismatch(number, 0, bytes, BYTES) >= 0) {
                System.out.println("BAD content of round " + number);
            }
            out.writeByte(1);
            if (serverEnds) {
                if (in.read() >= 0) {
                    System.out.println("BAD end of round " + number);
                }
            } else {
                socket.setSoLinger(true, 0);
            }
        }
    }

    private static Socket connect(int port, int localPort) throws Exception {
        InetAddress host = InetAddress.getLoopbackAddress();
        for (int i = 0; ; i++) {
            Socket socket = new Socket();
            try {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(host, localPort));
                socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
                return socket;
            } catch (BindException | ConnectException | NoRouteToHostException e) {
                // The kernel still holds the old connection.
                socket.close();
                if (i == RETRIES) {
                    throw e;
                }
                Thread.sleep(10);
            }
        }
    }
}
