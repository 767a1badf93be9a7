package org.smc4j.it.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * {@code PORT CONNECTIONS BYTES}: opens that many connections to an {@link EchoServer} at once, sends checked content over
 * each, and ends when all has come back. Prints a line when all is connected, one when all is written, and the result.
 */
final class EchoClient {
    private static final int CHUNK = 8192;
    private static final int TIMEOUT_MILLIS = 30_000;

    private EchoClient() {
    }

    /** Waits for the file of the property {@code faults.go}, if there is one: the test does something to us before. */
    static void awaitGo() throws InterruptedException {
        awaitGo("");
    }

    /** @param step what the name of the file has behind that of the property: a program can wait for more than one */
    static void awaitGo(String step) throws InterruptedException {
        while (!mayGo(step)) {
            Thread.sleep(10);
        }
    }

    static boolean mayGo() {
        return mayGo("");
    }

    private static boolean mayGo(String step) {
        String file = System.getProperty("faults.go");
        return file == null || Files.exists(Path.of(file + step));
    }

    public static void main(String[] args) throws Exception {
        awaitGo();
        int port = Integer.parseInt(args[0]);
        int connections = Integer.parseInt(args[1]);
        int bytes = Integer.parseInt(args[2]);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Socket socket = new Socket();
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            sockets.add(socket);
        }
        System.out.println("connected");
        int good = 0;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Boolean>> written = new ArrayList<>();
            List<Future<Boolean>> read = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                Socket socket = sockets.get(i);
                long seed = i;
                written.add(threads.submit(guarded("write", () -> write(socket, seed, bytes))));
                read.add(threads.submit(guarded("read", () -> read(socket, seed, bytes))));
            }
            for (Future<Boolean> each : written) {
                each.get();
            }
            System.out.println("written");
            for (Future<Boolean> each : read) {
                good += each.get() ? 1 : 0;
            }
        }
        for (Socket socket : sockets) {
            socket.close();
        }
        System.out.println("echo " + good + "/" + connections + " good");
    }

    private static Callable<Boolean> guarded(String what, Callable<Boolean> action) {
        return () -> {
            try {
                return action.call();
            } catch (IOException e) {
                System.out.println(what + ": " + e);
                return false;
            }
        };
    }

    private static boolean write(Socket socket, long seed, int bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        byte[] chunk = new byte[CHUNK];
        for (int done = 0; done < bytes; done += CHUNK) {
            int n = Math.min(CHUNK, bytes - done);
            Pattern.fill(seed, done, chunk, n);
            out.write(chunk, 0, n);
        }
        return true;
    }

    private static boolean read(Socket socket, long seed, int bytes) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] chunk = new byte[CHUNK];
        int done = 0;
        while (done < bytes) {
            int n = in.read(chunk);
            if (n < 0 || Pattern.mismatch(seed, done, chunk, n) >= 0) {
                System.out.println(n < 0 ? "end of stream at " + done : "wrong content near " + done);
                return false;
            }
            done += n;
        }
        return true;
    }
}
