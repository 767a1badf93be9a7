package org.smc4j.ism;

/** A DMB cannot be made or attached; the connection stays TCP. The message is for the log. */
public final class DmbException extends Exception {
    private static final long serialVersionUID = 1;

    DmbException(String message) {
        super(message, null, false, false);
    }
}
