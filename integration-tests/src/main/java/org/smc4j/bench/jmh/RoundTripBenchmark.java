package org.smc4j.bench.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.smc4j.bench.plain.Message;

/** Time from sending a message until all of its echo has arrived and been checked. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RoundTripBenchmark extends Connected {
    @Setup(Level.Trial)
    public void open() throws IOException {
        connect(Message.Purpose.ECHO);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        disconnect();
    }

    @Benchmark
    public void roundTrip() throws IOException {
        link().roundTrip(nextSequence());
    }
}
