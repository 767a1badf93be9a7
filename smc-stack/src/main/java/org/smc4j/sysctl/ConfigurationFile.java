package org.smc4j.sysctl;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The syntax of the configuration file: UTF-8, one {@code key=value} a line, blanks around both dropped; empty lines
 * and lines that start with '#' are skipped. Simpler than {@link java.util.Properties} on purpose: no escapes, no
 * continuation lines, and a '#' within a value belongs to it, so a line is what it looks like. Of two lines with the
 * same key the later one counts.
 */
final class ConfigurationFile {
    // A path given by mistake (a device, a log) must not cost the application its memory or its start.
    private static final int MAX_SIZE = 1 << 20;

    private ConfigurationFile() {
    }

    /** Offers the lines of the file at that path to the loader; adds a warning if the file cannot be read. */
    static void read(String path, Loader loader) {
        final byte[] bytes;
        try (InputStream in = new FileInputStream(path)) {
            bytes = in.readNBytes(MAX_SIZE + 1);
        } catch (IOException e) {
            loader.warn("configuration file " + path + " cannot be read, ignored: " + e.getMessage());
            return;
        }
        if (bytes.length > MAX_SIZE) {
            loader.warn("configuration file " + path + " is larger than " + MAX_SIZE + " bytes, ignored");
            return;
        }
        parse(path, new String(bytes, StandardCharsets.UTF_8), loader);
    }

    /** Offers the lines to the loader and adds a warning for each malformed one, which is skipped. */
    static void parse(String name, String content, Loader loader) {
        int number = 0;
        int start = 0;
        while (start < content.length()) {
            int end = content.indexOf('\n', start);
            if (end < 0) {
                end = content.length();
            }
            number++;
            // Also drops the '\r' of files written on Windows.
            final String line = content.substring(start, end).trim();
            start = end + 1;
            if (line.isEmpty() || line.charAt(0) == '#') {
                continue;
            }
            final int equals = line.indexOf('=');
            if (equals < 0) {
                loader.warn(name + " line " + number + ": no '=' in '" + line + "', ignored");
                continue;
            }
            final String key = line.substring(0, equals).trim();
            loader.offer(Source.FILE, origin(name, number, key), key, line.substring(equals + 1));
        }
    }

    private static String origin(String name, int line, String key) {
        return new StringBuilder(name).append(" line ").append(line).append(": ").append(key).toString();
    }
}
