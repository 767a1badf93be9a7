package org.smc4j.bench.plain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The client: one command per line on standard input, one line {@code result name=value ...} or {@code error text} on
 * standard output for each. Times in commands are milliseconds. Ends when its input ends.
 */
public final class BenchClient {
    /** Keeps the ports of closed connections from running out. */
    private static final int MAX_CONNECTS = 4000;
    private static final int IDLE_SIZE = 64;
    /** Round trips that make a connection used: enough for anything that looks at a connection's first bytes. */
    private static final int IDLE_TRIPS = 4;

    private final List<Link> idle = new ArrayList<>();

    private BenchClient() {
    }

    public static void main(String[] args) throws IOException {
        final BenchClient client = new BenchClient();
        System.out.println("ready");
        final BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(client.answer(line.split(" ")));
        }
        System.exit(0);
    }

    private String answer(String[] words) {
        try {
            return "result " + run(words);
        } catch (Exception e) {
            e.printStackTrace();
            return "error " + e;
        }
    }

    private String run(String[] words) throws Exception {
        return switch (words[0]) {
            // COMMAND api target size warm-up duration
            case "roundtrip", "oneway", "connect" -> measured(words);
            // many target connections warm-up duration
            case "many" -> ManyConnections.echo(words[1], Integer.parseInt(words[2]), nanos(words[3]), nanos(words[4]));
            // open target connections
            case "open" -> open(words[1], Integer.parseInt(words[2]));
            case "touch" -> touch();
            case "gc" -> {
                System.gc();
                yield "";
            }
            case "total" -> "sent=" + Link.totalSent();
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        };
    }

    private static String measured(String[] words) throws Exception {
        final Api api = Api.of(words[1]);
        final String target = words[2];
        final int size = Integer.parseInt(words[3]);
        final Measure measure = new Measure(nanos(words[4]), nanos(words[5]));
        return api.call(() -> switch (words[0]) {
            case "roundtrip" -> measure.roundTrip(api, target, size);
            case "oneway" -> measure.oneWay(api, target, size);
            default -> measure.connects(api, target, size, MAX_CONNECTS);
        });
    }

    /** Opens more connections, which stay open to the end of the process. */
    private String open(String target, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            final Link link = Api.CHANNEL.connect(target, Message.Purpose.ECHO, IDLE_SIZE);
            idle.add(link);
            trips(link);
        }
        return "open=" + idle.size();
    }

    private String touch() throws IOException {
        for (Link link : idle) {
            trips(link);
        }
        return "open=" + idle.size();
    }

    private static void trips(Link link) throws IOException {
        for (int i = 0; i < IDLE_TRIPS; i++) {
            link.roundTrip(i);
        }
    }

    private static long nanos(String millis) {
        return Long.parseLong(millis) * 1_000_000;
    }
}
