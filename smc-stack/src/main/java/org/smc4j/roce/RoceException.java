package org.smc4j.roce;

/** A device cannot do what it was asked for; the connection stays on TCP or takes another link. The message is for the log. */
public final class RoceException extends Exception {
    private static final long serialVersionUID = 1;

    public RoceException(String message) {
        super(message, null, false, false);
    }
}
