package org.smc4j.cdc;

import org.smc4j.wire.WireException;

/** Bytes that are not a valid CDC message. The kernel drops such a message without a word, and so should the caller. */
public final class CdcException extends WireException {
    private static final long serialVersionUID = 1L;

    CdcException(String field, String expected, String found) {
        super("CDC message", field, expected, found);
    }
}
