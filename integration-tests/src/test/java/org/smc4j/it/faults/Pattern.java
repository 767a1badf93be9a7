package org.smc4j.it.faults;

/** Content that both ends of a connection can compute for any position, so that streams of any length can be checked. */
final class Pattern {
    private Pattern() {
    }

    /** The byte of stream {@code seed} at {@code position}. */
    static byte at(long seed, long position) {
        return (byte) (mix(seed + (position >>> 3)) >>> ((position & 7) << 3));
    }

    static void fill(long seed, long position, byte[] target, int length) {
        for (int i = 0; i < length; i++) {
            target[i] = at(seed, position + i);
        }
    }

    /** The index of the first byte that is not what it should be, or -1. */
    static int mismatch(long seed, long position, byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] != at(seed, position + i)) {
                return i;
            }
        }
        return -1;
    }

    private static long mix(long value) {
        long z = value * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
