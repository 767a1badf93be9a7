package org.smc4j.it.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks for a JDK that is too old for the agent, beside the one that runs the tests and beside its links. */
final class OlderJdk {
    private static final int NEEDED = 25;
    private static final int OLDEST = 9;
    private static final Pattern VERSION = Pattern.compile("^JAVA_VERSION=\"(\\d+)", Pattern.MULTILINE);

    private OlderJdk() {
    }

    /** The {@code java} of one, if there is one. */
    static Optional<Path> java() throws IOException {
        Path own = Path.of(System.getProperty("java.home"));
        for (Path home : List.of(own, own.toRealPath())) {
            try (Stream<Path> siblings = Files.list(home.getParent())) {
                Optional<Path> found = siblings.sorted().filter(OlderJdk::isOlder)
                        .map(path -> path.resolve("bin/java")).findFirst();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isOlder(Path home) {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(release)) {
            return false;
        }
        try {
            Matcher matcher = VERSION.matcher(Files.readString(release));
            return matcher.find() && Integer.parseInt(matcher.group(1)) < NEEDED
                    && Integer.parseInt(matcher.group(1)) >= OLDEST;
        } catch (IOException e) {
            return false;
        }
    }
}
