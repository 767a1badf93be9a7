package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.smc4j.stream.SmcStream;
import org.smc4j.time.VirtualTime;

/**
 * Two applications that talk over a connection, in virtual time, and a TCP connection beneath on which they go on where the links
 * are lost. Every byte is checked where it arrives.
 */
final class Traffic {
    private static final int MOST_AT_ONCE = 6000;

    /** One application: a stream out, a stream in. */
    final class Application {
        final TestEnd end;
        private final SplittableRandom random;
        private final boolean isClient;
        /** Bytes of the TCP connection from the peer, and how many of them were read. */
        private final ByteArrayOutputStream tcpIn = new ByteArrayOutputStream();
        private int tcpRead;
        private boolean onTcp;
        private boolean isFrozen;
        long sent;
        long received;

        private Application(TestEnd end, boolean isClient, long seed) {
            this.end = end;
            this.isClient = isClient;
            this.random = new SplittableRandom(seed);
        }

        private Application peer() {
            return isClient ? server : client;
        }

        boolean isDone() {
            return sent == total && received == total;
        }

        private void step() {
            if (isDone()) {
                return;
            }
            write();
            read();
            time.schedule(random.nextInt(2000), this::step);
        }

        private void write() {
            int length = (int) Math.min(total - sent, 1 + random.nextInt(random.nextInt(4) == 0 ? MOST_AT_ONCE : 200));
            if (length == 0) {
                return;
            }
            if (onTcp) {
                peer().tcpIn.writeBytes(TestEnd.bytes(sent, length).toArray(ValueLayout.JAVA_BYTE));
                sent += length;
                return;
            }
            int n = end.send(sent, length);
            if (n == SmcStream.LOOK) {
                assertTrue(end.connection.isFrozen() || isFreezing, "broken");
            } else {
                sent += n;
            }
        }

        private void read() {
            int n = end.receive(received, 1 + random.nextInt(MOST_AT_ONCE));
            assertTrue(n >= 0, "broken");
            received += n;
            if (onTcp && received >= end.connection.bytesArrived()) {
                byte[] bytes = tcpIn.toByteArray();
                for (; tcpRead < bytes.length; tcpRead++, received++) {
                    assertEquals(TestEnd.pattern(received), bytes[tcpRead], "byte by TCP at " + received);
                }
            }
        }

        private void frozen() {
            isFrozen = true;
            if (peer().isFrozen) {
                goOnOverTcp();
                peer().goOnOverTcp();
            }
        }

        private void goOnOverTcp() {
            long from = peer().end.connection.bytesArrived();
            long count = end.connection.unconfirmed(from);
            assertTrue(count >= 0, "the ends do not agree");
            assertEquals(sent, from + count);
            byte[] bytes = new byte[(int) count];
            // In two steps, as a socket that takes only some.
            int first = (int) count / 2;
            end.connection.copyUnconfirmed(from, MemorySegment.ofArray(bytes), 0, first);
            end.connection.copyUnconfirmed(from + first, MemorySegment.ofArray(bytes), first, (int) count - first);
            peer().tcpIn.writeBytes(bytes);
            onTcp = true;
            end.connection.letGo();
        }
    }

    final VirtualTime time;
    final Application client;
    final Application server;
    private final long total;
    private boolean isFreezing;

    Traffic(VirtualTime time, TestEnd client, TestEnd server, long total, long seed) {
        this.time = time;
        this.total = total;
        this.client = new Application(client, true, seed);
        this.server = new Application(server, false, seed + 1);
        time.execute(this.client::step);
        time.execute(this.server::step);
    }

    /** What a link group calls for when the last link is lost. */
    void freeze() {
        if (!isFreezing) {
            isFreezing = true;
            for (Application application : new Application[] {client, server}) {
                application.end.connection.freeze(application::frozen);
            }
        }
    }

    /** Whether every byte of both streams has arrived. */
    boolean isDone() {
        return client.isDone() && server.isDone();
    }

    void runToTheEnd() {
        assertTrue(time.runUntil(this::isDone, 60_000_000_000L),
                () -> "stalled: " + client.sent + "/" + server.received + ", " + server.sent + "/" + client.received);
    }
}
