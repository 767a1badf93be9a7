package org.smc4j.negotiation;

import java.util.Locale;

/**
 * The name of a physical network: interfaces, RNIC ports and ISM devices with the same one reach each other.
 *
 * @param text 1 to 16 of A-Z and 0-9; empty if it is not known
 */
public record PnetId(String text) {
    /** Not known. */
    public static final PnetId NONE = new PnetId("");

    private static final int MAX_LENGTH = 16;

    public PnetId {
        if (!text.isEmpty() && !text.equals(canonical(text))) {
            throw new IllegalArgumentException("PNETID: " + text);
        }
    }

    /** As a user writes it: with blanks around, in upper or lower case. Null if it breaks the rules. */
    static PnetId parse(String text) {
        String name = canonical(text);
        return name == null ? null : new PnetId(name);
    }

    private static String canonical(String text) {
        String name = text.strip();
        if (name.isEmpty() || name.length() > MAX_LENGTH) {
            return null;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9')) {
                return null;
            }
        }
        return name.toUpperCase(Locale.ROOT);
    }

    public boolean isSet() {
        return !text.isEmpty();
    }

    @Override
    public String toString() {
        return isSet() ? text : "none";
    }
}
