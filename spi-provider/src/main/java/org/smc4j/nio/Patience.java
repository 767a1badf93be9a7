package org.smc4j.nio;

/** EXPERIMENT. */
final class Patience {
    static final int SPINS = Integer.getInteger("x.spins", 0);
    static final int YIELDS = Integer.getInteger("x.yields", 4);
    static final int VSPINS = Integer.getInteger("x.vspins", 0);
    static final int VYIELDS = Integer.getInteger("x.vyields", 4);
    static final int MAX = Integer.getInteger("x.max", 0);
    private int failures;
    private int skips;

    boolean tries() {
        if (skips > 0) {
            skips--;
            return false;
        }
        return true;
    }

    void paid() {
        failures = 0;
    }

    void failed() {
        if (failures < MAX) {
            failures++;
        }
        skips = (1 << failures) - 1;
    }
}
