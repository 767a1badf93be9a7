package org.smc4j.linkgroup;

/** Counts who needs an object, its own existence to begin with, and says once when nobody does any more. */
final class References {
    private final Runnable onLast;
    private int count = 1;

    References(Runnable onLast) {
        this.onLast = onLast;
    }

    /** @throws IllegalStateException if the object is gone */
    void take() {
        check();
        count++;
    }

    /** @throws IllegalStateException if the object is gone */
    void release() {
        check();
        if (--count == 0) {
            onLast.run();
        }
    }

    boolean isGone() {
        return count == 0;
    }

    private void check() {
        if (count == 0) {
            throw new IllegalStateException("used after its last reference was released");
        }
    }
}
