package org.smc4j.fuzz;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

import org.smc4j.cdc.CdcCodec;
import org.smc4j.cdc.CdcException;
import org.smc4j.cdc.CdcFlyweight;
import org.smc4j.cdc.CdcHeader;
import org.smc4j.cdc.CdcMessage;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.TcpOptions;
import org.smc4j.clc.TcpOptionsException;
import org.smc4j.llc.LlcCodec;
import org.smc4j.llc.LlcException;
import org.smc4j.llc.LlcMessage;
import org.smc4j.roce.RdmaWriteHeader;
import org.smc4j.roce.RdmaWriteHeaderException;
import org.smc4j.wire.WireException;

/** The decoders that read what a peer sent, each with the one exception that it may throw. */
enum FuzzTarget {
    CLC(1024, ClcException.class, "clc") {
        @Override
        Object decode(byte[] bytes, int offset, int length) throws ClcException {
            return ClcCodec.decode(bytes, offset, length);
        }

        @Override
        byte[] encode(Object message) {
            return ClcCodec.encode((ClcMessage) message);
        }

        /** Eyecatcher, length and trailer. */
        @Override
        byte[] repaired(byte[] bytes) {
            if (bytes.length < ClcCodec.HEADER_SIZE + SMCR.length) {
                return bytes;
            }
            byte[] repaired = bytes.clone();
            System.arraycopy(SMCR, 0, repaired, 0, SMCR.length);
            System.arraycopy(SMCR, 0, repaired, bytes.length - SMCR.length, SMCR.length);
            repaired[5] = (byte) (bytes.length >>> 8);
            repaired[6] = (byte) bytes.length;
            return repaired;
        }
    },

    LLC(4400, LlcException.class, "llc") {
        @Override
        Object decode(byte[] bytes, int offset, int length) throws LlcException {
            return LlcCodec.decode(bytes, offset, length);
        }

        @Override
        byte[] encode(Object message) {
            return LlcCodec.encode((LlcMessage) message);
        }

        /** Version 1: cut or filled up to 44 bytes. Version 2: the length, of a little-endian writer. */
        @Override
        byte[] repaired(byte[] bytes) {
            if (bytes.length == 0) {
                return bytes;
            }
            boolean version2 = bytes[0] >>> 4 == 2;
            byte[] repaired = Arrays.copyOf(bytes, version2 ? Math.max(LlcCodec.SIZE, bytes.length) : LlcCodec.SIZE);
            repaired[1] = (byte) repaired.length;
            if (version2) {
                repaired[2] = (byte) (repaired.length >>> 8);
            }
            return repaired;
        }
    },

    CDC(64, CdcException.class, "cdc") {
        /** The hot path reads messages in place: it must take for one what the codec does. */
        @Override
        Object decode(byte[] bytes, int offset, int length) throws CdcException {
            boolean taken = new CdcFlyweight().wrap(MemorySegment.ofArray(bytes), offset).isMessage(length);
            try {
                CdcMessage message = CdcCodec.decode(bytes, offset, length);
                if (!taken) {
                    throw new IllegalStateException("not taken in place: " + message);
                }
                return message;
            } catch (CdcException e) {
                if (taken) {
                    throw new IllegalStateException("taken in place", e);
                }
                throw e;
            }
        }

        @Override
        byte[] encode(Object message) {
            return CdcCodec.encode((CdcMessage) message);
        }
    },

    /** Of SMC-D, written by a little-endian peer. */
    CDC_HEADER(40, CdcException.class, "cdc-d") {
        @Override
        Object decode(byte[] bytes, int offset, int length) throws CdcException {
            return CdcCodec.decodeHeader(bytes, offset, length, ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        byte[] encode(Object message) {
            return CdcCodec.encode((CdcHeader) message, ByteOrder.LITTLE_ENDIAN);
        }
    },

    TCP_OPTIONS(48, TcpOptionsException.class, "tcpopt") {
        @Override
        Object decode(byte[] bytes, int offset, int length) throws TcpOptionsException {
            return TcpOptions.decode(bytes, offset, length);
        }

        @Override
        byte[] encode(Object message) {
            return ((TcpOptions) message).encode();
        }
    },

    RDMA_WRITE_HEADER(24, RdmaWriteHeaderException.class, "write") {
        @Override
        Object decode(byte[] bytes, int offset, int length) throws RdmaWriteHeaderException {
            return RdmaWriteHeader.decode(bytes, offset, length);
        }

        @Override
        byte[] encode(Object message) {
            return ((RdmaWriteHeader) message).encode();
        }
    };

    private static final byte[] SMCR = {(byte) 0xE2, (byte) 0xD4, (byte) 0xC3, (byte) 0xD9};

    private final int maxLength;
    private final Class<? extends WireException> refusal;
    private final List<String> kinds;

    FuzzTarget(int maxLength, Class<? extends WireException> refusal, String... kinds) {
        this.maxLength = maxLength;
        this.refusal = refusal;
        this.kinds = List.of(kinds);
    }

    abstract Object decode(byte[] bytes, int offset, int length) throws WireException;

    abstract byte[] encode(Object message);

    /** The bytes with what only counts or frames the others put right, so that mutations get past the first checks. */
    byte[] repaired(byte[] bytes) {
        return bytes;
    }

    /** Longer inputs show nothing new. */
    int maxLength() {
        return maxLength;
    }

    /** What {@link #decode} throws for bytes that are not a message. */
    Class<? extends WireException> refusal() {
        return refusal;
    }

    /** The captured messages that it decodes. */
    List<String> kinds() {
        return kinds;
    }
}
