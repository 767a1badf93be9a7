package org.smc4j.roce;

import org.smc4j.wire.WireException;

/** Bytes that are not the header of an RDMA WRITE. */
public final class RdmaWriteHeaderException extends WireException {
    private static final long serialVersionUID = 1L;

    RdmaWriteHeaderException(String field, String expected, String found) {
        super("RDMA WRITE header", field, expected, found);
    }
}
