package org.smc4j.ffi.linux;

/** The errno values that callers tell apart, and the C library's words for them where the JDK would show them. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EFAULT = 14;
    public static final int EEXIST = 17;
    public static final int ENFILE = 23;
    public static final int EINVAL = 22;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int ENETUNREACH = 101;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ETOOMANYREFS = 109;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;
    public static final int EINPROGRESS = 115;

    private Errno() {
    }

    /** Words for a negative result, for logs: {@code "errno 24"} and the like. */
    public static String describe(long result) {
        return "errno " + -result;
    }
}
