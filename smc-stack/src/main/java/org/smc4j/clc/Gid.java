package org.smc4j.clc;

import java.util.HexFormat;

/**
 * A 16-byte global identifier: of a RoCE port, or the UUID of an Emulated-ISM device. A native ISM device has the 64
 * bits of {@code high} only.
 *
 * @param high bytes 0 to 7, network order
 * @param low  bytes 8 to 15, network order
 */
public record Gid(long high, long low) {
    /** All zero: no GID. */
    public static final Gid NONE = new Gid(0, 0);

    // Written out because GIDs are keys of link groups: the generated methods would link method handles in a socket
    // call.
    @Override
    public boolean equals(Object other) {
        return other instanceof Gid gid && gid.high == high && gid.low == low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high * 31 + low);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high).concat(hex.toHexDigits(low));
    }
}
