package org.smc4j.agent.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.smc4j.sideband.SidebandQuery;

/** The answers of all JVMs of this user to one question. */
final class Processes {
    private static final long ANSWER_NANOS = 2_000_000_000L;

    private final List<Answer> answers = new ArrayList<>();
    private final PrintStream err;
    private boolean complete = true;

    /** What one JVM said. */
    record Answer(long pid, int uid, List<String> lines) {
    }

    private record Asked(long pid, SidebandQuery query) {
    }

    private Processes(PrintStream err) {
        this.err = err;
    }

    /** Asks all at the same time and waits at most two seconds; what does not answer is one line on {@code err}. */
    static Processes ask(SidebandQuery.Topic topic, PrintStream err) throws IOException {
        Processes processes = new Processes(err);
        List<Asked> asked = new ArrayList<>();
        try {
            for (long pid : SidebandQuery.processes()) {
                try {
                    SidebandQuery query = SidebandQuery.open(pid, topic);
                    if (query != null) {
                        asked.add(new Asked(pid, query));
                    }
                } catch (IOException e) {
                    processes.failed(pid, e);
                }
            }
            long deadline = System.nanoTime() + ANSWER_NANOS;
            for (Asked each : asked) {
                try {
                    processes.answers.add(new Answer(each.pid, each.query.uid(), each.query.lines(deadline)));
                } catch (IOException e) {
                    processes.failed(each.pid, e);
                }
            }
        } finally {
            for (Asked each : asked) {
                each.query.close();
            }
        }
        return processes;
    }

    private void failed(long pid, Exception problem) {
        if (!Files.exists(Path.of("/proc", Long.toString(pid)))) {
            // It ended while it was asked, which is no failure.
            return;
        }
        err.println("smc4j: process " + pid + ' ' + problem.getMessage());
        complete = false;
    }

    /**
     * Hands on what each JVM said. What another version of the agent says may make no sense; then that JVM counts as not heard.
     *
     * @param use throws IllegalArgumentException for what makes no sense
     */
    void each(Consumer<Answer> use) {
        for (Answer answer : answers) {
            try {
                use.accept(answer);
            } catch (IllegalArgumentException e) {
                failed(answer.pid, new IOException("has an agent of another version: " + e.getMessage()));
            }
        }
    }

    /** The exit status: whether every JVM was heard. */
    int status() {
        return complete ? Main.OK : Main.NO;
    }
}
