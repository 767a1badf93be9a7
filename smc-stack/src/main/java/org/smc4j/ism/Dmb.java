package org.smc4j.ism;

import java.lang.foreign.MemorySegment;

/**
 * The memory of one DMB as this process has it mapped, with its device page and its overflow area behind.
 *
 * @param token unique among the DMBs of its owner
 * @param size bytes of the DMB, a power of two from 16 KiB to 1 MiB, without what is behind it
 * @param memory {@link #length} bytes; access after its arena is closed throws and never faults
 */
public record Dmb(long token, int size, MemorySegment memory) {
    /** Bytes of the device page behind every DMB. */
    public static final int DEVICE_PAGE_SIZE = 4096;
    /**
     * Bytes of the overflow area behind the device page: what Linux lets the send buffer of a TCP socket grow to by default. It
     * has no memory until something is written there.
     */
    public static final int OVERFLOW_SIZE = 4 << 20;
    private static final int MAX_SIZE_CODE = 6;

    /** Bytes of a DMB with all that is behind it. */
    public static long length(int size) {
        return (long) size + DEVICE_PAGE_SIZE + OVERFLOW_SIZE;
    }

    /** Bytes of a DMB with the given size code: 2^(code + 14) (spec/40-buffers-linkgroups.md §1). */
    public static int sizeOf(int sizeCode) {
        return 1 << (sizeCode + 14);
    }

    /** The smallest size code whose DMB holds {@code bytes}, at most the cap of SMC-D, which is 6 (1 MiB). */
    public static int sizeCode(long bytes) {
        int code = 0;
        while (code < MAX_SIZE_CODE && sizeOf(code) < bytes) {
            code++;
        }
        return code;
    }

    /** True if a peer may announce this size code for SMC-D. */
    public static boolean isSizeCode(int code) {
        return code >= 0 && code <= MAX_SIZE_CODE;
    }
}
