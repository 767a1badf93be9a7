package org.smc4j.wire;

/** Bytes that are not a valid message. Names the field at fault, so that one log line explains the refusal. */
public abstract class WireException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String expected;

    /**
     * @param what  the kind of message, such as "CLC message"
     * @param found what the bytes have there instead
     */
    protected WireException(String what, String field, String expected, String found) {
        super(what + ": " + field + ": expected " + expected + ", found " + found);
        this.field = field;
        this.expected = expected;
    }

    /** The name of the field at fault, as in the tables of the specification. */
    public final String field() {
        return field;
    }

    /** What a valid message has there. */
    public final String expected() {
        return expected;
    }
}
