package org.smc4j.agent.cli;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** Chooses the command. */
public final class Main {
    /** The exit status for an answer: yes, all well. */
    static final int OK = 0;
    /** The exit status for: no, or not all well. */
    static final int NO = 1;
    /** The exit status for words that make no sense. */
    static final int USAGE = 2;

    private static final String HELP = """
            usage: java -jar smc-agent.jar COMMAND
              ss [-a] [-l]      the SMC sockets of this user's JVMs on this host: connections; with -a
                                listeners too, with -l only those
              linkgroup [-l]    the link groups of these JVMs, with their buffers; with -l, or --links, the links of
                                those of SMC-R instead
              device            the RNICs and ISM devices of these JVMs: ports, GIDs, links
              stats             what each of these JVMs counted since its start
              check HOST PORT   whether a connection from here to there would be SMC, and if not, why; makes
                                no connection. Settings of the client in question are taken from properties
                                (java -Dsmc.…=… -jar …) and the environment; another host is asked only with
                                smc.sideband.port and smc.rnic, and the way between the RNICs is not tried
              version           the version
              help              this text
            A JVM shows up once it has listened, accepted or proposed SMC under the agent.
            Exit status: 0 yes or all well, 1 no or a JVM did not answer, 2 the command makes no sense.
            To use SMC: java -javaagent:smc-agent.jar …
            """;

    private final PrintStream out;
    private final PrintStream err;

    private Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs a command and returns the exit status. */
    public static int run(String[] arguments) {
        return new Main(System.out, System.err).command(Arrays.asList(arguments));
    }

    private int command(List<String> words) {
        String name = words.isEmpty() ? "" : words.getFirst();
        List<String> arguments = words.isEmpty() ? words : words.subList(1, words.size());
        try {
            return switch (name) {
                case "help", "--help", "-h" -> {
                    out.print(HELP);
                    yield OK;
                }
                case "version", "--version", "-V" -> version();
                case "ss" -> new SocketsCommand(out, err).run(options(arguments, "-a", "-l"));
                case "linkgroup" -> new LinkGroupCommand(out, err).run(!options(arguments, "-l", "--links").isEmpty());
                case "device" -> {
                    options(arguments);
                    yield new DeviceCommand(out, err).run();
                }
                case "stats" -> {
                    options(arguments);
                    yield new StatsCommand(out, err).run();
                }
                case "check" -> new CheckCommand(out, err).run(arguments);
                default -> throw new UsageException(name.isEmpty() ? "no command" : "no command '" + name + "'");
            };
        } catch (UsageException e) {
            err.println("smc4j: " + e.getMessage() + "; try help");
            return USAGE;
        } catch (Exception | LinkageError e) {
            err.println("smc4j: " + name + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
            return NO;
        }
    }

    private static List<String> options(List<String> arguments, String... known) throws UsageException {
        for (String argument : arguments) {
            if (!Arrays.asList(known).contains(argument)) {
                throw new UsageException("not understood: '" + argument + "'");
            }
        }
        return arguments;
    }

    private int version() throws ClassNotFoundException {
        // The class loader of the agent knows nothing of the manifest; the JDK's does.
        String version = ClassLoader.getSystemClassLoader().loadClass("org.smc4j.agent.SmcMain").getPackage()
                .getImplementationVersion();
        out.println("smc4j " + (version == null ? "(unknown version)" : version) + ", SMC-D v2.1 and SMC-R v2.1; Java "
                + System.getProperty("java.version") + " on " + System.getProperty("os.name") + ' '
                + System.getProperty("os.version") + ' ' + System.getProperty("os.arch"));
        return OK;
    }
}
