package org.smc4j.it.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.it.support.Agent;
import org.smc4j.it.support.JavaProcess;

/** What the application and other agents see of the agent. */
@Timeout(180)
class IsolationTest {
    /** What must be visible: the entries of the JVM, and what applications may compile against. */
    private static final String VISIBLE = "org/smc4j/(agent/(SmcAgent(\\$\\w+)?|SmcMain|AgentLoader)"
            + "|SmcSocketOptions(\\$\\w+)?)\\.class";

    @Test
    void shouldBeInvisibleWhenTheApplicationLooksForIt() throws Exception {
        try (Observation run = new Observation("invisible")) {
            JavaProcess process = run.start(run.java("seen", "Seen").options(Observation.AT_ONCE));
            List<String> lines = process.awaitSuccess(Observation.LIMIT).lines().toList();
            assertEquals(List.of("hello", "org.smc4j.nio.SmcSockets is invisible", "org.smc4j.agent.Start is invisible",
                    "org.smc4j.sysctl.Sysctl is invisible", "context loader true"), lines);
        }
    }

    @Test
    void shouldHaveNoClassFilesInTheJarButThoseOfItsStart() throws Exception {
        try (JarFile jar = new JarFile(Agent.jar().toFile())) {
            List<String> others = jar.stream().map(JarEntry::getName).filter(name -> name.endsWith(".class"))
                    .filter(name -> !name.matches(VISIBLE)).toList();
            assertEquals(List.of(), others);
            assertTrue(jar.stream().anyMatch(entry -> entry.getName().matches(VISIBLE)));
            assertTrue(jar.stream().noneMatch(entry -> entry.getName().startsWith("META-INF/services/")));
        }
    }

    @Test
    void shouldWorkBesideAnotherAgentWhenItIsFirst() throws Exception {
        besideAnotherAgent("first", true);
    }

    @Test
    void shouldWorkBesideAnotherAgentWhenItIsLast() throws Exception {
        besideAnotherAgent("last", false);
    }

    private static void besideAnotherAgent(String name, boolean oursFirst) throws Exception {
        try (Observation run = new Observation("agents-" + name)) {
            String other = "-javaagent:" + otherAgent(run.directory().resolve("other.jar"));
            String ours = "-javaagent:" + Agent.jar();
            JavaProcess process = run.start(run.plain("managed", "Managed").options(oursFirst ? ours : other)
                    .options(oursFirst ? other : ours).options(Observation.AT_ONCE));
            List<String> lines = process.awaitSuccess(Observation.LIMIT).lines().toList();
            assertTrue(lines.contains("other agent: true"), lines.toString());
            assertTrue(lines.contains("first ACTIVE SMCD 1000 0 "), lines.toString());
            assertTrue(lines.contains("SmcdConnections 4"), lines.toString());
            assertEquals(List.of(),
                    lines.stream().filter(line -> line.contains("plain TCP") || line.contains("MXBean")).toList());
        }
    }

    private static Path otherAgent(Path jar) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", "OtherAgent");
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        Path classes = Observation.classPath().getFirst();
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.list(classes)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("OtherAgent")).toList()) {
                entries.putNextEntry(new JarEntry(file.getFileName().toString()));
                Files.copy(file, entries);
            }
        }
        return jar;
    }
}
