package org.smc4j.clc;

import java.util.Arrays;
import java.util.HexFormat;

import org.smc4j.wire.Checks;

/**
 * One option of a TCP header (spec page 10, section 1).
 *
 * @param kind  1 to 255; 0, the end of the list, is none
 * @param value what follows kind and length, up to 38 bytes; nothing for {@link #NOP}, which has no length either
 */
public record TcpOption(int kind, byte[] value) {
    /** Filler of one byte. */
    public static final TcpOption NOP = new TcpOption(1, new byte[0]);
    /** "I can do SMC", as Linux writes it. */
    public static final TcpOption SMC = new TcpOption(254, new byte[] {(byte) 0xE2, (byte) 0xD4, (byte) 0xC3, (byte) 0xD9});
    static final int HEADER_SIZE = 2;
    static final int MAX_VALUE = TcpOptions.MAX_SIZE - HEADER_SIZE;
    /** The number that tells experiments of one kind apart: "SMCR" in EBCDIC. */
    private static final int EXPERIMENT_SIZE = 4;

    public TcpOption {
        Checks.range("option kind", kind, 1, Checks.U8);
        value = value.clone();
        Checks.range("option value", value.length, 0, kind == 1 ? 0 : MAX_VALUE);
    }

    @Override
    public byte[] value() {
        return value.clone();
    }

    /** Bytes in the header. */
    public int size() {
        return isNop() ? 1 : HEADER_SIZE + value.length;
    }

    boolean isNop() {
        return kind == NOP.kind;
    }

    /** Whether a kernel takes it for SMC: behind the number of the experiment may be more, as long as the length is even. */
    public boolean isSmc() {
        return kind == SMC.kind && size() % 2 == 0 && value.length >= EXPERIMENT_SIZE
                && Arrays.equals(value, 0, EXPERIMENT_SIZE, SMC.value, 0, EXPERIMENT_SIZE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TcpOption option && option.kind == kind && Arrays.equals(option.value, value);
    }

    @Override
    public int hashCode() {
        return 31 * kind + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return kind + ":" + HexFormat.of().formatHex(value);
    }
}
