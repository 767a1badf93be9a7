package org.smc4j.clc;

/** Bytes that are not a valid CLC message. Names the field at fault, so that one log line explains the refusal. */
public final class ClcException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String expected;

    ClcException(String field, String expected, String found) {
        super("CLC message: " + field + ": expected " + expected + ", found " + found);
        this.field = field;
        this.expected = expected;
    }

    ClcException(String field, String expected, long found) {
        this(field, expected, Long.toString(found));
    }

    /** The name of the field at fault, as in the tables of the specification. */
    public String field() {
        return field;
    }

    /** What a valid message has there. */
    public String expected() {
        return expected;
    }
}
