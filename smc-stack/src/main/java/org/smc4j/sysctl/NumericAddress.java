package org.smc4j.sysctl;

/**
 * A numeric IP address as 128 bits, an IPv4 address in its v4-mapped form (::ffff:a.b.c.d). Parsed here because the
 * class initializer of {@link java.net.InetAddress} fixes java.net.preferIPv4Stack and the like, which an application
 * may still want to set in its main method, and because its parser takes 10.1 for 10.0.0.1.
 */
record NumericAddress(long high, long low) {
    private static final long MAPPED = 0xffffL << 32;
    private static final int GROUPS = 8;

    /**
     * The address that the text spells, or null if it is no numeric address. Scopes (fe80::1%eth0) are not addresses.
     */
    static NumericAddress parse(String text) {
        if (text.indexOf(':') >= 0) {
            return parseIpv6(text);
        }
        final long ipv4 = parseIpv4(text, 0);
        return ipv4 < 0 ? null : new NumericAddress(0, MAPPED | ipv4);
    }

    boolean isIpv4() {
        return isIpv4(high, low);
    }

    static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** The bits of an address of 16 bytes, or of 4 bytes in v4-mapped form: the upper half. */
    static long highOf(byte[] address) {
        return address.length == 4 ? 0 : bytes(address, 0, 8);
    }

    /** The bits of an address of 16 bytes, or of 4 bytes in v4-mapped form: the lower half. */
    static long lowOf(byte[] address) {
        return address.length == 4 ? MAPPED | bytes(address, 0, 4) : bytes(address, 8, 16);
    }

    private static long bytes(byte[] address, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            value = value << 8 | address[i] & 0xff;
        }
        return value;
    }

    /** The address in network order, in 4 bytes if it is IPv4. */
    byte[] bytes() {
        final int length = isIpv4() ? 4 : 16;
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[length - 1 - i] = (byte) ((i < 8 ? low : high) >>> 8 * (i % 8));
        }
        return bytes;
    }

    /** Four decimal numbers from {@code from} to the end of the text, or -1. */
    private static long parseIpv4(String text, int from) {
        long address = 0;
        int i = from;
        for (int part = 0; part < 4; part++) {
            if (part > 0) {
                if (i >= text.length() || text.charAt(i) != '.') {
                    return -1;
                }
                i++;
            }
            final int start = i;
            int value = 0;
            while (i < text.length() && i - start < 4 && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
                value = value * 10 + text.charAt(i) - '0';
                i++;
            }
            // A leading zero is octal to some readers and decimal to others.
            if (i == start || value > 255 || i - start > 1 && text.charAt(start) == '0') {
                return -1;
            }
            address = address << 8 | value;
        }
        return i == text.length() ? address : -1;
    }

    private static NumericAddress parseIpv6(String text) {
        final int[] groups = new int[GROUPS];
        final int length = text.length();
        int count = 0;
        int gap = -1;
        int i = 0;
        if (text.startsWith("::")) {
            gap = 0;
            i = 2;
        }
        while (i < length) {
            int end = text.indexOf(':', i);
            if (end < 0) {
                end = length;
            }
            if (end == length && text.indexOf('.', i) >= 0) {
                final long ipv4 = parseIpv4(text, i);
                if (ipv4 < 0 || count > GROUPS - 2) {
                    return null;
                }
                groups[count++] = (int) (ipv4 >>> 16);
                groups[count++] = (int) (ipv4 & 0xffff);
                break;
            }
            final int group = parseGroup(text, i, end);
            if (group < 0 || count == GROUPS) {
                return null;
            }
            groups[count++] = group;
            if (end == length) {
                break;
            }
            i = end + 1;
            if (i == length) {
                return null;
            }
            if (text.charAt(i) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = count;
                i++;
            }
        }
        if (gap < 0 ? count != GROUPS : count == GROUPS) {
            return null;
        }
        return assemble(groups, count, gap < 0 ? count : gap);
    }

    /** One to four hexadecimal digits, or -1. */
    private static int parseGroup(String text, int from, int to) {
        if (to == from || to - from > 4) {
            return -1;
        }
        int group = 0;
        for (int i = from; i < to; i++) {
            final char c = text.charAt(i);
            // Character.digit would take the digits of every script.
            final int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            group = group << 4 | digit;
        }
        return group;
    }

    private static NumericAddress assemble(int[] groups, int count, int gap) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < count; i++) {
            final int position = i < gap ? i : GROUPS - count + i;
            final long group = (long) groups[i] << 16 * (3 - position % 4);
            if (position < 4) {
                high |= group;
            } else {
                low |= group;
            }
        }
        return new NumericAddress(high, low);
    }
}
