package org.smc4j.it.faults;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** The calls of the C library with which faults are made. Failures are exceptions: a test that cannot do harm is no test. */
final class Native {
    static final int SIGSTOP = 19;
    static final int SIGCONT = 18;
    static final int RLIMIT_FSIZE = 1;
    static final int RLIMIT_NOFILE = 7;
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle KILL = handle("kill", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    private static final MethodHandle PRLIMIT = handle("prlimit", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final MethodHandle PIPE = handle("pipe", ValueLayout.ADDRESS);
    private static final MethodHandle SOCKETPAIR = handle("socketpair", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
    private static final MethodHandle CREAT = handle("creat", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);

    private Native() {
    }

    private static MethodHandle handle(String name, ValueLayout... parameters) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    static void kill(long pid, int signal) {
        try {
            check("kill", (int) KILL.invokeExact((int) pid, signal));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Sets the soft limit of another process and keeps its hard limit. */
    static void limit(long pid, int resource, long value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(16, 8);
            check("prlimit", (int) PRLIMIT.invokeExact((int) pid, resource, MemorySegment.NULL, limits));
            limits.set(ValueLayout.JAVA_LONG, 0, value < 0 ? limits.get(ValueLayout.JAVA_LONG, 8) : value);
            check("prlimit", (int) PRLIMIT.invokeExact((int) pid, resource, limits, MemorySegment.NULL));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Sets the soft limit of another process to its hard limit. */
    static void unlimit(long pid, int resource) {
        limit(pid, resource, -1);
    }

    /** The two ends of a new pipe, reading end first; both block. */
    static int[] pipe() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(8, 4);
            check("pipe", (int) PIPE.invokeExact(ends));
            return ends.toArray(ValueLayout.JAVA_INT);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int[] socketPair() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(8, 4);
            check("socketpair", (int) SOCKETPAIR.invokeExact(AF_UNIX, SOCK_STREAM, 0, ends));
            return ends.toArray(ValueLayout.JAVA_INT);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** A descriptor of a new, empty file. */
    static int file(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            return check("creat", (int) CREAT.invokeExact(arena.allocateFrom(path.toString()), 0600));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static int check(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(call + " failed");
        }
        return result;
    }
}
