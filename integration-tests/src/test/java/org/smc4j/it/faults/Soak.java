package org.smc4j.it.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code server SEED PORT...} or {@code client SEED SECONDS PORT...}, a port for each {@link Kind} and {@link Order} of the
 * server's end. The client makes connections of random kinds, some at a time, until the time is over.
 */
final class Soak {
    private static final int AT_A_TIME = 6;
    private static final long CONNECTION_SECONDS = 30;
    private static final ThreadFactory PLATFORM = action -> {
        Thread thread = new Thread(action);
        thread.setDaemon(true);
        return thread;
    };
    private static final ThreadFactory VIRTUAL = Thread.ofVirtual().factory();

    /** What an end uses. */
    enum Kind {
        SOCKET, VIRTUAL_SOCKET, CHANNEL, SELECTOR, ASYNC;

        private static final Kind[] ALL = values();
    }

    /** What an end does first, and until it is done. */
    enum Order {
        SPEAK_FIRST, LISTEN_FIRST, BOTH;

        private static final Order[] ALL = values();

        Order ofPeer() {
            return this == SPEAK_FIRST ? LISTEN_FIRST : this == LISTEN_FIRST ? SPEAK_FIRST : BOTH;
        }
    }

    private final SoakSelector selector = new SoakSelector();
    private final AtomicLong seeds;
    private final AtomicLong good = new AtomicLong();

    private Soak(long seed) throws IOException {
        seeds = new AtomicLong(seed);
    }

    /** How many ports there are. */
    static int ports() {
        return Kind.ALL.length * Order.ALL.length;
    }

    public static void main(String[] args) throws Exception {
        Soak soak = new Soak(Long.parseLong(args[1]));
        if (args[0].equals("server")) {
            for (int i = 0; i < ports(); i++) {
                soak.serve(Kind.ALL[i / Order.ALL.length], Order.ALL[i % Order.ALL.length], Integer.parseInt(args[2 + i]));
            }
            System.out.println("ready");
            Thread.sleep(Long.MAX_VALUE);
        }
        soak.connect(args);
    }

    // -- Server --

    private void serve(Kind kind, Order order, int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        switch (kind) {
            case SOCKET, VIRTUAL_SOCKET -> {
                ServerSocket server = new ServerSocket();
                server.bind(address);
                ThreadFactory threads = kind == Kind.SOCKET ? PLATFORM : VIRTUAL;
                threads.newThread(() -> {
                    while (true) {
                        try {
                            Socket socket = server.accept();
                            report(kind + " " + order, run(threads, talk -> SoakBlocking.run(socket, talk, order, threads)));
                        } catch (IOException e) {
                            System.out.println("BAD accept: " + e);
                        }
                    }
                }).start();
            }
            case CHANNEL, SELECTOR -> {
                ServerSocketChannel server = ServerSocketChannel.open().bind(address);
                PLATFORM.newThread(() -> {
                    while (true) {
                        try {
                            SocketChannel channel = server.accept();
                            report(kind + " " + order, kind == Kind.CHANNEL
                                    ? run(PLATFORM, talk -> SoakBlocking.run(channel, talk, order, PLATFORM))
                                    : selector.run(channel, talk(), order));
                        } catch (IOException e) {
                            System.out.println("BAD accept: " + e);
                        }
                    }
                }).start();
            }
            case ASYNC -> {
                AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(address);
                server.accept(null, new CompletionHandler<AsynchronousSocketChannel, Void>() {
                    @Override
                    public void completed(AsynchronousSocketChannel channel, Void attachment) {
                        server.accept(null, this);
                        report(kind + " " + order, SoakAsync.run(channel, talk(), order));
                    }

                    @Override
                    public void failed(Throwable e, Void attachment) {
                        System.out.println("BAD accept: " + e);
                    }
                });
            }
        }
    }

    private static void report(String what, CompletableFuture<Void> end) {
        end.whenComplete((nothing, failure) -> {
            if (failure != null) {
                System.out.println("BAD " + what + ": " + failure);
            }
        });
    }

    private SoakTalk talk() {
        return new SoakTalk(seeds.getAndIncrement());
    }

    private interface Conversation {
        void run(SoakTalk talk) throws IOException;
    }

    private CompletableFuture<Void> run(ThreadFactory threads, Conversation conversation) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        SoakTalk talk = talk();
        threads.newThread(() -> {
            try {
                conversation.run(talk);
                end.complete(null);
            } catch (IOException e) {
                end.completeExceptionally(e);
            }
        }).start();
        return end;
    }

    // -- Client --

    private void connect(String[] args) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
        Thread[] threads = new Thread[AT_A_TIME];
        for (int i = 0; i < AT_A_TIME; i++) {
            SplittableRandom random = new SplittableRandom(seeds.getAndIncrement());
            threads[i] = new Thread(() -> {
                while (System.nanoTime() < end) {
                    int index = random.nextInt(ports());
                    Kind kind = Kind.ALL[random.nextInt(Kind.ALL.length)];
                    connect(kind, index, Integer.parseInt(args[3 + index]));
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("connections " + good.get() + " good");
    }

    private void connect(Kind kind, int index, int port) {
        Order order = Order.ALL[index % Order.ALL.length].ofPeer();
        String what = kind + " " + order + " to " + Kind.ALL[index / Order.ALL.length];
        try {
            start(kind, order, new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .orTimeout(CONNECTION_SECONDS, TimeUnit.SECONDS).join();
            good.incrementAndGet();
        } catch (IOException | CompletionException e) {
            System.out.println("BAD " + what + ": " + e);
        }
    }

    private CompletableFuture<Void> start(Kind kind, Order order, InetSocketAddress address) throws IOException {
        return switch (kind) {
            case SOCKET, VIRTUAL_SOCKET -> {
                ThreadFactory threads = kind == Kind.SOCKET ? PLATFORM : VIRTUAL;
                yield run(threads, talk -> SoakBlocking.run(new Socket(address.getAddress(), address.getPort()), talk, order,
                        threads));
            }
            case CHANNEL -> run(PLATFORM, talk -> SoakBlocking.run(SocketChannel.open(address), talk, order, PLATFORM));
            case SELECTOR -> selector.run(SocketChannel.open(address), talk(), order);
            case ASYNC -> {
                AsynchronousSocketChannel channel = AsynchronousSocketChannel.open();
                CompletableFuture<Void> connected = new CompletableFuture<>();
                channel.connect(address, null, new CompletionHandler<Void, Void>() {
                    @Override
                    public void completed(Void nothing, Void attachment) {
                        connected.complete(null);
                    }

                    @Override
                    public void failed(Throwable e, Void attachment) {
                        connected.completeExceptionally(e);
                    }
                });
                yield connected.thenCompose(nothing -> SoakAsync.run(channel, talk(), order));
            }
        };
    }
}
