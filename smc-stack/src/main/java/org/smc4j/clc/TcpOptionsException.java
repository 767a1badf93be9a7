package org.smc4j.clc;

import org.smc4j.wire.WireException;

/** Bytes that are not a list of TCP options. */
public final class TcpOptionsException extends WireException {
    private static final long serialVersionUID = 1L;

    TcpOptionsException(String field, String expected, String found) {
        super("TCP options", field, expected, found);
    }
}
