package org.smc4j.bench.jmh;

import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.smc4j.bench.plain.Api;
import org.smc4j.bench.plain.Link;
import org.smc4j.bench.plain.Message;

/** One connection to a peer JVM, with the parameters that all benchmarks share. */
@State(Scope.Thread)
public abstract class Connected {
    /** What the bytes are meant to travel over; set by the runner together with the JVM's options. */
    @Param("tcp")
    public String transport;
    /** The API by {@link Api#label()}. */
    @Param({"channel", "socket", "selector", "virtual"})
    public String api;
    /** Message size in bytes. */
    @Param({"64", "1024", "8192", "65536"})
    public int size;

    private Peer peer;
    private Link link;
    private long sequence;

    final void connect(Message.Purpose purpose) throws IOException {
        final Api kind = Api.of(api);
        if (kind == Api.VIRTUAL && !Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("measured on a platform thread: give -Djmh.executor=VIRTUAL to the fork");
        }
        peer = new Peer();
        sequence = 0;
        link = kind.connect(peer.target(kind), purpose, size);
    }

    final void disconnect() throws IOException {
        try {
            if (link != null) {
                link.close();
            }
        } finally {
            if (peer != null) {
                peer.close();
            }
        }
    }

    final Link link() {
        return link;
    }

    final long nextSequence() {
        return sequence++;
    }
}
