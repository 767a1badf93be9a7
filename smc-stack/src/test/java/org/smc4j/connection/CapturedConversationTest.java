package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.cdc.CdcException;
import org.smc4j.cdc.CdcFlags;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.time.VirtualTime;

/**
 * The calls of the captured conversations on both ends of a connection of ours: the same results, the same CDC messages byte by byte,
 * and RDMA WRITEs of the same lengths to the same places of the ring, as from the kernel.
 */
@Timeout(60)
class CapturedConversationTest {
    private static final int RING = 16384;
    private static final int ECONNRESET = 104;
    private static final Pattern CALL = Pattern.compile("(\\w+)\\(([^,)]*)(?:, (\\w+))?\\)");

    static List<Captured.Section> sections() {
        List<Captured.Section> all = new ArrayList<>();
        for (String file : List.of("smcr-v2-data.txt", "smcr-v2-urgent.txt", "smcr-v2-close.txt")) {
            all.addAll(Captured.sections(file));
        }
        return all;
    }

    private final VirtualTime time = new VirtualTime(1);
    private TestEnd client;
    private TestEnd server;

    @ParameterizedTest
    @MethodSource("sections")
    void shouldSendWhatTheKernelSentWhenTheCallsAreTheSame(Captured.Section section) throws Exception {
        List<Captured.Event> events = section.events();
        try (LinkedHosts hosts = new LinkedHosts(time, RnicModel.PLAIN, LinkedHosts.SIZES_V2, 1)) {
            TestEnd[] ends = TestEnd.pair(hosts, 0, Options.PLAIN.tokens(token(events, false), token(events, true)));
            client = ends[0];
            server = ends[1];
            List<String> expected = new ArrayList<>();
            for (Captured.Event event : events) {
                if (event instanceof Captured.Message message) {
                    expected.add(message.describe());
                } else {
                    assertEquals(expected, hosts.describePosted(client, server));
                    expected.clear();
                    Captured.Call call = (Captured.Call) event;
                    assertEquals(call.result(), perform(call), call.toString());
                    assertTrue(time.runUntilIdle(100_000_000L));
                }
            }
            assertEquals(expected, hosts.describePosted(client, server));
            assertEquals(1, client.finished, "client is over");
            assertEquals(1, server.finished, "server is over");
        }
    }

    /** The token of the receiver in the first message of one side. */
    private static int token(List<Captured.Event> events, boolean byClient) throws CdcException {
        for (Captured.Event event : events) {
            if (event instanceof Captured.Message message && !message.isWrite() && message.byClient() == byClient) {
                return CdcCodec.decode(message.bytes(), 0, message.bytes().length).alertToken();
            }
        }
        throw new AssertionError("no message by " + (byClient ? "client" : "server"));
    }

    /** What the kernel's call would have returned. */
    private int perform(Captured.Call call) {
        TestEnd end = call.byClient() ? client : server;
        switch (call.call()) {
            case "SIOCATMARK" -> {
                return end.connection.isAtMark() ? 1 : 0;
            }
            case "SO_OOBINLINE 1" -> {
                end.inline = true;
                return 0;
            }
            case "SO_ERROR" -> {
                return (end.connection.peerFlags() & CdcFlags.CONN_ABORT) != 0 ? ECONNRESET : 0;
            }
            case "SO_LINGER 0, close()" -> {
                end.connection.close(false, 0);
                return 0;
            }
            default -> {
                return transfer(end, call);
            }
        }
    }

    private static int transfer(TestEnd end, Captured.Call call) {
        Matcher parts = CALL.matcher(call.call());
        assertTrue(parts.matches(), call.call());
        String argument = parts.group(2);
        boolean urgent = "MSG_OOB".equals(parts.group(3));
        switch (parts.group(1)) {
            case "write", "send" -> {
                int length = Integer.parseInt(argument);
                MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
                return urgent ? end.connection.sendUrgent(bytes, 0, length) : end.connection.send(bytes, 0, length);
            }
            case "read", "recv" -> {
                if (urgent) {
                    return end.connection.receiveUrgent() < 0 ? -1 : 1;
                }
                int length = argument.equals("all") ? 2 * RING : Integer.parseInt(argument);
                int n = end.connection.receive(MemorySegment.ofArray(new byte[length]), 0, length);
                return n == 0 && end.connection.peerFlags() == 0 ? -1 : n;
            }
            case "shutdown" -> {
                if (argument.equals("SHUT_WR")) {
                    end.connection.shutdownOutput();
                } else {
                    end.connection.shutdownBoth();
                }
                return 0;
            }
            case "close" -> {
                end.connection.close(false, 2_000_000_000L);
                return 0;
            }
            default -> throw new AssertionError(call.call());
        }
    }
}
