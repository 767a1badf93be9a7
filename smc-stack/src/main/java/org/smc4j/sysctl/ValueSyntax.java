package org.smc4j.sysctl;

/**
 * The syntax of values. Each check throws {@link IllegalArgumentException} with a message that quotes what is wrong.
 */
final class ValueSyntax {
    private static final int MAX_UEIDS = 4;
    private static final int MAX_UEID_LENGTH = 32;
    private static final long MAX_UID = 0xffff_ffffL;
    private static final long NOT_A_NUMBER = -1;
    private static final long TOO_LARGE = -2;
    private static final String[] TRUE = {"true", "on", "yes", "1"};
    private static final String[] FALSE = {"false", "off", "no", "0"};
    private static final String[] LOG_LEVELS = {"off", "error", "warn", "info", "debug"};

    private ValueSyntax() {
    }

    static boolean flag(String text) {
        if (indexOf(TRUE, text) >= 0) {
            return true;
        }
        if (indexOf(FALSE, text) >= 0) {
            return false;
        }
        throw new IllegalArgumentException("'" + text + "' is neither true nor false");
    }

    static long number(Tunable tunable, String text) {
        final long value = number(text, tunable.kind() == Kind.BYTES);
        if (value == NOT_A_NUMBER) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number"
                    + (tunable.kind() == Kind.BYTES ? " with an optional k, m or g" : ""));
        }
        if (value == TOO_LARGE || value < tunable.minimum() || value > tunable.maximum()) {
            throw new IllegalArgumentException("'" + text + "' is not within " + tunable.range());
        }
        return value;
    }

    /** The text as it is kept: choices in lower case, lists as they are. */
    static String text(Tunable tunable, String text) {
        if (tunable == Tunable.LOG) {
            final int level = indexOf(LOG_LEVELS, text);
            if (level < 0) {
                throw new IllegalArgumentException("'" + text + "' is not one of off, error, warn, info, debug");
            }
            return LOG_LEVELS[level];
        }
        if (tunable == Tunable.UEID) {
            checkUeids(text);
        } else if (tunable == Tunable.PEER_UIDS) {
            checkUids(text);
        } else if (tunable == Tunable.SIDEBAND_BIND && !text.isEmpty() && NumericAddress.parse(text) == null) {
            throw new IllegalArgumentException("'" + text + "' is no numeric address (names are not resolved)");
        } else if (tunable == Tunable.SUMMARY && text.isEmpty()) {
            throw new IllegalArgumentException("'' is neither off, nor stderr, nor a file");
        }
        return text;
    }

    private static void checkUeids(String list) {
        int count = 0;
        for (int start = startOfEntry(list, 0); start < list.length(); ) {
            final int end = endOfEntry(list, start);
            final String ueid = list.substring(start, end);
            if (!isUeid(ueid)) {
                throw new IllegalArgumentException("'" + ueid
                        + "' is not a UEID: 1 to 32 of A-Z 0-9 . - and the first a letter or digit");
            }
            if (++count > MAX_UEIDS) {
                throw new IllegalArgumentException("more than " + MAX_UEIDS + " UEIDs, '" + ueid + "' is one too many");
            }
            start = startOfEntry(list, end);
        }
    }

    private static boolean isUeid(String ueid) {
        for (int i = 0; i < ueid.length(); i++) {
            final char c = ueid.charAt(i);
            final boolean alphanumeric = c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!alphanumeric && (i == 0 || c != '.' && c != '-')) {
                return false;
            }
        }
        return ueid.length() <= MAX_UEID_LENGTH;
    }

    private static void checkUids(String list) {
        for (int start = startOfEntry(list, 0); start < list.length(); ) {
            final int end = endOfEntry(list, start);
            final String uid = list.substring(start, end);
            final long value = number(uid, false);
            if (value < 0 || value > MAX_UID) {
                throw new IllegalArgumentException("'" + uid + "' is not a numeric user id");
            }
            start = startOfEntry(list, end);
        }
    }

    private static int startOfEntry(String list, int from) {
        int i = from;
        while (i < list.length() && isListSeparator(list.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int endOfEntry(String list, int from) {
        int i = from;
        while (i < list.length() && !isListSeparator(list.charAt(i))) {
            i++;
        }
        return i;
    }

    private static boolean isListSeparator(char c) {
        return c == ',' || c <= ' ';
    }

    /**
     * The value, {@link #NOT_A_NUMBER} or {@link #TOO_LARGE}; both are negative and no setting allows negative numbers.
     */
    private static long number(String text, boolean suffixAllowed) {
        int length = text.length();
        final int shift = suffixAllowed && length > 1 ? shiftOf(text.charAt(length - 1)) : 0;
        if (shift > 0) {
            length--;
        }
        if (length == 0) {
            return NOT_A_NUMBER;
        }
        long value = 0;
        boolean tooLarge = false;
        for (int i = 0; i < length; i++) {
            final char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return NOT_A_NUMBER;
            }
            tooLarge |= value > (Long.MAX_VALUE - (c - '0')) / 10;
            value = value * 10 + (c - '0');
        }
        return tooLarge || value > Long.MAX_VALUE >> shift ? TOO_LARGE : value << shift;
    }

    private static int shiftOf(char suffix) {
        if (suffix == 'k' || suffix == 'K') {
            return 10;
        }
        if (suffix == 'm' || suffix == 'M') {
            return 20;
        }
        return suffix == 'g' || suffix == 'G' ? 30 : 0;
    }

    private static int indexOf(String[] words, String text) {
        for (int i = 0; i < words.length; i++) {
            if (words[i].equalsIgnoreCase(text)) {
                return i;
            }
        }
        return -1;
    }
}
