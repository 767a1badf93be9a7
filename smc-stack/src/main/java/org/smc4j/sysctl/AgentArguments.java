package org.smc4j.sysctl;

/**
 * The syntax of the agent's arguments: {@code key=value} pieces with ',' or ';' between them. A value that contains one
 * of those is put in single or double quotes, within which everything but the quote itself stands for itself:
 * {@code smc.enabled=true,smc.connect='allow 10.0.0.0/8, deny *'}. A quote means something only where the value begins.
 * (Shells, and the JVM in {@code JAVA_TOOL_OPTIONS}, strip quotes of their own: put the other kind around the whole
 * option.) Blanks around keys and values are dropped, empty pieces are skipped.
 */
final class AgentArguments {
    private AgentArguments() {
    }

    /** Offers every piece to the loader and adds a warning for each malformed one, which is skipped. */
    static void parse(String arguments, Loader loader) {
        if (arguments == null) {
            return;
        }
        final int length = arguments.length();
        int start = 0;
        while (start < length) {
            final int end = endOfPlain(arguments, start);
            final int equals = arguments.indexOf('=', start);
            if (equals < 0 || equals >= end) {
                final String piece = arguments.substring(start, end).trim();
                if (!piece.isEmpty()) {
                    loader.warn("agent argument '" + piece
                            + "': no '=' in it, ignored (a value with ',' or ';' in it needs quotes)");
                }
                start = end + 1;
                continue;
            }
            start = parsePiece(arguments, start, equals, loader);
        }
    }

    private static int parsePiece(String arguments, int start, int equals, Loader loader) {
        final String key = arguments.substring(start, equals).trim();
        final String origin = "agent argument ".concat(key);
        final int first = skipBlanks(arguments, equals + 1);
        final char quote = first < arguments.length() ? arguments.charAt(first) : 0;
        if (quote != '\'' && quote != '"') {
            final int end = endOfPlain(arguments, first);
            loader.offer(Source.ARGUMENT, origin, key, arguments.substring(first, end));
            return end + 1;
        }
        final int closing = arguments.indexOf(quote, first + 1);
        if (closing < 0) {
            loader.warn(origin + ": the quote that begins its value is never closed, ignored with all that follows");
            return arguments.length();
        }
        final int end = endOfPlain(arguments, closing);
        if (skipBlanks(arguments, closing + 1) < end) {
            loader.warn(origin + ": text after the closing quote, ignored");
        } else {
            loader.offer(Source.ARGUMENT, origin, key, arguments.substring(first + 1, closing));
        }
        return end + 1;
    }

    private static int endOfPlain(String arguments, int from) {
        int i = from;
        while (i < arguments.length() && arguments.charAt(i) != ',' && arguments.charAt(i) != ';') {
            i++;
        }
        return i;
    }

    private static int skipBlanks(String arguments, int from) {
        int i = from;
        while (i < arguments.length() && arguments.charAt(i) <= ' ') {
            i++;
        }
        return i;
    }
}
