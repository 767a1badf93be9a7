package org.smc4j.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the command line asks for.
 *
 * @param agentJar     the agent, checked to exist unless {@code plainOnly}
 * @param plainOnly    both columns run without the agent: shows the noise of machine and harness
 * @param quick        only what has a figure to reach, in about a minute
 * @param rounds       interleaved rounds, at least 1
 * @param cellMillis   time measured per figure and round; its warm-up is half of it
 * @param warmMillis   time that fresh JVMs get for each API before anything counts: they are slow for a second or two, which the
 *                     cold client shows, and these figures are about the time after
 * @param sections     names of the sections to run
 * @param idle         idle connections to open, before the descriptor limit cuts it
 * @param agentOptions JVM options for the JVMs with the agent
 * @param check        whether a missed figure makes the exit status 2
 */
record Settings(Path agentJar, boolean plainOnly, boolean quick, int rounds, int cellMillis, int warmMillis,
                Set<String> sections,
                int idle, List<String> agentOptions, boolean check) {

    static final List<String> SECTIONS =
        List.of("roundtrip", "oneway", "connect", "peer", "selector1000", "start", "cold", "idle");

    static final String USAGE = """
        usage: smc_run --compare [--quick] [--only SECTION,...] [--rounds N] [--cell-ms N] [--idle N] [--check]
                                 [--plain-only] [--agent JAR] [-DNAME=VALUE ...]
          --quick       a minute instead of several: only what has a figure to reach
          --only        sections: %s
          --rounds      interleaved rounds (3, quick 2)
          --cell-ms     measured time per figure and round in ms
          --idle        idle connections for their memory (10000, quick 2000)
          --check       exit status 2 when a figure that must be reached is missed
          --plain-only  no agent in either column: the ratios are the noise of this machine
          --agent       the agent's jar
          -DNAME=VALUE  a setting for the JVMs with the agent""".formatted(String.join(",", SECTIONS));

    /**
     * Parses the command line.
     *
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    static Settings parse(String[] args) {
        Path agent = null;
        boolean plainOnly = false;
        boolean quick = false;
        boolean check = false;
        int rounds = 0;
        int cellMillis = 0;
        int idle = 0;
        Set<String> sections = new TreeSet<>(SECTIONS);
        final List<String> options = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--plain-only" -> plainOnly = true;
                case "--quick" -> quick = true;
                case "--check" -> check = true;
                case "--rounds" -> rounds = number(args, ++i);
                case "--cell-ms" -> cellMillis = number(args, ++i);
                case "--idle" -> idle = number(args, ++i);
                case "--agent" -> agent = Path.of(value(args, ++i)).toAbsolutePath();
                case "--only" -> sections = sections(value(args, ++i));
                default -> {
                    if (!args[i].startsWith("-D")) {
                        throw new IllegalArgumentException("unknown option " + args[i] + " (--help shows all)");
                    }
                    options.add(args[i]);
                }
            }
        }
        if (!plainOnly && (agent == null || !Files.isRegularFile(agent))) {
            throw new IllegalArgumentException("agent jar missing: " + (agent == null ? "give --agent JAR" : agent)
                + " (--plain-only measures without it)");
        }
        return new Settings(agent, plainOnly, quick, rounds > 0 ? rounds : quick ? 2 : 3,
            cellMillis > 0 ? cellMillis : quick ? 100 : 400, quick ? 400 : 2000, sections,
            idle > 0 ? idle : quick ? 2000 : 10_000, options, check);
    }

    boolean has(String section) {
        return sections.contains(section);
    }

    /** Rounds of what varies by tens of percent from one to the next, where the median of a few proves nothing. */
    int manyRounds() {
        return quick ? rounds : 3 * rounds;
    }

    /** Warm-up and measured time as the last words of a client's command. */
    String times() {
        return cellMillis / 2 + " " + cellMillis;
    }

    private static String value(String[] args, int at) {
        if (at >= args.length) {
            throw new IllegalArgumentException(args[at - 1] + " needs a value");
        }
        return args[at];
    }

    private static int number(String[] args, int at) {
        final String value = value(args, at);
        try {
            final int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says it better.
        }
        throw new IllegalArgumentException(args[at - 1] + " needs a number above 0, not " + value);
    }

    private static Set<String> sections(String list) {
        final Set<String> chosen = new TreeSet<>(List.of(list.split(",")));
        for (String section : chosen) {
            if (!SECTIONS.contains(section)) {
                throw new IllegalArgumentException("unknown section " + section + ", there are "
                    + String.join(",", SECTIONS));
            }
        }
        return chosen;
    }
}
