package org.smc4j.bench.plain;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * One connection as a benchmark uses it: whole messages out, whole messages in, one read or write call of the
 * measured API per call here where the API allows it. Used by one thread at a time.
 */
public abstract class Link implements Closeable {
    /** Buffer of a one-way receiver in bytes: it takes what has arrived, as the reader of a stream does. */
    static final int RECEIVE_BUFFER = 64 * 1024;

    private static final LongAdder SENT = new LongAdder();

    private ByteBuffer out;
    private ByteBuffer in;
    private long sent;

    /** Allocates what this API reads and writes without another copy. */
    abstract ByteBuffer allocate(int bytes);

    /** Sends all remaining bytes. */
    abstract void write(ByteBuffer bytes) throws IOException;

    /** Reads once, at least one byte unless at the end; returns the count or -1 at the end of the stream. */
    abstract int read(ByteBuffer bytes) throws IOException;

    /** Closes the connection. */
    abstract void disconnect() throws IOException;

    /** Sets the size in bytes of the messages to come; to be called before the first of them. */
    public final void messageSize(int size) {
        out = allocate(size);
        in = allocate(size);
    }

    /** The outgoing message; its capacity is the message size. */
    public final ByteBuffer out() {
        return out;
    }

    /** The received message, from 0 on. */
    public final ByteBuffer in() {
        return in;
    }

    /** Sends the outgoing message. */
    public final void send() throws IOException {
        out.clear();
        write(out);
        sent += out.capacity();
    }

    /** Sends the first bytes of the received message back. */
    final void sendBack(int bytes) throws IOException {
        in.position(0).limit(bytes);
        write(in);
        sent += bytes;
    }

    /** Receives exactly this many bytes; false when the stream ended before the first of them. */
    public final boolean receive(int bytes) throws IOException {
        in.position(0).limit(bytes);
        while (in.hasRemaining()) {
            if (read(in) < 0) {
                if (in.position() == 0) {
                    return false;
                }
                throw new EOFException("stream ended inside a message, after " + in.position() + " of " + bytes
                    + " bytes");
            }
        }
        return true;
    }

    /** Receives what one read brings, at most a buffer; -1 at the end of the stream. */
    final int receiveSome(ByteBuffer piece) throws IOException {
        piece.clear();
        return read(piece);
    }

    /** Sends a stamped message and receives it back, checked. */
    public final void roundTrip(long sequence) throws IOException {
        final int size = out.capacity();
        Message.stamp(out, sequence);
        send();
        if (!receive(size)) {
            throw new EOFException("server closed instead of answering");
        }
        Message.check(in, size, sequence);
    }

    final void greet(Message.Purpose purpose, int size) throws IOException {
        final ByteBuffer greeting = allocate(Message.GREETING_SIZE).put(Message.greeting(purpose, size)).flip();
        write(greeting);
        sent += Message.GREETING_SIZE;
    }

    /** Bytes sent by all links of this process that are closed by now. */
    static long totalSent() {
        return SENT.sum();
    }

    @Override
    public final void close() throws IOException {
        SENT.add(sent);
        sent = 0;
        disconnect();
    }
}
