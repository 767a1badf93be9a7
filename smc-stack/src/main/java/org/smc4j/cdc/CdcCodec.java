package org.smc4j.cdc;

import java.nio.ByteOrder;
import java.util.Objects;

import org.smc4j.wire.FieldWriter;

/**
 * Turns CDC messages into bytes and back (spec/30-cdc.md §1 and §2). For everything that a kernel sends, {@code encode(decode(x))} is
 * {@code x}; for every message, {@code decode(encode(m))} equals {@code m}.
 */
public final class CdcCodec {
    /** The first byte of every CDC message; those of LLC messages are others. */
    public static final int TYPE = 0xFE;
    /** Bytes of a message of SMC-R. */
    public static final int SIZE = 44;
    /** Bytes of a message of SMC-R that are needed to read it. */
    public static final int MIN_SIZE = 26;
    /** Bytes of the header of SMC-D. */
    public static final int HEADER_SIZE = 32;

    private CdcCodec() {
    }

    /**
     * The message of SMC-R that these bytes are: all that was received with one completion. As in the kernel, what is behind the
     * flags may be missing.
     *
     * @throws CdcException              for anything that is not a valid message; nothing else is thrown because of the bytes
     * @throws IndexOutOfBoundsException if offset and length are not within the array
     */
    public static CdcMessage decode(byte[] bytes, int offset, int length) throws CdcException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        CdcReader in = new CdcReader(bytes, offset, length);
        in.type();
        int declared = in.u8("length");
        if (declared != SIZE) {
            throw new CdcException("length", Integer.toString(SIZE), Integer.toString(declared));
        }
        int sequence = in.u16("sequence");
        int alertToken = in.i32("alert token");
        Cursor producer = in.cursor("producer");
        Cursor consumer = in.cursor("consumer");
        int producerFlags = in.u8("producer flags") & CdcFlags.PRODUCER_FLAGS;
        return new CdcMessage(sequence, alertToken, producer, consumer, producerFlags, in.u8("state flags") & CdcFlags.STATE_FLAGS);
    }

    /** The {@link #SIZE} bytes of a message of SMC-R. */
    public static byte[] encode(CdcMessage message) {
        FieldWriter out = new FieldWriter(SIZE);
        out.u8(TYPE);
        out.u8(SIZE);
        out.u16(message.sequence());
        out.i32(message.alertToken());
        out.zeros(2);
        write(out, message.producer(), ByteOrder.BIG_ENDIAN);
        out.zeros(2);
        write(out, message.consumer(), ByteOrder.BIG_ENDIAN);
        out.u8(message.producerFlags());
        out.u8(message.stateFlags());
        out.zerosToTheEnd();
        return out.bytes();
    }

    /**
     * The header of SMC-D that these bytes are.
     *
     * @param order of the writer
     * @throws CdcException              for anything that is not a valid header; nothing else is thrown because of the bytes
     * @throws IndexOutOfBoundsException if offset and length are not within the array
     */
    public static CdcHeader decodeHeader(byte[] bytes, int offset, int length, ByteOrder order) throws CdcException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length != HEADER_SIZE) {
            throw new CdcException("size", Integer.toString(HEADER_SIZE), Integer.toString(length));
        }
        CdcReader in = new CdcReader(bytes, offset, length);
        in.type();
        in.skip(7, "reserved");
        Cursor producer = in.cursor("producer", order);
        in.skip(2, "flags of the producer word");
        Cursor consumer = in.cursor("consumer", order);
        int producerFlags = CdcHeader.knownProducerFlags(in.u8("producer flags"));
        return new CdcHeader(producer, consumer, producerFlags, in.u8("state flags") & CdcFlags.STATE_FLAGS);
    }

    /** The {@link #HEADER_SIZE} bytes of a header of SMC-D, as a writer of this byte order writes them. */
    public static byte[] encode(CdcHeader header, ByteOrder order) {
        FieldWriter out = new FieldWriter(HEADER_SIZE);
        out.u8(TYPE);
        out.zeros(7);
        write(out, header.producer(), order);
        out.zeros(2);
        write(out, header.consumer(), order);
        out.u8(header.producerFlags());
        out.u8(header.stateFlags());
        out.zerosToTheEnd();
        return out.bytes();
    }

    private static void write(FieldWriter out, Cursor cursor, ByteOrder order) {
        boolean network = order == ByteOrder.BIG_ENDIAN;
        out.u16(network ? cursor.wrap() : Short.reverseBytes((short) cursor.wrap()));
        out.i32(network ? (int) cursor.count() : Integer.reverseBytes((int) cursor.count()));
    }
}
