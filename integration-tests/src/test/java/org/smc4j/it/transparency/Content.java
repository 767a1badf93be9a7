package org.smc4j.it.transparency;

/**
 * Pseudo-random content that either end can compute for any position of a stream, so that a lost, doubled, swapped or
 * invented byte is seen at the place where it happened.
 */
final class Content {
    private final long seed;

    Content(final long seed) {
        this.seed = seed * 0x9E3779B97F4A7C15L + 1;
    }

    /** The bytes {@code [position, position + length)} of the stream. */
    byte[] bytes(final long position, final int length) {
        final byte[] bytes = new byte[length];
        fill(bytes, 0, length, position);
        return bytes;
    }

    void fill(final byte[] target, final int offset, final int length, final long position) {
        long word = 0;
        for (int i = 0; i < length; i++) {
            final long at = position + i;
            if (i == 0 || (at & 7) == 0) {
                word = word(at >>> 3);
            }
            target[offset + i] = (byte) (word >>> ((at & 7) << 3));
        }
    }

    /** Fails with the first wrong position. */
    void check(final byte[] seen, final int offset, final int length, final long position) {
        final byte[] expected = bytes(position, length);
        final int wrong = java.util.Arrays.mismatch(expected, 0, length, seen, offset, offset + length);
        if (wrong >= 0) {
            throw new AssertionError("wrong byte at stream position " + (position + wrong) + ": expected "
                    + (expected[wrong] & 0xff) + ", seen " + (seen[offset + wrong] & 0xff) + " (piece of " + length
                    + " bytes from position " + position + ")" + whereElse(seen, offset + wrong, offset + length));
        }
    }

    /** Whether the wrong bytes belong to another position tells a lost piece from a doubled one. */
    private String whereElse(final byte[] seen, final int from, final int to) {
        final int probe = Math.min(16, to - from);
        if (probe < 8) {
            return "";
        }
        final int window = 1 << 21;
        final byte[] all = bytes(0, window);
        for (int at = 0; at + probe <= window; at++) {
            if (java.util.Arrays.equals(all, at, at + probe, seen, from, from + probe)) {
                return "; the bytes seen belong to position " + at;
            }
        }
        return "; the bytes seen are not part of the stream's first 2 MiB";
    }

    private long word(final long index) {
        long z = seed + index * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
