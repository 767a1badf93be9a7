package org.smc4j.sideband;

/**
 * The abstract names under which processes are found: {@code smc4j/1/UID/ADDRESS:PORT} for a listening socket, the address in
 * hexadecimal, and {@code smc4j/1/UID/pid/PID} for a process.
 */
final class SidebandName {
    static final String PREFIX = "smc4j/1/";
    private static final String PROCESS = "/pid/";
    private static final char[] HEX = "0123456789abcdef".toCharArray();
    private static final byte[] ANY_IPV4 = new byte[4];
    private static final byte[] ANY_IPV6 = new byte[16];

    private SidebandName() {
    }

    static String listener(int uid, byte[] address, int port) {
        StringBuilder name = new StringBuilder(PREFIX).append(Integer.toUnsignedString(uid)).append('/');
        for (byte b : address) {
            name.append(HEX[b >> 4 & 15]).append(HEX[b & 15]);
        }
        return name.append(':').append(port).toString();
    }

    static String process(int uid, long pid) {
        return processPrefix(uid) + pid;
    }

    static String processPrefix(int uid) {
        return PREFIX + Integer.toUnsignedString(uid) + PROCESS;
    }

    /** Where a listener that accepts connections to this address may be found: itself, then the wildcards that cover it. */
    static String[] candidates(int uid, byte[] address, int port) {
        String specific = listener(uid, address, port);
        String anyIpv6 = listener(uid, ANY_IPV6, port);
        return address.length == ANY_IPV4.length
                ? new String[] {specific, anyIpv6, listener(uid, ANY_IPV4, port)}
                : new String[] {specific, anyIpv6};
    }
}
