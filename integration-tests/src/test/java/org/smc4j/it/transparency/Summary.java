package org.smc4j.it.transparency;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The line of counters that an agent appends to its summary file when its JVM exits. */
record Summary(String line, Map<String, String> fields) {

    /** Fails unless the file holds exactly one line of the agent: no line means that no agent was at work. */
    static Summary read(final String who, final Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new AssertionError(who + ": the agent wrote no summary at exit (no file " + file.getFileName() + ")");
        }
        final var lines = Files.readAllLines(file).stream().filter(line -> line.startsWith("smc4j ")).toList();
        if (lines.size() != 1) {
            throw new AssertionError(who + ": expected one summary line, seen " + lines);
        }
        final Map<String, String> fields = new HashMap<>();
        for (String field : lines.getFirst().split(" ")) {
            final int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return new Summary(lines.getFirst(), fields);
    }

    long count(final String key) {
        final String value = fields.get(key);
        if (value == null) {
            throw new AssertionError("summary has no " + key + ": " + line);
        }
        return Long.parseLong(value);
    }
}
