package org.smc4j.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Looks for inputs that a decoder does not stand, guided by coverage, each target for a minute or the time given:
 *
 * <pre>
 * mvn -Pfuzz -pl native,smc-stack verify -Dsmc.fuzz.seconds=300
 * </pre>
 *
 * <p>Not part of the normal run, which replays the corpus instead ({@link CorpusTest}). An input that breaks a rule is printed
 * and fails the run. Otherwise {@code smc-stack/target/fuzz/corpus} has, for each target, a small set of inputs that reaches all
 * that was reached: copied to {@code src/test/resources/corpus} it is kept.
 */
class JazzerRun {
    private static final String DRIVER = "com.code_intelligence.jazzer.Jazzer";
    /** For start and end of the fuzzer, on a busy machine. */
    private static final int GRACE_SECONDS = 120;
    private static final Path FOLDER = Path.of("target", "fuzz").toAbsolutePath();

    @ParameterizedTest
    @EnumSource(FuzzTarget.class)
    void shouldFindNothingWhenFuzzed(FuzzTarget target) throws IOException, InterruptedException {
        int seconds = Integer.getInteger("smc.fuzz.seconds");
        Path work = Files.createDirectories(FOLDER).resolve(target.name() + "-" + ProcessHandle.current().pid());
        Path seeds = work.resolve("seeds");
        Corpus.toFolder(Corpus.of(target), seeds);
        Path found = Files.createDirectory(work.resolve("found"));
        List<String> log = jazzer(work, target, seconds, "-max_total_time=" + seconds, "-use_value_profile=1",
                found.toString(), seeds.toString());
        log.stream().filter(line -> line.startsWith("Done ") || line.contains("\tDONE "))
                .forEach(line -> System.out.println(target + ": " + line));

        Path merged = Files.createDirectory(work.resolve("merged"));
        jazzer(work, target, 0, "-merge=1", merged.toString(), seeds.toString(), found.toString());
        Corpus.fromFolder(merged, Files.createDirectories(FOLDER.resolve("corpus")).resolve(Corpus.fileName(target)));
    }

    /** The lines that the fuzzer prints. */
    private static List<String> jazzer(Path work, FuzzTarget target, int seconds, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "--enable-native-access=ALL-UNNAMED", "-XX:+EnableDynamicAgentLoading",
                "-cp", System.getProperty("java.class.path"), DRIVER,
                "--target_class=" + Decoders.class.getName(), "--target_args=" + target.name(),
                "--instrumentation_includes=org.smc4j.**",
                "--instrumentation_excludes=" + Decoders.class.getPackageName() + ".**",
                "-max_len=" + target.maxLength()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(work, "jazzer", ".log");
        Process process = new ProcessBuilder(command).directory(work.toFile()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        try {
            assertTrue(process.waitFor(seconds + GRACE_SECONDS, TimeUnit.SECONDS), "the fuzzer does not end: " + output);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        List<String> log = Files.readAllLines(output, StandardCharsets.ISO_8859_1);
        assertEquals(0, process.exitValue(), () -> String.join("\n", log.subList(Math.max(0, log.size() - 60), log.size())));
        return log;
    }
}
