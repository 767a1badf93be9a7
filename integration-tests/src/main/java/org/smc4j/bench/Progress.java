package org.smc4j.bench;

/** One line on standard error that says what is being measured; rewritten on a terminal, else one line per stage. */
final class Progress {
    private static final int WIDTH = 78;

    private final boolean terminal = System.console() != null && System.console().isTerminal();
    private final long start = System.nanoTime();

    /** A new stage: a section or a round of it. */
    void stage(String text) {
        if (terminal) {
            detail(text);
        } else {
            System.err.println(line(text));
        }
    }

    /** What happens within the stage. */
    void detail(String text) {
        if (terminal) {
            final String line = line(text);
            System.err.print('\r' + line.substring(0, Math.min(WIDTH, line.length()))
                + " ".repeat(Math.max(0, WIDTH - line.length())));
        }
    }

    /** Clears the line. */
    void done() {
        if (terminal) {
            System.err.print('\r' + " ".repeat(WIDTH) + '\r');
        }
    }

    long seconds() {
        return (System.nanoTime() - start) / 1_000_000_000;
    }

    private String line(String text) {
        return String.format("[%3d s] %s", seconds(), text);
    }
}
