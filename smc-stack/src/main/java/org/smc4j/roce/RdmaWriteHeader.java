package org.smc4j.roce;

import java.util.Objects;

import org.smc4j.wire.Checks;
import org.smc4j.wire.FieldReader;
import org.smc4j.wire.FieldWriter;

/**
 * The RDMA extended transport header (RETH) of an RDMA WRITE: where in the receiver's memory the bytes go. SMC-R writes the data
 * of a connection with it, and nothing else (spec/30-cdc.md).
 *
 * @param remoteAddress of the first byte, 64 bits
 * @param rkey          of the receiver's memory region, 32 bits
 * @param length        bytes, 0 to {@link #MAX_LENGTH}
 */
public record RdmaWriteHeader(long remoteAddress, int rkey, long length) {
    /** Bytes of the header. */
    public static final int SIZE = 16;
    /** Bytes of the longest message of a reliable connection. */
    public static final long MAX_LENGTH = 1L << 31;

    public RdmaWriteHeader {
        Checks.range("length", length, 0, MAX_LENGTH);
    }

    /**
     * The header that these bytes are, no byte more or less.
     *
     * @throws RdmaWriteHeaderException  for anything that is not a valid header; nothing else is thrown because of the bytes
     * @throws IndexOutOfBoundsException if offset and size are not within the array
     */
    public static RdmaWriteHeader decode(byte[] bytes, int offset, int size) throws RdmaWriteHeaderException {
        Objects.checkFromIndexSize(offset, size, bytes.length);
        if (size != SIZE) {
            throw new RdmaWriteHeaderException("size", SIZE + " bytes", Integer.toString(size));
        }
        Reader in = new Reader(bytes, offset);
        long remoteAddress = in.i64("remote address");
        int rkey = in.i32("rkey");
        long length = in.i32("length") & 0xFFFF_FFFFL;
        if (length > MAX_LENGTH) {
            throw new RdmaWriteHeaderException("length", "at most " + MAX_LENGTH, Long.toString(length));
        }
        return new RdmaWriteHeader(remoteAddress, rkey, length);
    }

    /** The {@link #SIZE} bytes of the header. */
    public byte[] encode() {
        FieldWriter out = new FieldWriter(SIZE);
        out.i64(remoteAddress);
        out.i32(rkey);
        out.i32((int) length);
        return out.bytes();
    }

    private static final class Reader extends FieldReader<RdmaWriteHeaderException> {
        Reader(byte[] bytes, int offset) {
            super(bytes, offset, SIZE);
        }

        @Override
        protected RdmaWriteHeaderException refusal(String field, String expected, String found) {
            return new RdmaWriteHeaderException(field, expected, found);
        }
    }
}
