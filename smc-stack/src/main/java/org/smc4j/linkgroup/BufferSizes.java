package org.smc4j.linkgroup;

/** Sizes of buffers and their 4-bit codes: code c is 2<sup>c + 14</sup> bytes (spec/40-buffers-linkgroups.md §1). */
public final class BufferSizes {
    /** Bytes of the smallest buffer. */
    public static final int MIN = 16384;
    /** Largest code of SMC-R: 512 MiB. */
    public static final int MAX_CODE_R = 15;
    /** Largest code of SMC-D: 1 MiB. */
    public static final int MAX_CODE_D = 6;

    private static final int MIN_BITS = 14;

    private BufferSizes() {
    }

    /** The code of the smallest buffer that holds {@code size} bytes, or {@code maxCode} if none does. */
    public static int code(int size, int maxCode) {
        if (size <= MIN) {
            return 0;
        }
        int units = size - 1 >> MIN_BITS;
        return Math.min(Integer.SIZE - Integer.numberOfLeadingZeros(units), maxCode);
    }

    /** Bytes of a buffer with this code. */
    public static int size(int code) {
        return MIN << code;
    }
}
