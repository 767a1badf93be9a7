package org.smc4j.bench;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The same two measurements over an Aeron IPC publication, both ends spinning with yields: what shared memory gives
 * to a program that is written for it. Not a figure to reach, a ceiling to know.
 */
final class AeronCeiling {
    /** Agrona reads and writes off-heap memory through the JDK's internals. */
    static final List<String> JVM_OPTIONS = List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow");

    private static final String CHANNEL = "aeron:ipc";
    private static final int REQUEST = 1;
    private static final int REPLY = 2;
    private static final int SINK = 3;
    private static final int ANSWER = 4;
    private static final long MARK = Long.MIN_VALUE;
    private static final int FRAGMENTS = 64;
    private static final int TERM_LENGTH = 16 * 1024 * 1024;
    private static final ByteOrder ORDER = ByteOrder.BIG_ENDIAN;

    private final Publication out;
    private final Publication bulk;
    private final Subscription in;
    private final Subscription bulkIn;

    private AeronCeiling(Aeron aeron, boolean server) {
        out = aeron.addExclusivePublication(CHANNEL, server ? REPLY : REQUEST);
        bulk = aeron.addExclusivePublication(CHANNEL, server ? ANSWER : SINK);
        in = aeron.addSubscription(CHANNEL, server ? REQUEST : REPLY);
        bulkIn = aeron.addSubscription(CHANNEL, server ? SINK : ANSWER);
    }

    /** The arguments are {@code server} or {@code client} and the directory of the media driver. */
    public static void main(String[] args) throws IOException {
        if (args[0].equals("server")) {
            final MediaDriver.Context driver = new MediaDriver.Context().aeronDirectoryName(args[1])
                .threadingMode(ThreadingMode.SHARED).sharedIdleStrategy(new BackoffIdleStrategy())
                .ipcTermBufferLength(TERM_LENGTH).ipcMtuLength(Configuration.MAX_UDP_PAYLOAD_LENGTH)
                .dirDeleteOnStart(true).dirDeleteOnShutdown(true);
            try (MediaDriver media = MediaDriver.launch(driver); Aeron aeron = connect(media.aeronDirectoryName())) {
                Thread.ofPlatform().daemon().start(new AeronCeiling(aeron, true)::serve);
                System.out.println("ready");
                while (System.in.read() >= 0) {
                    // Nothing is asked of the server; the end of its input is its end.
                }
            }
        } else {
            try (Aeron aeron = connect(args[1])) {
                new AeronCeiling(aeron, false).commands();
            }
        }
        System.exit(0);
    }

    private static Aeron connect(String directory) {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
    }

    private void serve() {
        final Sink sink = new Sink();
        final FragmentHandler echo = new FragmentAssembler((buffer, offset, length, header) ->
            offer(out, buffer, offset, length));
        final FragmentHandler count = new FragmentAssembler(sink);
        while (true) {
            if (in.poll(echo, FRAGMENTS) + bulkIn.poll(count, FRAGMENTS) == 0) {
                Thread.yield();
            }
        }
    }

    private static void offer(Publication publication, DirectBuffer buffer, int offset, int length) {
        while (publication.offer(buffer, offset, length) < 0) {
            if (publication.isClosed()) {
                throw new IllegalStateException("publication closed");
            }
            Thread.yield();
        }
    }

    private static boolean whole(DirectBuffer buffer, int offset, int length, long header) {
        return buffer.getLong(offset, ORDER) == header
            && buffer.getLong(offset + length - Long.BYTES, ORDER) == ~header;
    }

    /** Checks and counts; a message with sequence number 0 starts a new stream. */
    private final class Sink implements FragmentHandler {
        private final UnsafeBuffer answer = new UnsafeBuffer(new byte[2 * Long.BYTES]);
        private long sequence;
        private long bytes;

        @Override
        public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
            final long stamp = buffer.getLong(offset, ORDER);
            if ((stamp & ~MARK) == 0) {
                sequence = 0;
                bytes = 0;
            }
            bytes += whole(buffer, offset, length, stamp) && (stamp & ~MARK) == sequence ? length : 0;
            sequence++;
            if (stamp < 0) {
                answer.putLong(0, bytes);
                answer.putLong(Long.BYTES, System.nanoTime());
                offer(bulk, answer, 0, answer.capacity());
            }
        }
    }

    private void commands() throws IOException {
        System.out.println("ready");
        final BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            final String[] words = line.split(" ");
            final UnsafeBuffer message = new UnsafeBuffer(new byte[Integer.parseInt(words[1])]);
            final long warmUp = Long.parseLong(words[2]) * 1_000_000;
            final long duration = Long.parseLong(words[3]) * 1_000_000;
            System.out.println(words[0].equals("roundtrip")
                ? roundTrip(message, warmUp, duration)
                : oneWay(message, warmUp, duration));
        }
    }

    private static void stamp(UnsafeBuffer message, long header) {
        message.putLong(0, header, ORDER);
        message.putLong(message.capacity() - Long.BYTES, ~header, ORDER);
    }

    private String roundTrip(UnsafeBuffer message, long warmUp, long duration) {
        final long[] expected = new long[1];
        final boolean[] arrived = new boolean[1];
        final FragmentHandler reply = new FragmentAssembler((buffer, offset, length, header) ->
            arrived[0] = length == message.capacity() && whole(buffer, offset, length, expected[0]));
        final long[] samples = new long[1 << 20];
        int count = 0;
        final long start = System.nanoTime();
        long before = start;
        while (before - start < warmUp + duration && count < samples.length) {
            stamp(message, ++expected[0]);
            arrived[0] = false;
            offer(out, message, 0, message.capacity());
            while (in.poll(reply, FRAGMENTS) == 0 || !arrived[0]) {
                Thread.yield();
            }
            final long now = System.nanoTime();
            if (now - start >= warmUp) {
                samples[count++] = now - before;
            }
            before = now;
        }
        Arrays.sort(samples, 0, count);
        return "result p50_ns=" + samples[count / 2] + " p99_ns=" + samples[(int) (count * 0.99)];
    }

    private String oneWay(UnsafeBuffer message, long warmUp, long duration) {
        final long marked = sendFor(message, 0, warmUp);
        final long sent = sendFor(message, marked, duration);
        final long[] begin = answer();
        final long[] end = answer();
        if (begin[0] != marked * message.capacity() || end[0] != sent * message.capacity()) {
            return "error sent " + sent * message.capacity() + " bytes, receiver counted " + end[0];
        }
        return "result mbps=" + (end[0] - begin[0]) / 1e6 / ((end[1] - begin[1]) / 1e9);
    }

    private long sendFor(UnsafeBuffer message, long first, long nanos) {
        final int burst = Math.max(1, 16 * 1024 / message.capacity());
        final long end = System.nanoTime() + nanos;
        long sequence = first;
        do {
            for (int i = 0; i < burst; i++) {
                stamp(message, sequence++);
                offer(bulk, message, 0, message.capacity());
            }
        } while (System.nanoTime() - end < 0);
        stamp(message, sequence++ | MARK);
        offer(bulk, message, 0, message.capacity());
        return sequence;
    }

    private long[] answer() {
        final long[] answer = new long[2];
        while (bulkIn.poll((buffer, offset, length, header) -> {
            answer[0] = buffer.getLong(offset);
            answer[1] = buffer.getLong(offset + Long.BYTES);
        }, 1) == 0) {
            Thread.yield();
        }
        return answer;
    }
}
