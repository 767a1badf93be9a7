package org.smc4j.bench.plain;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** The ways a Java program can use a stream socket; every one is served by its own listener of {@link BenchServer}. */
public enum Api {
    /** A blocking {@link SocketChannel} on platform threads. */
    CHANNEL,
    /** The streams of a {@link Socket} on platform threads. */
    SOCKET,
    /** A non-blocking {@link SocketChannel} and a selector. */
    SELECTOR,
    /** A blocking {@link SocketChannel} on virtual threads. */
    VIRTUAL,
    /** A blocking {@link SocketChannel} of the JDK's UNIX domain: what an application gets by being changed. */
    UNIX;

    /** The name used in commands and tables. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The inverse of {@link #label()}. */
    public static Api of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }

    /**
     * Connects to a listener of this API and says what the connection is for.
     *
     * @param target a port of 127.0.0.1, or for {@link #UNIX} a path
     * @param size   message size in bytes, at least {@link Message#MIN_SIZE}
     */
    public Link connect(String target, Message.Purpose purpose, int size) throws IOException {
        final Link link = open(target);
        try {
            link.messageSize(size);
            link.greet(purpose, size);
            return link;
        } catch (IOException e) {
            link.close();
            throw e;
        }
    }

    /** Connects and sends nothing. */
    Link open(String target) throws IOException {
        if (this == SOCKET) {
            return new SocketLink(new Socket("127.0.0.1", Integer.parseInt(target)));
        }
        final SocketAddress address = this == UNIX
            ? UnixDomainSocketAddress.of(Path.of(target))
            : new InetSocketAddress("127.0.0.1", Integer.parseInt(target));
        final SocketChannel channel = this == UNIX
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
        try {
            channel.connect(address);
            return this == SELECTOR ? new SelectorLink(channel) : new ChannelLink(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Runs a measurement on the kind of thread this API is measured with. */
    public <T> T call(Callable<T> work) throws Exception {
        if (this != VIRTUAL) {
            return work.call();
        }
        final FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().name("bench").start(task);
        return task.get();
    }
}
