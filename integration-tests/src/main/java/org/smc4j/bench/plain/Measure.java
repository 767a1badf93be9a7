package org.smc4j.bench.plain;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The measurements on one connection, or on one connection after another. Times are in nanoseconds. */
final class Measure {
    private static final int MAX_SAMPLES = 1 << 20;
    /** Bytes between two looks at the clock of a one-way sender. */
    private static final int CLOCK_EVERY_BYTES = 16 * 1024;

    private final long warmUp;
    private final long duration;

    Measure(long warmUp, long duration) {
        this.warmUp = warmUp;
        this.duration = duration;
    }

    String roundTrip(Api api, String target, int size) throws IOException {
        try (Link link = api.connect(target, Message.Purpose.ECHO, size)) {
            long sequence = 0;
            for (long end = System.nanoTime() + warmUp; System.nanoTime() - end < 0;) {
                link.roundTrip(sequence++);
            }
            final long[] samples = new long[MAX_SAMPLES];
            int count = 0;
            final long start = System.nanoTime();
            long before = start;
            while (before - start < duration && count < MAX_SAMPLES) {
                link.roundTrip(sequence++);
                final long now = System.nanoTime();
                samples[count++] = now - before;
                before = now;
            }
            return percentiles(samples, count);
        }
    }

    private static String percentiles(long[] samples, int count) {
        Arrays.sort(samples, 0, count);
        return "p50_ns=" + samples[count / 2] + " p99_ns=" + samples[(int) (count * 0.99)] + " count=" + count;
    }

    /** Sends as fast as it can; the figures are the receiver's, between two marked messages that it had whole. */
    String oneWay(Api api, String target, int size) throws IOException {
        try (Link link = api.connect(target, Message.Purpose.SINK, size)) {
            final long marked = sendFor(link, 0, warmUp);
            final long sent = sendFor(link, marked, duration);
            final long[] begin = answer(link);
            final long[] end = answer(link);
            if (begin[0] != marked * size || end[0] != sent * size) {
                throw new IOException("sent " + sent * size + " bytes, receiver counted " + end[0]);
            }
            final double seconds = (end[1] - begin[1]) / 1e9;
            final long bytes = end[0] - begin[0];
            return "mbps=" + bytes / 1e6 / seconds + " msgs=" + bytes / size / seconds;
        }
    }

    /** Sends messages for a while, the last of them marked; returns the next sequence number. */
    private static long sendFor(Link link, long first, long nanos) throws IOException {
        final ByteBuffer message = link.out();
        final int burst = Math.max(1, CLOCK_EVERY_BYTES / message.capacity());
        final long end = System.nanoTime() + nanos;
        long sequence = first;
        do {
            for (int i = 0; i < burst; i++) {
                Message.stamp(message, sequence++);
                link.send();
            }
        } while (System.nanoTime() - end < 0);
        Message.stamp(message, sequence++ | Message.MARK);
        link.send();
        return sequence;
    }

    private static long[] answer(Link link) throws IOException {
        if (!link.receive(Message.GREETING_SIZE)) {
            throw new EOFException("receiver closed without its answer");
        }
        return new long[] {link.in().getLong(0), link.in().getLong(Long.BYTES)};
    }

    /** Connects, sends greeting and one message in one write, receives the echo, closes; again and again. */
    String connects(Api api, String target, int size, int limit) throws IOException {
        for (long end = System.nanoTime() + warmUp; System.nanoTime() - end < 0;) {
            connectOnce(api, target, size, 0);
        }
        final long start = System.nanoTime();
        long now = start;
        int count = 0;
        while (now - start < duration && count < limit) {
            connectOnce(api, target, size, count++);
            now = System.nanoTime();
        }
        return "per_second=" + count / ((now - start) / 1e9) + " count=" + count;
    }

    private static void connectOnce(Api api, String target, int size, long sequence) throws IOException {
        try (Link link = api.open(target)) {
            link.messageSize(Message.GREETING_SIZE + size);
            final ByteBuffer out = link.out();
            Message.stamp(out, sequence);
            out.putLong(Message.GREETING_SIZE, sequence);
            out.put(0, Message.greeting(Message.Purpose.ECHO, size), 0, Message.GREETING_SIZE);
            link.send();
            if (!link.receive(size)) {
                throw new EOFException("server closed instead of answering");
            }
            Message.check(link.in(), size, sequence);
        }
    }
}
