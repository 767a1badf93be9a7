package org.smc4j.it.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JavaProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void shouldRunTheShutdownHooksWhenStopped() throws Exception {
        try (JavaProcess process = source("""
                void main(String[] args) throws Exception {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> IO.println("hook")));
                    IO.println("up " + args[0] + System.getenv("GREETING") + System.getProperty("p"));
                    Thread.sleep(60_000);
                }
                """).options("-Dp=3").args(1).env("GREETING", "2").start()) {
            assertEquals("123", process.awaitLine("^up (.*)$", LIMIT).group(1));
            process.stop();
            assertEquals("hook", process.lines("^hook$").getFirst());
        }
    }

    @Test
    void shouldShowTheOutputWhenTheProcessEndsTooEarly() throws Exception {
        try (JavaProcess process = source("void main() { IO.println(\"oops\"); System.exit(3); }").start()) {
            var e = assertThrows(IllegalStateException.class, () -> process.awaitLine("^up$", LIMIT));
            assertTrue(e.getMessage().contains("status 3") && e.getMessage().contains("oops"), e.getMessage());
            assertEquals(3, process.awaitExit(LIMIT));
            assertThrows(IllegalStateException.class, () -> process.awaitSuccess(LIMIT));
            assertThrows(IllegalStateException.class, process::summary);
        }
    }

    @Test
    void shouldEndTheProcessWhenClosed() throws Exception {
        JavaProcess process = JavaProcess.program("sleep", folder, "sleep").args(60).start();
        process.close();
        assertFalse(process.process().isAlive());
    }

    @Test
    void shouldSeeAPortWhenSomethingListensThere() throws Exception {
        int port = Ports.free();
        long here = ProcessHandle.current().pid();
        assertFalse(Ports.isListening(here, port));
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertTrue(Ports.isListening(here, socket.getLocalPort()));
        }
    }

    private JavaProcess.Builder source(String text) throws Exception {
        Path file = folder.resolve("Main.java");
        Files.writeString(file, text);
        return JavaProcess.java("main", folder).main(file.toString());
    }
}
