package org.smc4j.clc;

import java.util.HexFormat;

import org.smc4j.wire.Checks;

/**
 * The MAC address of a RoCE port.
 *
 * @param value the six bytes in network order, 0 to 2<sup>48</sup> - 1
 */
public record Mac(long value) {
    /** All zero: no port. */
    public static final Mac NONE = new Mac(0);

    public Mac {
        Checks.range("MAC", value, 0, 0xFFFF_FFFF_FFFFL);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value, 12);
    }
}
