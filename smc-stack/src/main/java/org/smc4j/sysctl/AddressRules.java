package org.smc4j.sysctl;

import java.util.ArrayList;
import java.util.List;

/**
 * Rules that say for which addresses and ports SMC may be used. The text is a list of
 *
 * <pre>{@code allow|deny ADDRESS[/PREFIX]|* [PORT[-PORT]|*]}</pre>
 *
 * separated by commas, semicolons or newlines. The first rule that matches decides; without a match, SMC is allowed.
 * Addresses are numeric, names are never resolved. IPv4 addresses and their v4-mapped IPv6 form (::ffff:a.b.c.d) are
 * the same thing and match only rules written for IPv4, rules in v4-mapped form (prefix 96 or more), and {@code *}; so
 * {@code ::/0} means all of IPv6 proper. Bits of the address beyond the prefix are ignored. Immutable.
 */
public final class AddressRules {
    private static final AddressRules NONE = new AddressRules(new Rule[0]);

    private enum Family { ANY, IPV4, IPV6 }

    private record Rule(boolean allow, Family family, long high, long low, long highMask, long lowMask, int firstPort,
            int lastPort) {
        boolean matches(boolean ipv4, long addressHigh, long addressLow, int port) {
            return port >= firstPort && port <= lastPort
                    && (family == Family.ANY || ipv4 == (family == Family.IPV4)
                            && (addressHigh & highMask) == high && (addressLow & lowMask) == low);
        }
    }

    private final Rule[] rules;

    private AddressRules(Rule[] rules) {
        this.rules = rules;
    }

    /**
     * Reads rules; empty or blank text gives none.
     *
     * @throws IllegalArgumentException if a rule is malformed; the message quotes the rule and says what is wrong with
     *                                  it
     */
    public static AddressRules parse(String text) {
        final List<Rule> rules = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || isSeparator(text.charAt(i))) {
                final String piece = text.substring(start, i).trim();
                if (!piece.isEmpty()) {
                    rules.add(parseRule(piece));
                }
                start = i + 1;
            }
        }
        return rules.isEmpty() ? NONE : new AddressRules(rules.toArray(new Rule[0]));
    }

    /** Whether there is no rule, so that everything is allowed: a caller need not look for the address then. */
    public boolean isEmpty() {
        return rules.length == 0;
    }

    /**
     * Applies the rules. Allocates nothing.
     *
     * @param address 4 or 16 bytes in network order; with any other length no rule but {@code *} could mean it, so the
     *                answer is false unless there are no rules at all
     * @param port    0 to 65535
     */
    public boolean allows(byte[] address, int port) {
        final Rule[] rules = this.rules;
        if (rules.length == 0) {
            return true;
        }
        if (address.length != 4 && address.length != 16) {
            return false;
        }
        final long high = NumericAddress.highOf(address);
        final long low = NumericAddress.lowOf(address);
        final boolean ipv4 = NumericAddress.isIpv4(high, low);
        for (int i = 0; i < rules.length; i++) {
            if (rules[i].matches(ipv4, high, low, port)) {
                return rules[i].allow;
            }
        }
        return true;
    }

    private static Rule parseRule(String piece) {
        final List<String> words = words(piece);
        final String action = words.get(0);
        final boolean allow = action.equals("allow");
        if (!allow && !action.equals("deny")) {
            throw malformed(piece, "must begin with allow or deny");
        }
        if (words.size() < 2) {
            throw malformed(piece, "has no address");
        }
        if (words.size() > 3) {
            throw malformed(piece, "has more than an address and a port");
        }
        int firstPort = 0;
        int lastPort = 65535;
        if (words.size() == 3 && !words.get(2).equals("*")) {
            final String ports = words.get(2);
            final int dash = ports.indexOf('-');
            firstPort = parseNumber(ports, 0, dash < 0 ? ports.length() : dash, 65535);
            lastPort = dash < 0 ? firstPort : parseNumber(ports, dash + 1, ports.length(), 65535);
            if (firstPort < 0 || lastPort < firstPort) {
                throw malformed(piece, "'" + ports + "' is neither a port or range of ports from 0 to 65535, nor *");
            }
        }
        return parseRule(piece, allow, words.get(1), firstPort, lastPort);
    }

    private static Rule parseRule(String piece, boolean allow, String block, int firstPort, int lastPort) {
        if (block.equals("*")) {
            return new Rule(allow, Family.ANY, 0, 0, 0, 0, firstPort, lastPort);
        }
        final int slash = block.indexOf('/');
        final NumericAddress address = NumericAddress.parse(slash < 0 ? block : block.substring(0, slash));
        if (address == null) {
            throw malformed(piece, "'" + block + "' is no numeric address (names are not resolved)");
        }
        final boolean dotted = block.indexOf(':') < 0;
        final int longest = dotted ? 32 : 128;
        final int shortest = address.isIpv4() && !dotted ? 96 : 0;
        final int written = slash < 0 ? longest : parseNumber(block, slash + 1, block.length(), longest);
        if (written < shortest) {
            throw malformed(piece, "the prefix length must be " + shortest + " to " + longest);
        }
        final int prefix = dotted ? written + 96 : written;
        final long highMask = mask(Math.min(prefix, 64));
        final long lowMask = mask(Math.max(prefix - 64, 0));
        return new Rule(allow, address.isIpv4() ? Family.IPV4 : Family.IPV6, address.high() & highMask,
                address.low() & lowMask, highMask, lowMask, firstPort, lastPort);
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << 64 - bits;
    }

    private static List<String> words(String piece) {
        final List<String> words = new ArrayList<>(3);
        int start = 0;
        for (int i = 0; i <= piece.length(); i++) {
            if (i == piece.length() || piece.charAt(i) <= ' ') {
                if (i > start) {
                    words.add(piece.substring(start, i));
                }
                start = i + 1;
            }
        }
        return words;
    }

    /** A decimal number from 0 to the given maximum, or -1. */
    private static int parseNumber(String text, int from, int to, int maximum) {
        if (from == to || to - from > 5) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            final char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = value * 10 + c - '0';
        }
        return value <= maximum ? value : -1;
    }

    private static boolean isSeparator(char c) {
        return c == ',' || c == ';' || c == '\n' || c == '\r';
    }

    private static IllegalArgumentException malformed(String piece, String problem) {
        return new IllegalArgumentException("rule '" + piece + "': " + problem);
    }
}
