package org.smc4j.roce.software;

/** Bytes that no RNIC of ours sends: the connection that they came over is ended. */
final class WireFormatException extends Exception {
    private static final long serialVersionUID = 1;

    WireFormatException(String field, long found) {
        super(field + ": " + found, null, false, false);
    }
}
