package org.smc4j.llc;

import org.smc4j.wire.WireException;

/** Bytes that are not a valid LLC message. The kernel drops such a message without a word, and so should the caller. */
public final class LlcException extends WireException {
    private static final long serialVersionUID = 1L;

    LlcException(String field, String expected, String found) {
        super("LLC message", field, expected, found);
    }

    LlcException(String field, String expected, long found) {
        this(field, expected, Long.toString(found));
    }
}
