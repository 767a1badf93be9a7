package org.smc4j.it.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.smc4j.sideband.SidebandQuery;
import java.util.List;

import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.UnixSocket;

/** One end of a sideband connection, in the hands of the test. */
final class Sideline implements AutoCloseable {
    private static final long STATUS_NANOS = 5_000_000_000L;
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    /** A message and its descriptors, which are the receiver's. */
    record Received(Wire.Envelope envelope, int[] descriptors) {
        void close() {
            for (int descriptor : descriptors) {
                Linux.close(descriptor);
            }
        }
    }

    private final int fd;

    private Sideline(int fd) {
        this.fd = fd;
    }

    static Sideline connect(String name) {
        int fd = UnixSocket.open();
        int result = UnixSocket.connect(fd, name);
        if (result != 0) {
            Linux.close(fd);
            throw new IllegalStateException("connect to " + name + ": " + Errno.describe(result));
        }
        return new Sideline(fd);
    }

    /** Publishes a name of one's own. */
    static int listen(String name) {
        int fd = UnixSocket.open();
        int result = UnixSocket.bind(fd, name);
        if (result != 0 || UnixSocket.listen(fd, 128) != 0) {
            throw new IllegalStateException("bind to " + name + ": " + Errno.describe(result));
        }
        return fd;
    }

    /** The next connection to a name, or null if none comes in time. */
    static Sideline accept(int listener, long millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        do {
            int fd = UnixSocket.accept(listener);
            if (fd >= 0) {
                return new Sideline(fd);
            }
            pause();
        } while (System.nanoTime() < end);
        return null;
    }

    /** Sends as it is; whether the peer still listens does not matter. */
    boolean send(byte[] message, int... descriptors) {
        int result;
        long end = System.nanoTime() + PATIENCE_NANOS;
        while ((result = UnixSocket.send(fd, message, descriptors)) == -Errno.EAGAIN && System.nanoTime() < end) {
            pause();
        }
        return result >= 0;
    }

    boolean send(int type, long id, byte[] tuple, byte[] payload, int... descriptors) {
        return send(Wire.message(type, id, tuple, payload), descriptors);
    }

    /** The next message, or null if there is none in time or the peer has closed. */
    Received receive(long millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        do {
            try {
                UnixSocket.Message message = UnixSocket.receive(fd);
                return message == null ? null
                        : new Received(Wire.Envelope.of(message.bytes()), message.descriptors());
            } catch (UnixSocket.Unavailable e) {
                if (e.result() != -Errno.EAGAIN) {
                    return null;
                }
                pause();
            }
        } while (System.nanoTime() < end);
        return null;
    }

    /** The next message of that type; others are thrown away. */
    Received receive(int type, long millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        Received received;
        while ((received = receive(Math.max(1, (end - System.nanoTime()) / 1_000_000L))) != null) {
            if (received.envelope().type() == type) {
                return received;
            }
            received.close();
        }
        return null;
    }

    /** Throws away what has come. */
    void drain() {
        try {
            UnixSocket.Message message;
            while ((message = UnixSocket.receive(fd)) != null) {
                message.closeDescriptors();
            }
        } catch (UnixSocket.Unavailable e) {
            return;
        }
    }

    /** Whether the peer closes its end in time. */
    boolean isClosedWithin(long millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        do {
            try {
                UnixSocket.Message message = UnixSocket.receive(fd);
                if (message == null) {
                    return true;
                }
                message.closeDescriptors();
            } catch (UnixSocket.Unavailable e) {
                if (e.result() != -Errno.EAGAIN) {
                    return true;
                }
                pause();
            }
        } while (System.nanoTime() < end);
        return false;
    }

    /** The sockets of a process with the agent, one line each, as its {@code ss} gets them. */
    static List<String> status(long pid) {
        try (SidebandQuery query = SidebandQuery.open(pid, SidebandQuery.Topic.SOCKETS)) {
            if (query == null) {
                throw new IllegalStateException("process " + pid + " is not there");
            }
            return query.lines(System.nanoTime() + STATUS_NANOS);
        } catch (IOException e) {
            throw new UncheckedIOException("process " + pid + " " + e.getMessage(), e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Linux.close(fd);
    }
}
