package org.smc4j.clc;

import org.smc4j.wire.Checks;

/**
 * Text fields of 32 bytes, blank padded. One character per byte and only blanks stripped, so that any bytes survive.
 */
final class PaddedText {
    static final int SIZE = 32;

    private PaddedText() {
    }

    /** Without the padding; the characters are checked to fit the field. */
    static String canonical(String field, String text) {
        int end = withoutPadding(text);
        if (end > SIZE) {
            throw new IllegalArgumentException(field + ": " + end + " characters, at most " + SIZE + " fit");
        }
        for (int i = 0; i < end; i++) {
            Checks.range(field, text.charAt(i), 0, Checks.U8);
        }
        return text.substring(0, end);
    }

    /** For people: what a peer sent must not reach a terminal or a log as control characters. */
    static String printable(String text) {
        StringBuilder result = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            result.append(c >= ' ' && c < 0x7F ? c : '?');
        }
        return result.toString();
    }

    static int withoutPadding(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return end;
    }
}
