package org.smc4j.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.Agent;
import org.smc4j.it.support.JavaProcess;

/** Where the agent cannot or must not work, the application runs as without it and one line says so, or none. */
@Timeout(180)
class StepBackTest {
    @Test
    void shouldPrintOneLineWhenTheJvmIsTooOld() throws Exception {
        Optional<Path> java = OlderJdk.java();
        if (java.isEmpty()) {
            System.out.println("skipped: no JDK older than 25 beside the one that runs the tests");
            return;
        }
        try (Observation run = new Observation("old-jdk")) {
            Path classes = run.directory().resolve("classes");
            Files.createDirectories(classes);
            Path source = Path.of("target", "test-classes", "apps", "observe", "Hello.java").toAbsolutePath();
            assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-Xlint:-options", "--release",
                    "9", "-d",
                    classes.toString(), source.toString()));
            JavaProcess process = run.start(JavaProcess.program("old", run.directory(), java.get().toString())
                    .args("-javaagent:" + Agent.jar(), "-cp", classes, "Hello"));
            assertOneLineAndHello(process, "Java 25 or later is needed");
            JavaProcess command = run.start(JavaProcess.program("old-command", run.directory(), java.get().toString())
                    .args("-jar", Agent.jar(), "ss"));
            assertEquals(1, command.awaitExit(Observation.LIMIT));
            assertEquals(1, command.output().lines().count(), command.output());
            assertTrue(command.output().contains("Java 25 or later is needed"), command.output());
        }
    }

    @Test
    void shouldStepBackWhenAnotherSelectorProviderIsConfigured() throws Exception {
        try (Observation run = new Observation("foreign-provider")) {
            // Never loaded: the application does not use a selector.
            JavaProcess process = run.start(run.java("hello", "Hello").options(Observation.AT_ONCE)
                    .options("-Djava.nio.channels.spi.SelectorProvider=com.example.Provider"));
            assertOneLineAndHello(process, "java.nio.channels.spi.SelectorProvider is com.example.Provider");
        }
    }

    @Test
    void shouldSayNothingWhenSwitchedOff() throws Exception {
        try (Observation run = new Observation("off")) {
            JavaProcess process = run.start(run.java("hello", "Hello").options("-Dsmc.enabled=false"));
            assertEquals("hello", process.awaitSuccess(Observation.LIMIT).strip());
            JavaProcess byArgument = run.start(run.javaWithArguments("hello-argument", "Hello", "smc.enabled=false"));
            assertEquals("hello", byArgument.awaitSuccess(Observation.LIMIT).strip());
        }
    }

    @Test
    void shouldSayNothingWhenAToolOfTheJdkIsRun() throws Exception {
        try (Observation run = new Observation("tool")) {
            String tool = Path.of(System.getProperty("java.home"), "bin", "jps").toString();
            JavaProcess process = run.start(JavaProcess.program("jps", run.directory(), tool).args("-q")
                    .env("JAVA_TOOL_OPTIONS", "-javaagent:" + Agent.jar() + " -Dsmc.log=debug -Dsmc.summary=stderr"));
            List<String> lines = process.awaitSuccess(Observation.LIMIT).lines().toList();
            assertTrue(lines.getFirst().startsWith("Picked up JAVA_TOOL_OPTIONS"), lines.toString());
            assertTrue(lines.stream().skip(1).allMatch(line -> line.matches("\\d+")), lines.toString());
        }
    }

    private static void assertOneLineAndHello(JavaProcess process, String reason) throws InterruptedException {
        String output = process.awaitSuccess(Observation.LIMIT);
        assertEquals(2, output.lines().count(), output);
        assertEquals(1, process.lines("^hello$").size(), output);
        assertEquals(1, process.lines("^smc4j: plain TCP: .*" + reason).size(), output);
    }
}
