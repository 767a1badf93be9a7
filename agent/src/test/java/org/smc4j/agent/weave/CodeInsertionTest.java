package org.smc4j.agent.weave;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Code with all that has to be moved: loops to its start, switches, handlers, objects that are not initialised yet. */
@Timeout(60)
class CodeInsertionTest {
    private static final String HOOKS = """
            package sun.nio.ch;

            import java.io.FileDescriptor;

            public class SocketHooks {
                public static int answer = Integer.MIN_VALUE;
                public static int failures;

                static int beforeRead(FileDescriptor fd, long address, int len) {
                    return answer;
                }

                static int afterRead(int result, FileDescriptor fd) {
                    return result + 1000;
                }

                static void failedRead(FileDescriptor fd) {
                    failures++;
                }
            }
            """;
    private static final String DISPATCHER = """
            package sun.nio.ch;

            import java.io.FileDescriptor;

            public class SocketDispatcher {
                public int read(FileDescriptor fd, long address, int len) {
                    do {
                        switch (len) {
                            case 0:
                                return 1;
                            case 1:
                                return 2;
                            case 2:
                                len = 100;
                                break;
                            default:
                                len--;
                        }
                        switch (len) {
                            case 100:
                                return 3;
                            case 1000:
                                return 4;
                            case 100000:
                                throw new IllegalStateException(new String(address > 5 ? "more" : "less"));
                            default:
                                address++;
                        }
                        try {
                            if (len == 50) {
                                return Integer.parseInt("none");
                            }
                        } catch (NumberFormatException e) {
                            String text = e.getMessage();
                            return text.length();
                        } finally {
                            address += 2;
                        }
                    } while (len > -5);
                    return (int) address;
                }
            }
            """;

    @TempDir
    private Path directory;
    private Class<?> hooks;
    private Object dispatcher;
    private Method read;

    @BeforeEach
    void load() throws IOException, ReflectiveOperationException {
        final Path sources = Files.createDirectories(directory.resolve("sun/nio/ch"));
        final Path hooksSource = Files.writeString(sources.resolve("SocketHooks.java"), HOOKS);
        final Path dispatcherSource = Files.writeString(sources.resolve("SocketDispatcher.java"), DISPATCHER);
        final Path classes = directory.resolve("classes");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-g", "--patch-module",
                "java.base=" + directory, "-d", classes.toString(), hooksSource.toString(), dispatcherSource.toString()));
        final byte[] hooksBytes = Files.readAllBytes(classes.resolve("sun/nio/ch/SocketHooks.class"));
        final byte[] woven = new SocketWeaver().weave("sun/nio/ch/SocketDispatcher",
                Files.readAllBytes(classes.resolve("sun/nio/ch/SocketDispatcher.class")));
        assertEquals(List.of(), ClassFile.of().verify(woven));
        final Loader loader = new Loader();
        hooks = loader.define(hooksBytes);
        final Class<?> type = loader.define(woven);
        dispatcher = type.getConstructor().newInstance();
        read = type.getMethod("read", FileDescriptor.class, long.class, int.class);
    }

    @Test
    void shouldRunAsBeforeBetweenTheHooks() throws ReflectiveOperationException {
        assertEquals(1001, read(0, 0));
        assertEquals(1002, read(0, 1));
        assertEquals(1003, read(0, 2));
        assertEquals(1003, read(0, 10));
        assertEquals(1003, read(0, 101));
        assertEquals(1004, read(0, 1001));
        assertEquals(1000 + "For input string: \"none\"".length(), read(0, 51));
        assertEquals(1000 + 7 + 3 * 4, read(7, -1));
        assertEquals(0, hooks.getField("failures").get(null));
    }

    @Test
    void shouldSeeWhatIsThrown() throws ReflectiveOperationException {
        final InvocationTargetException thrown = assertThrows(InvocationTargetException.class, () -> read(6, 100001));
        assertEquals("more", thrown.getCause().getMessage());
        assertEquals(1, hooks.getField("failures").get(null));
        final long line = DISPATCHER.lines().takeWhile(text -> !text.contains("throw new")).count() + 1;
        assertEquals(line, thrown.getCause().getStackTrace()[0].getLineNumber());
    }

    @Test
    void shouldAnswerInItsPlace() throws ReflectiveOperationException {
        hooks.getField("answer").set(null, 5);
        assertEquals(5, read(0, 1));
    }

    private int read(long address, int length) throws ReflectiveOperationException {
        return (int) read.invoke(dispatcher, new FileDescriptor(), address, length);
    }

    private static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }
}
