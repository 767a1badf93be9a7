package org.smc4j.it.transparency;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.smc4j.it.transparency.Scenario.Role;

/**
 * What a half of a scenario has in its hands: the control channel to the other half, assertions that say what was
 * expected, and sockets that are closed when both halves are done.
 */
final class End {
    private static final String FAILED = "!failed";

    private final Role role;
    private final BlockingQueue<String> inbox;
    private final Consumer<String> outbox;
    private final BiConsumer<String, String> observer;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final Deque<FutureTask<?>> tasks = new ArrayDeque<>();

    End(final Role role, final BlockingQueue<String> inbox, final Consumer<String> outbox,
            final BiConsumer<String, String> observer) {
        this.role = role;
        this.inbox = inbox;
        this.outbox = outbox;
        this.observer = observer;
    }

    /** Runs the half, waits for the other half, then closes everything: neither pulls the rug from under the other. */
    void run(final Scenario.Half half) throws Exception {
        try {
            half.run(this);
            for (FutureTask<?> task; (task = next()) != null;) {
                await(task, 10_000);
            }
            say("!end", "");
            hear("!end");
        } catch (Throwable t) {
            outbox.accept(FAILED + " ");
            // The half may only have waited in vain for what a helper thread failed to do.
            for (FutureTask<?> task; (task = next()) != null;) {
                if (task.state() == Future.State.FAILED && task.exceptionNow() != t) {
                    t.addSuppressed(task.exceptionNow());
                }
            }
            throw t;
        } finally {
            close();
        }
    }

    private FutureTask<?> next() {
        synchronized (tasks) {
            return tasks.poll();
        }
    }

    private void close() {
        for (AutoCloseable resource; (resource = last()) != null;) {
            try {
                resource.close();
            } catch (Exception e) {
                // The scenario is over; what it wanted to know about closing it has asserted itself.
                continue;
            }
        }
    }

    private AutoCloseable last() {
        synchronized (resources) {
            return resources.pollLast();
        }
    }

    Role role() {
        return role;
    }

    // ---- control channel

    /** Tells the other half. */
    void say(final String key, final Object value) {
        outbox.accept(key + " " + value);
    }

    void say(final String key) {
        say(key, "");
    }

    /** The other half's next word, which must be this one; returns its value. */
    String hear(final String key) throws InterruptedException {
        final String line = inbox.take();
        final int space = line.indexOf(' ');
        if (line.startsWith(FAILED)) {
            throw new AssertionError("the " + role.peer().text() + " half failed while this half waited for \"" + key
                    + "\" from it");
        }
        if (!line.substring(0, space).equals(key)) {
            throw new AssertionError("halves out of step: expected \"" + key + "\", heard \"" + line + "\"");
        }
        return line.substring(space + 1);
    }

    int hearInt(final String key) throws InterruptedException {
        return Integer.parseInt(hear(key));
    }

    /** Both halves meet. */
    void meet(final String where) throws InterruptedException {
        say(where);
        hear(where);
    }

    /** Records a value that must be the same as in the run without agent. */
    void see(final String key, final Object value) {
        observer.accept(key, String.valueOf(value));
    }

    // ---- threads and resources

    /** Closed at the end of both halves. */
    <T extends AutoCloseable> T keep(final T resource) {
        synchronized (resources) {
            resources.add(resource);
        }
        return resource;
    }

    /** Starts a platform thread; what it throws fails the half. */
    <T> FutureTask<T> start(final Callable<T> work) {
        return start(false, work);
    }

    <T> FutureTask<T> start(final boolean virtual, final Callable<T> work) {
        final FutureTask<T> task = new FutureTask<>(work);
        synchronized (tasks) {
            tasks.add(task);
        }
        thread(virtual, task);
        return task;
    }

    Thread thread(final boolean virtual, final Runnable task) {
        final String name = Thread.currentThread().getName() + "+";
        return virtual ? Thread.ofVirtual().name(name).start(task)
                : Thread.ofPlatform().daemon().name(name).start(task);
    }

    static <T> T await(final FutureTask<T> task, final long millis) throws Exception {
        try {
            return task.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a helper thread still not done after " + millis + " ms", e);
        }
    }

