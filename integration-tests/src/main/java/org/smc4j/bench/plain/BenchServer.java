package org.smc4j.bench.plain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The server: one listener on 127.0.0.1 for every {@link Api}. Prints {@code ready channel=PORT ...}, then serves
 * until its standard input ends. Each line {@code gc} on standard input is answered after a garbage collection.
 */
public final class BenchServer {
    /** Room for 1,000 connections that are opened faster than they are accepted. */
    private static final int BACKLOG = 4096;

    private BenchServer() {
    }

    /** The one argument is the path of the UNIX domain listener, in a directory of the caller. */
    public static void main(String[] args) throws IOException {
        final StringBuilder ready = new StringBuilder("ready");
        for (Api api : Api.values()) {
            ready.append(' ').append(api.label()).append('=').append(listen(api, args[0]));
        }
        System.out.println(ready);
        final BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (commands.readLine() != null) {
            System.gc();
            System.out.println("result");
        }
        System.exit(0);
    }

    private static String listen(Api api, String unixPath) throws IOException {
        if (api == Api.SOCKET) {
            final ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getByName("127.0.0.1"));
            final ExecutorService threads = Executors.newCachedThreadPool(BenchServer::daemon);
            threads.execute(() -> acceptAll(() -> {
                final Link link = new SocketLink(listener.accept());
                threads.execute(() -> BlockingService.serve(link));
            }));
            return Integer.toString(listener.getLocalPort());
        }
        if (api == Api.UNIX) {
            final ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listener.bind(UnixDomainSocketAddress.of(Path.of(unixPath)));
            serveChannels(listener, Executors.newCachedThreadPool(BenchServer::daemon));
            return unixPath;
        }
        final ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress("127.0.0.1", 0), BACKLOG);
        switch (api) {
            case SELECTOR -> daemon(new SelectorService(listener)).start();
            case VIRTUAL -> serveChannels(listener, Executors.newVirtualThreadPerTaskExecutor());
            default -> serveChannels(listener, Executors.newCachedThreadPool(BenchServer::daemon));
        }
        return Integer.toString(listener.socket().getLocalPort());
    }

    private static void serveChannels(ServerSocketChannel listener, ExecutorService threads) {
        threads.execute(() -> acceptAll(() -> {
            final Link link = new ChannelLink(listener.accept());
            threads.execute(() -> BlockingService.serve(link));
        }));
    }

    private interface Accept {
        void next() throws IOException;
    }

    private static void acceptAll(Accept accept) {
        try {
            while (true) {
                accept.next();
            }
        } catch (IOException e) {
            System.err.println("server: accept: " + e);
        }
    }

    private static Thread daemon(Runnable work) {
        final Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }
}
