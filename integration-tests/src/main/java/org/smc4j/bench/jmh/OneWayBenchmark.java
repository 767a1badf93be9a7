package org.smc4j.bench.jmh;

import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.smc4j.bench.plain.Link;
import org.smc4j.bench.plain.Message;

/**
 * Throughput of a stream in MiB per second: batches of messages, each batch ended by the receiver's word that it has
 * all of it. The one answer for a batch costs less than a thousandth of the batch.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OneWayBenchmark extends Connected {
    /** MiB in a batch. */
    private static final int BATCH = 4;

    private long received;

    @Setup(Level.Trial)
    public void open() throws IOException {
        received = 0;
        connect(Message.Purpose.SINK);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        disconnect();
    }

    /** One operation is one MiB. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void stream() throws IOException {
        final Link link = link();
        final int messages = BATCH * 1024 * 1024 / size;
        for (int i = 1; i < messages; i++) {
            Message.stamp(link.out(), nextSequence());
            link.send();
        }
        Message.stamp(link.out(), nextSequence() | Message.MARK);
        link.send();
        if (!link.receive(Message.GREETING_SIZE)) {
            throw new EOFException("receiver closed without its answer");
        }
        received += (long) messages * size;
        if (link.in().getLong(0) != received) {
            throw new IOException("sent " + received + " bytes, receiver counted " + link.in().getLong(0));
        }
    }
}
