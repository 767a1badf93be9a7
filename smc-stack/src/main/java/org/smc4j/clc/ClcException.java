package org.smc4j.clc;

import org.smc4j.wire.WireException;

/** Bytes that are not a valid CLC message. */
public final class ClcException extends WireException {
    private static final long serialVersionUID = 1L;

    ClcException(String field, String expected, String found) {
        super("CLC message", field, expected, found);
    }

    ClcException(String field, String expected, long found) {
        this(field, expected, Long.toString(found));
    }
}
