package org.smc4j.cdc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A CDC message of SMC-R where it lies in memory, for the hot path: the bytes of {@link CdcCodec}, without a record between. One
 * object serves one thread for many messages, one after the other.
 */
public final class CdcFlyweight {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final int LENGTH = 1;
    private static final int SEQUENCE = 2;
    private static final int ALERT_TOKEN = 4;
    private static final int PRODUCER_WRAP = 10;
    private static final int PRODUCER_COUNT = 12;
    private static final int CONSUMER_WRAP = 18;
    private static final int CONSUMER_COUNT = 20;
    private static final int PRODUCER_FLAGS = 24;
    private static final int STATE_FLAGS = 25;

    private MemorySegment memory;
    private long start;

    /** Goes to the message that begins at an offset; the segment has {@link CdcCodec#SIZE} bytes from there on. */
    public CdcFlyweight wrap(MemorySegment segment, long offset) {
        memory = segment;
        start = offset;
        return this;
    }

    /**
     * Whether what was received there is a message: what {@link CdcCodec#decode} does not refuse.
     *
     * @param length bytes received
     */
    public boolean isMessage(int length) {
        return length >= CdcCodec.MIN_SIZE && memory.get(BYTE, start) == (byte) CdcCodec.TYPE
                && memory.get(BYTE, start + LENGTH) == CdcCodec.SIZE;
    }

    public int sequence() {
        return Short.toUnsignedInt(memory.get(SHORT, start + SEQUENCE));
    }

    public int alertToken() {
        return memory.get(INT, start + ALERT_TOKEN);
    }

    public int producerWrap() {
        return Short.toUnsignedInt(memory.get(SHORT, start + PRODUCER_WRAP));
    }

    /** 32 bits, unsigned. */
    public int producerCount() {
        return memory.get(INT, start + PRODUCER_COUNT);
    }

    public int consumerWrap() {
        return Short.toUnsignedInt(memory.get(SHORT, start + CONSUMER_WRAP));
    }

    /** 32 bits, unsigned. */
    public int consumerCount() {
        return memory.get(INT, start + CONSUMER_COUNT);
    }

    /** Of {@link CdcFlags}. */
    public int producerFlags() {
        return memory.get(BYTE, start + PRODUCER_FLAGS) & CdcFlags.PRODUCER_FLAGS;
    }

    /** Of {@link CdcFlags}. */
    public int stateFlags() {
        return memory.get(BYTE, start + STATE_FLAGS) & CdcFlags.STATE_FLAGS;
    }

    /** A copy of the message. */
    public byte[] copy() {
        return memory.asSlice(start, CdcCodec.SIZE).toArray(BYTE);
    }

    /** Starts a message whose other fields are zero. */
    public CdcFlyweight begin(int sequence, int alertToken) {
        for (int i = 0; i < CdcCodec.SIZE; i += Integer.BYTES) {
            memory.set(INT, start + i, 0);
        }
        memory.set(BYTE, start, (byte) CdcCodec.TYPE);
        memory.set(BYTE, start + LENGTH, (byte) CdcCodec.SIZE);
        memory.set(SHORT, start + SEQUENCE, (short) sequence);
        memory.set(INT, start + ALERT_TOKEN, alertToken);
        return this;
    }

    /** The cursor at a {@linkplain Positions position} of the peer's ring. */
    public CdcFlyweight producer(long position, int size) {
        memory.set(SHORT, start + PRODUCER_WRAP, (short) Positions.wrap(position, size));
        memory.set(INT, start + PRODUCER_COUNT, Positions.count(position, size));
        return this;
    }

    /** The cursor at a {@linkplain Positions position} of our own ring. */
    public CdcFlyweight consumer(long position, int size) {
        memory.set(SHORT, start + CONSUMER_WRAP, (short) Positions.wrap(position, size));
        memory.set(INT, start + CONSUMER_COUNT, Positions.count(position, size));
        return this;
    }

    /** Both flag bytes, of {@link CdcFlags}. */
    public CdcFlyweight flags(int producerFlags, int stateFlags) {
        memory.set(BYTE, start + PRODUCER_FLAGS, (byte) producerFlags);
        memory.set(BYTE, start + STATE_FLAGS, (byte) stateFlags);
        return this;
    }
}
