package org.smc4j.clc;

/**
 * A 32-byte Enterprise id: two peers can use SMCv2 only if they have one in common. User-defined ones (UEID) have a
 * syntax, see {@link #ueid}; those of a peer are compared as bytes and may be anything.
 *
 * @param text the bytes as ISO 8859-1 characters, without the blanks at the end
 */
public record Eid(String text) {
    /** 32 zero bytes: no system EID. */
    public static final Eid NONE = new Eid("\0".repeat(PaddedText.SIZE));

    public Eid {
        text = PaddedText.canonical("EID", text);
    }

    /**
     * A user-defined EID: up to 32 characters A-Z, 0-9, '.' and '-', the first one A-Z or 0-9, no two dots in a row.
     *
     * @throws IllegalArgumentException if the text breaks a rule; the message says which
     */
    public static Eid ueid(String text) {
        String fault = ueidFault(text);
        if (fault != null) {
            throw new IllegalArgumentException("UEID: ".concat(fault));
        }
        return new Eid(text);
    }

    /** Whether a text (blanks at the end allowed) is a user-defined EID by the rules of {@link #ueid}. */
    public static boolean isUeid(String text) {
        return ueidFault(text) == null;
    }

    private static String ueidFault(String text) {
        int end = PaddedText.withoutPadding(text);
        if (end == 0 || end > PaddedText.SIZE) {
            return "1 to 32 characters expected";
        }
        if (!isUpperOrDigit(text.charAt(0))) {
            return "first character must be A-Z or 0-9";
        }
        for (int i = 1; i < end; i++) {
            char c = text.charAt(i);
            if (!isUpperOrDigit(c) && c != '.' && c != '-') {
                return "only A-Z, 0-9, '.' and '-' allowed";
            }
            if (c == '.' && text.charAt(i - 1) == '.') {
                return "two dots in a row";
            }
        }
        return null;
    }

    private static boolean isUpperOrDigit(char c) {
        return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }

    // Written out because EIDs are compared in every handshake: the generated methods would link method handles there.
    @Override
    public boolean equals(Object other) {
        return other instanceof Eid eid && eid.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return equals(NONE) ? "none" : PaddedText.printable(text);
    }
}
