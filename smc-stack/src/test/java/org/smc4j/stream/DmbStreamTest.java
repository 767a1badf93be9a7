package org.smc4j.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.status.StreamCounts;

@Timeout(20)
class DmbStreamTest {
    private static final ReentrantLock FREE = new ReentrantLock();
    private static final int SIZE = 16384;
    private static final int RING = SIZE - DmbLayout.HEADER_SIZE;

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + seed);
        }
        return bytes;
    }

    private static int send(SmcStream stream, byte[] bytes) {
        return stream.send(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static byte[] receive(SmcStream stream, int length) {
        byte[] bytes = new byte[length];
        int n = stream.receive(MemorySegment.ofArray(bytes), 0, length);
        return n <= 0 ? new byte[0] : Arrays.copyOf(bytes, n);
    }

    @Test
    void shouldCarryBytesBothWaysAcrossTheEndOfTheRing() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            for (int i = 0; i < 100; i++) {
                byte[] there = bytes(1 + i * 37 % 5000, i);
                byte[] back = bytes(1 + i * 101 % 3000, -i);
                assertEquals(there.length, send(pair.client, there));
                assertEquals(back.length, send(pair.server, back));
                assertArrayEquals(there, receive(pair.server, 6000));
                assertArrayEquals(back, receive(pair.client, 6000));
            }
            assertEquals(pair.client.bytesSent(), pair.server.bytesReceived());
        }
    }

    @Test
    void shouldTakeNoMoreThanTheRingHolds() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            assertEquals(RING, send(pair.client, bytes(SIZE * 2, 1)));
            assertEquals(0, send(pair.client, bytes(1, 1)));
            assertFalse(pair.client.hasSpace());
            assertEquals(RING, receive(pair.server, SIZE * 2).length);
            assertTrue(pair.client.isWritable());
        }
    }

    @Test
    void shouldCountCallsAndFullRings() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            send(pair.client, bytes(RING - 1, 1));
            send(pair.client, bytes(1, 1));
            assertEquals(0, send(pair.client, bytes(1, 1)));
            assertEquals(0, pair.client.sendWhole(MemorySegment.ofArray(bytes(1, 1)), 0, 1, FREE));
            assertEquals(new StreamCounts(RING, 0, 2, 0, 0, 1, 0), pair.client.counts());
            receive(pair.server, 100);
            receive(pair.server, RING);
            receive(pair.server, 1);
            assertEquals(new StreamCounts(0, RING, 0, 2, 0, 0, 1), pair.server.counts());
            assertEquals(SIZE, pair.client.sendBufferSize());
            assertEquals(SIZE, pair.client.receiveBufferSize());
        }
    }

    @Test
    void shouldTakeAllOrNothingWhenAskedTo() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            assertEquals(RING - 10, send(pair.client, bytes(RING - 10, 1)));
            assertEquals(0, pair.client.sendWhole(MemorySegment.ofArray(bytes(11, 1)), 0, 11, FREE));
            assertEquals(10, pair.client.sendWhole(MemorySegment.ofArray(bytes(10, 1)), 0, 10, FREE));
        }
    }

    @Test
    void shouldSkipAnUrgentByteThatIsNotWantedInline() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            send(pair.client, new byte[] {1, 2});
            assertEquals(1, pair.client.sendUrgent((byte) 99));
            send(pair.client, new byte[] {3});
            assertArrayEquals(new byte[] {1, 2}, receive(pair.server, 10));
            assertArrayEquals(new byte[] {3}, receive(pair.server, 10));
        }
    }

    @Test
    void shouldTakeWhatDoesNotFitAndDeliverItInOrderWhenOverflowIsAllowed() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            byte[] all = bytes(100_000, 7);
            assertEquals(RING, send(pair.client, all));
            pair.client.allowOverflow();
            byte[] rest = Arrays.copyOfRange(all, RING, all.length - 10);
            assertEquals(rest.length, send(pair.client, rest));
            byte[] received = new byte[0];
            while (received.length < all.length - 10) {
                byte[] more = receive(pair.server, 9000);
                assertTrue(more.length > 0);
                received = Arrays.copyOf(received, received.length + more.length);
                System.arraycopy(more, 0, received, received.length - more.length, more.length);
            }
            pair.server.armData(false);
            assertEquals(10, send(pair.client, Arrays.copyOfRange(all, all.length - 10, all.length)));
            assertFalse(pair.client.isOverflowAllowed(), "the ring has space again");
            assertArrayEquals(Arrays.copyOfRange(all, all.length - 10, all.length), receive(pair.server, 100));
            assertArrayEquals(Arrays.copyOf(all, all.length - 10), received);
        }
    }

    @Test
    void shouldDeliverWhatOverflowedWhenTheWriterIsGone() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            byte[] all = bytes(SIZE * 3, 5);
            assertEquals(RING, send(pair.client, all));
            pair.client.allowOverflow();
            assertEquals(all.length - RING, send(pair.client, Arrays.copyOfRange(all, RING, all.length)));
            pair.client.close();
            pair.client.release();
            assertArrayEquals(Arrays.copyOf(all, RING), receive(pair.server, SIZE * 3));
            assertArrayEquals(Arrays.copyOfRange(all, RING, all.length), receive(pair.server, SIZE * 3));
        }
    }

    @Test
    void shouldSkipAnUrgentByteThatOverflowed() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            assertEquals(RING, send(pair.client, bytes(RING, 1)));
            assertEquals(0, pair.client.sendUrgent((byte) 99));
            pair.client.allowOverflow();
            send(pair.client, new byte[] {1, 2});
            assertEquals(1, pair.client.sendUrgent((byte) 99));
            send(pair.client, new byte[] {3});
            assertArrayEquals(bytes(RING, 1), receive(pair.server, RING));
            assertArrayEquals(new byte[] {1, 2}, receive(pair.server, 10));
            assertArrayEquals(new byte[] {3}, receive(pair.server, 10));
        }
    }

    @Test
    void shouldLimitWhatOverflows() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            int taken = send(pair.client, bytes(1 << 20, 1));
            pair.client.allowOverflow();
            int n;
            while ((n = send(pair.client, bytes(1 << 20, 1))) > 0) {
                taken += n;
            }
            assertEquals(Overflow.LIMIT + RING, taken);
            assertFalse(pair.client.isWritable());
        }
    }

    @Test
    void shouldFailTheConnectionWhenThePeerLiesAboutTheOverflowArea() throws Exception {
        for (long lie : new long[] {-1, Overflow.LIMIT + 1L, Long.MAX_VALUE}) {
            try (StreamPair pair = new StreamPair(SIZE)) {
                pair.serverViewOfClientDmb.memory().set(ValueLayout.JAVA_LONG, SIZE + DmbLayout.OVERFLOW_STORED, lie);
                assertEquals(SmcStream.LOOK, pair.client.receive(MemorySegment.ofArray(new byte[10]), 0, 10));
                assertTrue(pair.client.isBroken());
            }
            try (StreamPair pair = new StreamPair(SIZE)) {
                send(pair.server, bytes(SIZE, 1));
                pair.server.allowOverflow();
                pair.serverViewOfClientDmb.memory().set(ValueLayout.JAVA_LONG, SIZE + DmbLayout.OVERFLOW_TAKEN, lie);
                assertEquals(SmcStream.LOOK, send(pair.server, bytes(SIZE, 1)));
                assertTrue(pair.server.isBroken());
            }
        }
    }

    @Test
    void shouldFailTheConnectionWhenThePeerLies() throws Exception {
        long[] lies = {
            DmbLayout.cursor(0, RING, 0), DmbLayout.cursor(0, -1, 0), DmbLayout.cursor(2, 0, 0), DmbLayout.cursor(0xFFFF, 5, 0)
        };
        for (long lie : lies) {
            try (StreamPair pair = new StreamPair(SIZE)) {
                pair.serverViewOfClientDmb.memory().set(ValueLayout.JAVA_LONG, DmbLayout.PRODUCER_OFFSET, lie);
                assertEquals(SmcStream.LOOK, pair.client.receive(MemorySegment.ofArray(new byte[10]), 0, 10));
                assertTrue(pair.client.isBroken());
                assertEquals(SmcStream.PEER_CONN_ABORT, pair.server.peerFlags());
            }
            try (StreamPair pair = new StreamPair(SIZE)) {
                pair.serverViewOfClientDmb.memory().set(ValueLayout.JAVA_LONG, DmbLayout.CONSUMER_OFFSET, lie & 0xFFFFFFFFFFFFL);
                assertEquals(SmcStream.LOOK, send(pair.client, new byte[1]));
                assertTrue(pair.client.isBroken());
            }
        }
    }

    @Test
    void shouldAnswerLookAfterClose() throws Exception {
        try (StreamPair pair = new StreamPair(SIZE)) {
            assertTrue(pair.client.close());
            assertFalse(pair.client.close());
            pair.client.release();
            assertEquals(SmcStream.LOOK, send(pair.client, new byte[1]));
            assertEquals(SmcStream.LOOK, pair.client.receive(MemorySegment.ofArray(new byte[1]), 0, 1));
            pair.client.armData(true);
            pair.client.disarmData();
            pair.client.sleepForData(1);
            pair.client.wakeSelf();
            pair.client.hangUp();
        }
    }

    @Test
    void shouldMoveCursorsAsTheSpecSays() {
        assertEquals(10, DmbLayout.advance(DmbLayout.cursor(3, 5, 0), DmbLayout.cursor(3, 15, 0), 100, 100));
        assertEquals(20, DmbLayout.advance(DmbLayout.cursor(0xFFFF, 90, 0), DmbLayout.cursor(0, 10, 0), 100, 100));
        assertEquals(100, DmbLayout.advance(DmbLayout.cursor(1, 7, 0), DmbLayout.cursor(2, 7, 0), 100, 100));
        assertEquals(-1, DmbLayout.advance(DmbLayout.cursor(1, 7, 0), DmbLayout.cursor(1, 6, 0), 100, 100));
        assertEquals(-1, DmbLayout.advance(DmbLayout.cursor(1, 7, 0), DmbLayout.cursor(2, 8, 0), 100, 100));
        assertEquals(-1, DmbLayout.advance(DmbLayout.cursor(1, 7, 0), DmbLayout.cursor(1, 27, 0), 100, 19));
    }

    /** The vector of spec/30-cdc.md §11, little-endian writer. */
    @Test
    void shouldLayOutTheHeaderAsTheVectorOfTheSpec() throws Exception {
        byte[] vector = java.util.HexFormat.of().parseHex("fe00000000000000010034120000000000000010000080800000000000000000");
        MemorySegment header = MemorySegment.ofArray(new long[4]);
        header.set(ValueLayout.JAVA_BYTE, DmbLayout.EYECATCHER_OFFSET, DmbLayout.EYECATCHER);
        header.set(ValueLayout.JAVA_LONG_UNALIGNED, DmbLayout.PRODUCER_OFFSET, DmbLayout.cursor(1, 0x1234, 0));
        header.set(ValueLayout.JAVA_LONG_UNALIGNED, DmbLayout.CONSUMER_OFFSET,
                DmbLayout.cursor(0, 0x1000, SmcStream.PEER_DONE_WRITING));
        // The vector has write_blocked set; Emulated-ISM asks for a wake-up in the device page instead.
        vector[22] = 0;
        assertArrayEquals(vector, header.toArray(ValueLayout.JAVA_BYTE));
    }
}
