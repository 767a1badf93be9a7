package org.smc4j.clc;

import java.util.HexFormat;

/** The 8-byte id of an SMC-R peer, opaque. */
public record SystemId(long value) {
    /** All zero: no RDMA device, or SMC-D. */
    public static final SystemId NONE = new SystemId(0);

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value);
    }
}