    /** Long enough for another thread to have entered its blocking call. */
    static void pause() throws InterruptedException {
        Thread.sleep(120);
    }

    // ---- assertions

    static void check(final boolean holds, final String what) {
        if (!holds) {
            throw new AssertionError("not so: " + what);
        }
    }

    static void same(final Object expected, final Object seen, final String what) {
        if (!Objects.equals(expected, seen)) {
            throw new AssertionError(what + ": expected " + expected + ", seen " + seen);
        }
    }

    interface Op {
        Object run() throws Exception;
    }

    interface Act {
        void run() throws Exception;
    }

    /** The operation must throw exactly this class. */
    static <X extends Throwable> X fails(final Class<X> type, final String what, final Act act) {
        Throwable seen = null;
        try {
            act.run();
        } catch (Throwable t) {
            seen = t;
        }
        if (seen == null) {
            throw new AssertionError(what + ": expected " + type.getName() + ", but it returned normally");
        }
        if (seen.getClass() != type) {
            throw new AssertionError(what + ": expected " + type.getName() + ", seen " + seen, seen);
        }
        return type.cast(seen);
    }

    /** The operation must throw exactly this class with one of these messages. */
    static <X extends Throwable> X fails(final Class<X> type, final String what, final Act act,
            final String... allowed) {
        final X seen = fails(type, what, act);
        for (String message : allowed) {
            if (message.equals(seen.getMessage())) {
                return seen;
            }
        }
        throw new AssertionError(what + ": expected message " + String.join(" or ", allowed) + ", seen " + seen, seen);
    }

    /** Elapsed milliseconds must lie in [min, max]. */
    static void took(final long startNanos, final long min, final long max, final String what) {
        final long millis = (System.nanoTime() - startNanos) / 1_000_000;
        check(millis >= min && millis <= max, what + " took between " + min + " and " + max + " ms (took " + millis
                + ")");
    }

    /** Polls until the condition holds. */
    static void until(final String what, final long millis, final Callable<Boolean> condition) throws Exception {
        final long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > millis * 1_000_000) {
                throw new AssertionError("not within " + millis + " ms: " + what);
            }
            Thread.sleep(2);
        }
    }

    // ---- connections

    /** Where this end listens: a loopback address unless the ends are on two hosts. */
    static InetAddress here() {
        return address("it.here");
    }

    /** Where the other end listens. */
    static InetAddress there() {
        return address("it.there");
    }

    private static InetAddress address(final String property) {
        try {
            return InetAddress.getByName(System.getProperty(property));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(property, e);
        }
    }

    ServerSocket listen() throws IOException {
        final ServerSocket listener = keep(new ServerSocket(0, 1024, here()));
        say("port", listener.getLocalPort());
        return listener;
    }

    Socket accept() throws IOException {
        return keep(listen().accept());
    }

    Socket dial() throws IOException, InterruptedException {
        return keep(new Socket(there(), hearInt("port")));
    }

    ServerSocketChannel listenChannel() throws IOException {
        final ServerSocketChannel listener = keep(ServerSocketChannel.open());
        listener.bind(new InetSocketAddress(here(), 0), 1024);
        say("port", listener.socket().getLocalPort());
        return listener;
    }

    SocketChannel acceptChannel() throws IOException {
        return keep(listenChannel().accept());
    }

    InetSocketAddress peerAddress() throws InterruptedException {
        return new InetSocketAddress(there(), hearInt("port"));
    }

    SocketChannel dialChannel() throws IOException, InterruptedException {
        return keep(SocketChannel.open(peerAddress()));
    }

    /** Reads exactly this many bytes of the stream and checks them. */
    static void readAndCheck(final InputStream in, final Content content, final long position, final int length)
            throws IOException {
        final byte[] seen = in.readNBytes(length);
        content.check(seen, 0, seen.length, position);
        same(length, seen.length, "bytes before end of stream");
    }

    static void readAndCheckBytes(final InputStream in, final byte[] expected) throws IOException {
        same(java.util.Arrays.toString(expected), java.util.Arrays.toString(in.readNBytes(expected.length)), "bytes");
    }
}
