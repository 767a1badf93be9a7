package org.smc4j.it.transparency;

import static org.smc4j.it.transparency.End.check;
import static org.smc4j.it.transparency.End.fails;
import static org.smc4j.it.transparency.End.same;
import static org.smc4j.it.transparency.End.took;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.InterruptedByTimeoutException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritePendingException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** {@code AsynchronousSocketChannel}: groups, handlers, futures, timeouts, closing. */
final class AsyncScenarios {
    private AsyncScenarios() {
    }

    private interface Group {
        /** Null is the default group. */
        AsynchronousChannelGroup open() throws IOException;
    }

    static List<Scenario> all() {
        final List<Scenario> all = new ArrayList<>();
        all.add(group("fixed-group", () -> AsynchronousChannelGroup.withFixedThreadPool(2,
                Thread.ofPlatform().daemon().factory())));
        all.add(group("cached-group", () -> AsynchronousChannelGroup.withCachedThreadPool(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()), 1)));
        all.add(group("thread-pool-group", () -> AsynchronousChannelGroup.withThreadPool(
                Executors.newFixedThreadPool(3, Thread.ofPlatform().daemon().factory()))));
        all.add(group("virtual-thread-group", () -> AsynchronousChannelGroup.withThreadPool(
                Executors.newVirtualThreadPerTaskExecutor())));
        all.add(group("default-group", () -> null));
        all.addAll(operations());
        all.addAll(errors());
        return all;
    }

    private static AsynchronousServerSocketChannel listen(final End end, final AsynchronousChannelGroup group)
            throws IOException {
        final AsynchronousServerSocketChannel listener = end.keep(AsynchronousServerSocketChannel.open(group));
        listener.bind(new InetSocketAddress(End.here(), 0), 500);
        end.say("port", ((InetSocketAddress) listener.getLocalAddress()).getPort());
        return listener;
    }

    private static AsynchronousSocketChannel accept(final End end) throws Exception {
        return end.keep(listen(end, null).accept().get(5, TimeUnit.SECONDS));
    }

    private static AsynchronousSocketChannel dial(final End end) throws Exception {
        final AsynchronousSocketChannel channel = end.keep(AsynchronousSocketChannel.open());
        channel.connect(end.peerAddress()).get(5, TimeUnit.SECONDS);
        return channel;
    }

    /** A completion handler as a future. */
    private static final class Completion<T> extends CompletableFuture<T> implements CompletionHandler<T, Void> {
        @Override
        public void completed(final T result, final Void attachment) {
            complete(result);
        }

        @Override
        public void failed(final Throwable cause, final Void attachment) {
            completeExceptionally(cause);
        }
    }

    private static Throwable cause(final Future<?> future) throws Exception {
        try {
            final Object result = future.get(5, TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, but the operation returned " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** An echo server of handlers only, 100 connections at once. */
    private static Scenario group(final String name, final Group group) {
        return Scenario.data("async.echo-in-" + name, end -> {
            final AsynchronousChannelGroup threads = group.open();
            try {
                final AsynchronousServerSocketChannel listener = listen(end, threads);
                listener.accept(null, new CompletionHandler<AsynchronousSocketChannel, Void>() {
                    @Override
                    public void completed(final AsynchronousSocketChannel channel, final Void attachment) {
                        listener.accept(null, this);
                        new Echo(end.keep(channel)).read();
                    }

                    @Override
                    public void failed(final Throwable cause, final Void attachment) {
                        check(!listener.isOpen(), "accept goes on: " + cause);
                    }
                });
                end.hear("done");
            } finally {
                if (threads != null) {
                    threads.shutdownNow();
                    check(threads.awaitTermination(5, TimeUnit.SECONDS), "the group ends after shutdownNow");
                }
            }
        }, end -> {
            final InetSocketAddress address = end.peerAddress();
            final AsynchronousChannelGroup threads = group.open();
            try {
                final CountDownLatch done = new CountDownLatch(100);
                final List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
                for (int i = 0; i < 100; i++) {
                    new Client(end.keep(AsynchronousSocketChannel.open(threads)), i, done, failures).start(address);
                }
                final boolean all = done.await(10, TimeUnit.SECONDS);
                check(failures.isEmpty(), "no failures: " + failures);
                check(all, "all echoes complete; " + done.getCount() + " are missing");
            } finally {
                if (threads != null) {
                    threads.shutdownNow();
                }
            }
            end.say("done");
        });
    }

    /** Reads, writes back, reads again. */
    private static final class Echo implements CompletionHandler<Integer, Boolean> {
        private final AsynchronousSocketChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocate(2_000);

        Echo(final AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void read() {
            channel.read(buffer.clear(), true, this);
        }

        @Override
        public void completed(final Integer n, final Boolean wasRead) {
            if (wasRead && n < 0) {
                return;
            }
            if (wasRead) {
                buffer.flip();
            }
            if (buffer.hasRemaining()) {
                channel.write(buffer, false, this);
            } else {
                read();
            }
        }

        @Override
        public void failed(final Throwable cause, final Boolean attachment) {
            // The client checks that its echo is complete; a connection that ends in between is its failure.
            check(cause instanceof IOException, "I/O failure: " + cause);
        }
    }

    /** Writes and reads at the same time. */
    private record Client(AsynchronousSocketChannel channel, int number, CountDownLatch done, List<Throwable> failures,
            ByteBuffer out, ByteBuffer in) implements CompletionHandler<Integer, Boolean> {
        Client(final AsynchronousSocketChannel channel, final int number, final CountDownLatch done,
                final List<Throwable> failures) {
            this(channel, number, done, failures, ByteBuffer.wrap(new Content(number).bytes(0, 30_000)),
                    ByteBuffer.allocate(30_000));
        }

        void start(final InetSocketAddress address) {
            channel.connect(address, null, new CompletionHandler<Void, Void>() {
                @Override
                public void completed(final Void result, final Void attachment) {
                    channel.write(out, true, Client.this);
                    channel.read(in, false, Client.this);
                }

                @Override
                public void failed(final Throwable cause, final Void attachment) {
                    failures.add(cause);
                }
            });
        }

        @Override
        public void completed(final Integer n, final Boolean written) {
            if (written) {
                if (out.hasRemaining()) {
                    channel.write(out, true, this);
                }
            } else if (n < 0) {
                failures.add(new AssertionError("end of stream after " + in.position() + " bytes"));
            } else if (in.hasRemaining()) {
                channel.read(in, false, this);
            } else {
                try {
                    new Content(number).check(in.array(), 0, 30_000, 0);
                } catch (AssertionError e) {
                    failures.add(e);
                }
                done.countDown();
            }
        }

        @Override
        public void failed(final Throwable cause, final Boolean written) {
            failures.add(cause);
        }
    }

    private static List<Scenario> operations() {
        return List.of(
                Scenario.of("async.read-timeout", AsyncScenarios::accept, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    final long start = System.nanoTime();
                    final Completion<Integer> read = new Completion<>();
                    channel.read(ByteBuffer.allocate(5), 200, TimeUnit.MILLISECONDS, null, read);
                    same(InterruptedByTimeoutException.class, cause(read).getClass(), "failure of a timed read");
                    took(start, 190, 1_500, "timed read");
                    end.see("read after a timeout", LifeScenarios.outcome(() -> channel.read(ByteBuffer.allocate(5))));
                }),
                Scenario.of("async.write-timeout", AsyncScenarios::accept, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    Throwable failure = null;
                    for (int i = 0; failure == null && i < 1_000; i++) {
                        final Completion<Integer> write = new Completion<>();
                        channel.write(ByteBuffer.allocate(1 << 20), 200, TimeUnit.MILLISECONDS, null, write);
                        failure = write.handle((_, e) -> e).get(5, TimeUnit.SECONDS);
                    }
                    check(failure != null, "a write times out when the peer does not read");
                    same(InterruptedByTimeoutException.class, failure.getClass(), "failure of a timed write");
                }),
                Scenario.data("async.read-with-timeout-in-time", end -> {
                    final AsynchronousSocketChannel channel = accept(end);
                    for (int i = 0; i < 50; i++) {
                        final Completion<Integer> read = new Completion<>();
                        channel.read(ByteBuffer.allocate(5), 5, TimeUnit.SECONDS, null, read);
                        same(1, read.get(5, TimeUnit.SECONDS), "bytes");
                        channel.write(ByteBuffer.allocate(1)).get();
                    }
                }, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    for (int i = 0; i < 50; i++) {
                        final Completion<Integer> write = new Completion<>();
                        channel.write(ByteBuffer.allocate(1), 5, TimeUnit.SECONDS, null, write);
                        same(1, write.get(5, TimeUnit.SECONDS), "bytes written");
                        same(1, channel.read(ByteBuffer.allocate(5)).get(5, TimeUnit.SECONDS), "bytes read");
                    }
                }),
                Scenario.data("async.scatter-and-gather", end -> {
                    final AsynchronousSocketChannel channel = accept(end);
                    final ByteBuffer[] in = {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(1_000),
                            ByteBuffer.allocate(80_000)};
                    while (in[2].hasRemaining()) {
                        final Completion<Long> read = new Completion<>();
                        channel.read(in, 0, 3, 5, TimeUnit.SECONDS, null, read);
                        check(read.get(5, TimeUnit.SECONDS) > 0, "bytes");
                    }
                    int position = 0;
                    for (ByteBuffer piece : in) {
                        final byte[] seen = new byte[piece.flip().limit()];
                        piece.get(seen);
                        new Content(1).check(seen, 0, seen.length, position);
                        position += seen.length;
                    }
                }, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    final ByteBuffer[] out = {ByteBuffer.wrap(new Content(1).bytes(0, 50_000)),
                            ByteBuffer.wrap(new Content(1).bytes(50_000, 10)),
                            ByteBuffer.wrap(new Content(1).bytes(50_010, 31_000))};
                    while (out[2].hasRemaining()) {
                        final Completion<Long> write = new Completion<>();
                        channel.write(out, 0, 3, 5, TimeUnit.SECONDS, null, write);
                        check(write.get(5, TimeUnit.SECONDS) > 0, "bytes");
                    }
                }),
                Scenario.of("async.end-of-stream-completes-a-pending-read", end -> {
                    final AsynchronousSocketChannel channel = accept(end);
                    end.hear("reading");
                    End.pause();
                    channel.shutdownOutput();
                    same(1, channel.read(ByteBuffer.allocate(3)).get(5, TimeUnit.SECONDS), "other direction");
                }, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    final Future<Integer> read = channel.read(ByteBuffer.allocate(5));
                    end.say("reading");
                    same(-1, read.get(5, TimeUnit.SECONDS), "pending read when the peer shuts its output");
                    channel.write(ByteBuffer.allocate(1)).get();
                }),
                Scenario.of("async.reset-fails-a-pending-read", end -> {
                    // An asynchronous channel cannot ask for a reset itself.
                    final SocketChannel channel = end.acceptChannel();
                    end.hear("reading");
                    End.pause();
                    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                    channel.close();
                }, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    final Future<Integer> read = channel.read(ByteBuffer.allocate(5));
                    end.say("reading");
                    end.see("pending read when the peer resets", cause(read));
                }),
                Scenario.of("async.shutdownInput-and-errors-of-half-close", end -> {
                    same(1, accept(end).read(ByteBuffer.allocate(4)).get(), "bytes");
                }, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    channel.shutdownInput();
                    same(-1, channel.read(ByteBuffer.allocate(1)).get(), "read after shutdownInput");
                    channel.write(ByteBuffer.allocate(1)).get();
                    channel.shutdownOutput();
                    same(ClosedChannelException.class, cause(channel.write(ByteBuffer.allocate(1))).getClass(),
                            "failure of a write after shutdownOutput");
                }),
                Scenario.of("async.connect-refused", end -> {
                    final AsynchronousServerSocketChannel listener = AsynchronousServerSocketChannel.open();
                    listener.bind(new InetSocketAddress(End.here(), 0));
                    final int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
                    listener.close();
                    end.say("port", port);
                }, end -> {
                    final AsynchronousSocketChannel channel = end.keep(AsynchronousSocketChannel.open());
                    same("java.net.ConnectException: Connection refused", cause(channel.connect(end.peerAddress()))
                            .toString(), "failure of connect");
                }));
    }

    private static List<Scenario> errors() {
        return List.of(
                Scenario.of("async.close-fails-a-pending-read", end -> {
                    same(-1, accept(end).read(ByteBuffer.allocate(1)).get(5, TimeUnit.SECONDS), "peer closed");
                }, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    final Future<Integer> read = channel.read(ByteBuffer.allocate(5));
                    End.pause();
                    channel.close();
                    same(AsynchronousCloseException.class, cause(read).getClass(), "failure of the pending read");
                }),
                Scenario.of("async.close-fails-a-pending-write", end -> {
                    accept(end);
                    end.hear("closed");
                }, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    Future<Integer> write;
                    do {
                        write = channel.write(ByteBuffer.allocate(1 << 20));
                        End.pause();
                    } while (write.isDone());
                    channel.close();
                    same(AsynchronousCloseException.class, cause(write).getClass(), "failure of the pending write");
                    end.say("closed");
                }),
                Scenario.of("async.close-fails-a-pending-accept", end -> {
                    final AsynchronousServerSocketChannel listener = listen(end, null);
                    final Future<AsynchronousSocketChannel> accept = listener.accept();
                    End.pause();
                    listener.close();
                    same(AsynchronousCloseException.class, cause(accept).getClass(), "failure of the pending accept");
                }, end -> end.hear("port")),
                Scenario.of("async.one-operation-per-direction", AsyncScenarios::accept, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    channel.read(ByteBuffer.allocate(1));
                    fails(ReadPendingException.class, "second read", () -> channel.read(ByteBuffer.allocate(1)));
                    Future<Integer> write;
                    do {
                        write = channel.write(ByteBuffer.allocate(1 << 20));
                        End.pause();
                    } while (write.isDone());
                    fails(WritePendingException.class, "second write", () -> channel.write(ByteBuffer.allocate(1)));
                }),
                Scenario.of("async.cancel-of-a-pending-read", AsyncScenarios::accept, end -> {
                    final AsynchronousSocketChannel channel = dial(end);
                    final Future<Integer> read = channel.read(ByteBuffer.allocate(1));
                    End.pause();
                    check(read.cancel(false) && read.isCancelled(), "cancelled");
                    end.see("read after cancel", LifeScenarios.outcome(() -> {
                        final Future<Integer> next = channel.read(ByteBuffer.allocate(1));
                        return next.isDone() ? cause(next) : "pending";
                    }));
                }),
                Scenario.of("async.state-errors", end -> accept(end).write(ByteBuffer.allocate(1)).get(), end -> {
                    final AsynchronousSocketChannel fresh = end.keep(AsynchronousSocketChannel.open());
                    fails(NotYetConnectedException.class, "read before connect",
                            () -> fresh.read(ByteBuffer.allocate(1)));
                    final AsynchronousSocketChannel channel = dial(end);
                    fails(IllegalArgumentException.class, "read into a read-only buffer",
                            () -> channel.read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
                    same(1, channel.read(ByteBuffer.allocate(9)).get(5, TimeUnit.SECONDS), "bytes");
                    channel.close();
                    same(ClosedChannelException.class, cause(channel.read(ByteBuffer.allocate(1))).getClass(),
                            "failure of a read after close");
                    check(channel.getClass().getName().startsWith("sun.nio.ch."), "the JDK's own class");
                }),
                Scenario.of("async.group-shutdown", AsyncScenarios::accept, end -> {
                    final AsynchronousChannelGroup group =
                            AsynchronousChannelGroup.withFixedThreadPool(1, Thread.ofPlatform().daemon().factory());
                    final AsynchronousSocketChannel channel = AsynchronousSocketChannel.open(group);
                    channel.connect(end.peerAddress()).get(5, TimeUnit.SECONDS);
                    group.shutdown();
                    fails(ShutdownChannelGroupException.class, "open in a group that was shut down",
                            () -> AsynchronousSocketChannel.open(group));
                    check(!group.isTerminated(), "the group lives as long as its channels");
                    channel.close();
                    check(group.awaitTermination(5, TimeUnit.SECONDS), "the group ends with its last channel");
                }));
    }
}
