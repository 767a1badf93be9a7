package org.smc4j.diag;

import java.io.PrintStream;

/**
 * The agent's own log: one line on the stderr that the JVM started with, from the configured level on. Not SLF4J: the agent
 * runs before the application has a logger, must not be the reason that one is initialised, and carries no backend.
 */
public final class Log {
    /** Levels in the order of the {@code smc.log} values. */
    public static final int OFF = 0;
    public static final int ERROR = 1;
    public static final int WARN = 2;
    public static final int INFO = 3;
    public static final int DEBUG = 4;

    private static final String[] NAMES = {"off", "error", "warn", "info", "debug"};
    private static final PrintStream ERR = System.err;
    private static volatile int level = WARN;

    private Log() {
    }

    /** Sets the level by its name; unknown names change nothing. */
    public static void level(String name) {
        for (int i = 0; i < NAMES.length; i++) {
            if (NAMES[i].equals(name)) {
                level = i;
            }
        }
    }

    public static boolean isDebug() {
        return level >= DEBUG;
    }

    public static void error(String message) {
        print(ERROR, message);
    }

    public static void warn(String message) {
        print(WARN, message);
    }

    public static void info(String message) {
        print(INFO, message);
    }

    public static void debug(String message) {
        print(DEBUG, message);
    }

    /** What was asked for explicitly, whatever the level. */
    public static void always(String message) {
        ERR.println(message);
    }

    /** An exception that should not have happened: its stack only where somebody looks for it. */
    public static void unexpected(String where, Throwable cause) {
        print(ERROR, where + ": " + cause);
        if (isDebug()) {
            for (StackTraceElement frame : cause.getStackTrace()) {
                print(DEBUG, "    at " + frame);
            }
        }
    }

    private static void print(int lineLevel, String message) {
        if (level >= lineLevel) {
            ERR.println("smc4j: " + message);
        }
    }
}
