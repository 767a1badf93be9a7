package org.smc4j.ism;

/** A DMB cannot be made or attached; the connection stays TCP. The message is for the log. */
public final class DmbException extends Exception {
    private static final long serialVersionUID = 1;

    /** The other half of what a connection needs; fails for the same reasons. */
    public static DmbException noDoorbell(int result) {
        return new DmbException("eventfd: " + org.smc4j.ffi.linux.Errno.describe(result));
    }

    DmbException(String message) {
        super(message, null, false, false);
    }
}
