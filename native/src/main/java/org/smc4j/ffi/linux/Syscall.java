package org.smc4j.ffi.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The C function {@code syscall}, with and without its errno, and the numbers of the calls on the two architectures. */
final class Syscall {
    private static final boolean X86 = System.getProperty("os.arch").equals("amd64");

    static final int READ = X86 ? 0 : 63;
    static final int WRITE = X86 ? 1 : 64;
    static final int CLOSE = X86 ? 3 : 57;
    static final int MMAP = X86 ? 9 : 222;
    static final int MUNMAP = X86 ? 11 : 215;
    static final int IOCTL = X86 ? 16 : 29;
    static final int MADVISE = X86 ? 28 : 233;
    static final int SOCKET = X86 ? 41 : 198;
    static final int CONNECT = X86 ? 42 : 203;
    static final int SENDTO = X86 ? 44 : 206;
    static final int RECVFROM = X86 ? 45 : 207;
    static final int SENDMSG = X86 ? 46 : 211;
    static final int RECVMSG = X86 ? 47 : 212;
    static final int SHUTDOWN = X86 ? 48 : 210;
    static final int BIND = X86 ? 49 : 200;
    static final int LISTEN = X86 ? 50 : 201;
    static final int GETSOCKNAME = X86 ? 51 : 204;
    static final int GETPEERNAME = X86 ? 52 : 205;
    static final int SETSOCKOPT = X86 ? 54 : 208;
    static final int GETSOCKOPT = X86 ? 55 : 209;
    static final int FCNTL = X86 ? 72 : 25;
    static final int FTRUNCATE = X86 ? 77 : 46;
    static final int GETUID = X86 ? 102 : 174;
    static final int FUTEX = X86 ? 202 : 98;
    static final int EPOLL_CTL = X86 ? 233 : 21;
    static final int PPOLL = X86 ? 271 : 73;
    static final int EPOLL_PWAIT = X86 ? 281 : 22;
    static final int OPENAT = X86 ? 257 : 56;
    static final int FALLOCATE = X86 ? 285 : 47;
    static final int ACCEPT4 = X86 ? 288 : 242;
    static final int EVENTFD2 = X86 ? 290 : 19;
    static final int EPOLL_CREATE1 = X86 ? 291 : 20;
    static final int MEMBARRIER = X86 ? 324 : 283;
    static final int STATX = X86 ? 332 : 291;
    static final int GETRANDOM = X86 ? 318 : 278;
    static final int MEMFD_CREATE = X86 ? 319 : 279;
    static final int LSEEK = X86 ? 8 : 62;

    private static final FunctionDescriptor SIGNATURE = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);

    private static final MethodHandle PLAIN;
    private static final MethodHandle WITH_ERRNO;
    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE = new ThreadLocal<>() {
        @Override
        protected MemorySegment initialValue() {
            return Arena.ofAuto().allocate(Linker.Option.captureStateLayout());
        }
    };

    static {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup().find("syscall").orElseThrow();
        PLAIN = linker.downcallHandle(function, SIGNATURE, Linker.Option.firstVariadicArg(1));
        WITH_ERRNO = linker.downcallHandle(function, SIGNATURE, Linker.Option.firstVariadicArg(1),
                Linker.Option.captureCallState("errno"));
    }

    private Syscall() {
    }

    /** For the hot calls whose reason of failure does not matter: -1 is any failure. */
    static long fast(int number, long a, long b, long c, long d) {
        try {
            return (long) PLAIN.invokeExact((long) number, a, b, c, d, 0L, 0L);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long call(int number, long a, long b, long c, long d, long e, long f) {
        try {
            MemorySegment state = STATE.get();
            long result = (long) WITH_ERRNO.invokeExact(state, (long) number, a, b, c, d, e, f);
            return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    static long call(int number, long a, long b, long c) {
        return call(number, a, b, c, 0, 0, 0);
    }
}
