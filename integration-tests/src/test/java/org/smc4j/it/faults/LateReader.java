package org.smc4j.it.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code server PORT FILE}: accepts one connection and reads nothing of it before that file is there; then all of it, and answers with
 * how much that was. {@code client HOST PORT FILE}: writes a lot at once, then a little again and again until that file is there. The
 * client prints how much it has written so far, both how it ended.
 */
final class LateReader {
    private static final long SEED = 7;
    private static final int AT_ONCE = 200_000;
    private static final int A_LITTLE = 100;
    private static final long POLL_MILLIS = 20;
    private static final int PRINTED_EVERY = 10;

    private LateReader() {
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("server")) {
            try (ServerSocket listener = new ServerSocket(Integer.parseInt(args[1]), 1, InetAddress.getByName("0.0.0.0"))) {
                System.out.println("ready");
                try (Socket socket = listener.accept()) {
                    read(socket, Path.of(args[2]));
                }
            }
        } else {
            try (Socket socket = new Socket(args[1], Integer.parseInt(args[2]))) {
                write(socket, Path.of(args[3]));
            }
        }
    }

    private static void read(Socket socket, Path start) throws Exception {
        while (!Files.exists(start)) {
            Thread.sleep(POLL_MILLIS);
        }
        byte[] buffer = new byte[8_000];
        long heard = 0;
        String end = "end";
        try {
            InputStream in = socket.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (Pattern.mismatch(SEED, heard, buffer, n) >= 0) {
                    System.out.println("BAD byte behind " + heard);
                }
                heard += n;
            }
            socket.getOutputStream().write(Long.toString(heard).getBytes());
        } catch (IOException e) {
            end = e.getMessage();
        }
        System.out.println("heard " + heard + " " + end);
    }

    private static void write(Socket socket, Path enough) throws Exception {
        OutputStream out = socket.getOutputStream();
        byte[] bytes = new byte[AT_ONCE];
        long said = 0;
        for (int i = 0; !Files.exists(enough); i++) {
            int n = i == 0 ? AT_ONCE : A_LITTLE;
            Pattern.fill(SEED, said, bytes, n);
            out.write(bytes, 0, n);
            said += n;
            if (i % PRINTED_EVERY == 0) {
                System.out.println("said " + said);
            }
            Thread.sleep(POLL_MILLIS);
        }
        socket.shutdownOutput();
        System.out.println("said " + said + " in all, answer " + new String(socket.getInputStream().readAllBytes()));
    }
}
