package org.smc4j.connection;

/** Counts wake-ups that somebody has asked for. */
final class TestWaiter implements Waiter {
    private boolean armed;
    int wakeUps;

    @Override
    public void arm(boolean event) {
        armed = true;
    }

    @Override
    public void disarm() {
        armed = false;
    }

    @Override
    public void sleep(long nanos) {
        throw new AssertionError("nobody sleeps in virtual time");
    }

    @Override
    public void wake() {
        if (armed) {
            armed = false;
            wakeUps++;
        }
    }

    @Override
    public void wakeAlways() {
        wake();
    }
}
