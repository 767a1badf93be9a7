package org.smc4j.sideband;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The names of ours that processes of this network namespace have bound, whoever they belong to. */
final class PublishedNames {
    private static final Path TABLE = Path.of("/proc/net/unix");
    private static final String MARK = " @" + SidebandName.PREFIX;

    private PublishedNames() {
    }

    static Set<String> all() throws IOException {
        Set<String> names = new TreeSet<>();
        // Other names in there may be any bytes.
        try (BufferedReader reader = Files.newBufferedReader(TABLE, StandardCharsets.ISO_8859_1)) {
            String line;
            while ((line = reader.readLine()) != null) {
                int mark = line.indexOf(MARK);
                if (mark >= 0) {
                    names.add(line.substring(mark + 2));
                }
            }
        }
        return names;
    }
}
