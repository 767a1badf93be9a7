package org.smc4j.bench;

/** A measured program that failed, answered late or not at all; the message is for the person at the terminal. */
final class BenchFailure extends Exception {
    private static final long serialVersionUID = 1;

    BenchFailure(String message) {
        super(message);
    }
}
