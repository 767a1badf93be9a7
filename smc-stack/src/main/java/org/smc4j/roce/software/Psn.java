package org.smc4j.roce.software;

/** Packet sequence numbers: 24 bits, compared modulo 2<sup>24</sup>. */
final class Psn {
    static final int MASK = 0xFF_FFFF;

    private Psn() {
    }

    static int next(int psn) {
        return psn + 1 & MASK;
    }

    static int previous(int psn) {
        return psn - 1 & MASK;
    }

    /** How far {@code to} is ahead of {@code from}: negative if it is behind; -2<sup>23</sup> to 2<sup>23</sup> - 1. */
    static int distance(int from, int to) {
        return to - from << 8 >> 8;
    }
}
