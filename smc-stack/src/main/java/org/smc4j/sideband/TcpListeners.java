package org.smc4j.sideband;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's table of listening TCP sockets, for telling "no agent" from "no server". */
final class TcpListeners {
    private static final String LISTEN = "0A";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();
    private static final String MAPPED = "0000000000000000FFFF0000";
    private static final int WORD = 4;

    private TcpListeners() {
    }

    /** Whether a TCP connection to the address would find a listener; true if the tables cannot be read. */
    static boolean accepts(byte[] address, int port) {
        try {
            return lists("/proc/net/tcp", address, port) || lists("/proc/net/tcp6", address, port);
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean lists(String table, byte[] address, int port) throws IOException {
        Path path = Path.of(table);
        if (!Files.exists(path)) {
            return false;
        }
        String wanted = hex(address);
        String portSuffix = ':' + hex(new byte[] {(byte) port, (byte) (port >> 8), 0, 0}).substring(4);
        try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.US_ASCII)) {
            String line = reader.readLine();
            while (line != null && (line = reader.readLine()) != null) {
                String[] columns = line.trim().split(" +");
                if (columns.length > 3 && columns[3].equals(LISTEN) && columns[1].endsWith(portSuffix)) {
                    String local = columns[1].substring(0, columns[1].length() - portSuffix.length());
                    // The kernel's IPv4-mapped form of an IPv4 address ends with that address.
                    boolean any = local.chars().allMatch(c -> c == '0');
                    boolean mapped = local.startsWith(MAPPED) && local.endsWith(wanted);
                    if (any || mapped || local.equals(wanted)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** As the table has it: words of 4 bytes, each with the bytes in the reverse of their order on the wire. */
    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder(2 * bytes.length);
        for (int word = 0; word < bytes.length; word += WORD) {
            for (int i = WORD - 1; i >= 0; i--) {
                text.append(HEX[bytes[word + i] >> 4 & 15]).append(HEX[bytes[word + i] & 15]);
            }
        }
        return text.toString();
    }
}
