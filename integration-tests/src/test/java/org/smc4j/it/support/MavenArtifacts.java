package org.smc4j.it.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/**
 * Class paths of the applications under test. The build resolves those of the projects in the folder {@code apps}
 * before the tests run; the jars stay in Maven's local repository and never reach the class path of the tests.
 */
public final class MavenArtifacts {
    private static final Path WORK = Path.of(System.getProperty("smc.it.work", "target")).toAbsolutePath();

    private MavenArtifacts() {
    }

    /** Folder in which tests may leave files; gone with the next clean. */
    public static Path workDirectory() {
        return WORK;
    }

    /** A folder below {@link #workDirectory}, empty whatever an earlier run has left there. */
    public static Path emptyDirectory(String... names) throws IOException {
        Path directory = WORK;
        for (String name : names) {
            directory = directory.resolve(name);
        }
        if (Files.exists(directory)) {
            try (Stream<Path> old = Files.walk(directory)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        return Files.createDirectories(directory);
    }

    /**
     * The jars of the application whose project is {@code apps/<app>/pom.xml}, dependencies included.
     *
     * @throws IllegalStateException if the build did not resolve it
     */
    public static List<Path> classPath(String app) {
        Path file = WORK.resolve("apps").resolve(app + ".classpath");
        if (!Files.exists(file)) {
            throw new IllegalStateException(file + " is missing: Maven's phase process-test-resources makes it");
        }
        try {
            List<Path> jars = new ArrayList<>();
            for (String jar : Files.readString(file).strip().split(File.pathSeparator)) {
                jars.add(Path.of(jar));
            }
            return jars;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Like {@link #classPath(String)}, with the classes of {@code sources} in front: files below {@code apps} in the
     * test resources, compiled against the application's jars. They are resources, not test sources, because no two
     * applications share a class path.
     *
     * @throws IllegalStateException if they do not compile
     */
    public static synchronized List<Path> classPath(String app, String... sources) {
        List<Path> jars = classPath(app);
        List<Path> all = new ArrayList<>();
        all.add(compile(app, jars, sources));
        all.addAll(jars);
        return all;
    }

    /** Like {@link #classPath(String, String...)}, for {@code sources} that need nothing but the JDK. */
    public static synchronized List<Path> classPathOfSources(String... sources) {
        return List.of(compile("none", List.of(), sources));
    }

    private static Path compile(String app, List<Path> jars, String... sources) {
        String name = app + "-" + String.join("-", sources).replace(".java", "").replace('/', '.');
        Path classes = WORK.resolve("apps").resolve("classes").resolve(name);
        List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString()));
        if (!jars.isEmpty()) {
            arguments.addAll(List.of("-cp", join(jars)));
        }
        for (String source : sources) {
            Path file = WORK.resolve("test-classes").resolve("apps").resolve(source);
            arguments.add(file.toString());
        }
        try {
            Files.createDirectories(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (result != 0) {
            throw new IllegalStateException("javac " + Arrays.toString(sources) + ": exit status " + result);
        }
        return classes;
    }

    static String join(List<Path> classPath) {
        return String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList());
    }
}
