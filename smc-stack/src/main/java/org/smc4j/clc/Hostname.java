package org.smc4j.clc;

/**
 * The host name of a first contact extension: for people only.
 *
 * @param text the bytes as ISO 8859-1 characters, without the blanks at the end
 */
public record Hostname(String text) {
    public Hostname {
        text = PaddedText.canonical("hostname", text);
    }

    /** Makes any name fit: cut after 32 characters, everything but printable ASCII replaced by a question mark. */
    public static Hostname of(String name) {
        return new Hostname(PaddedText.printable(name.substring(0, Math.min(name.length(), PaddedText.SIZE))));
    }

    @Override
    public String toString() {
        return PaddedText.printable(text);
    }
}
