package org.smc4j.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.smc4j.diag.Log;
import org.smc4j.nio.SmcSockets;

/** The line about the whole run that {@code smc.summary} asks for; runs when the JVM ends. */
record Summary(SmcSockets sockets, String target) implements Runnable {
    @Override
    public void run() {
        String line = sockets.summary();
        if (target.equals("stderr")) {
            Log.always(line);
            return;
        }
        try {
            Files.writeString(Path.of(target), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException | RuntimeException e) {
            Log.warn("cannot write the summary: " + e);
        }
    }
}
