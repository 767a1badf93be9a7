package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.time.VirtualTime;

/** The two connections of smcr-v2-two-ports.txt that were moved from one link to the other, call by call and message by message. */
@Timeout(30)
class CapturedFailoverTest {
    private static final long MILLI = 1_000_000L;

    private final VirtualTime time = new VirtualTime(1);
    private LinkedHosts hosts;
    private TestEnd client;
    private TestEnd server;
    private List<Captured.Message> captured;

    /** A connection on the second of two links, and its messages. */
    private void open(int clientToken, int serverToken, Set<Long> rings) throws Exception {
        captured = new ArrayList<>();
        for (Captured.Section section : Captured.sections("smcr-v2-two-ports.txt")) {
            for (Captured.Event event : section.events()) {
                if (event instanceof Captured.Message message && (message.isWrite() ? rings.contains(message.ringAddress())
                        : message.cdc().alertToken() == (message.byClient() ? serverToken : clientToken))) {
                    captured.add(message);
                }
            }
        }
        hosts = new LinkedHosts(time, RnicModel.PLAIN, LinkedHosts.SIZES_V2, 2);
        TestEnd[] ends = TestEnd.pair(hosts, 1, Options.PLAIN.tokens(clientToken, serverToken));
        client = ends[0];
        server = ends[1];
    }

    /** The link is known to be lost at both ends: both go on by the other. */
    private void bothMove(String why) {
        for (TestEnd end : List.of(client, server)) {
            end.host.workQueues.get(1).takeDown(why);
            end.connection.moveTo(end.path(0));
        }
    }

    /** All that was posted since the last time is what was captured under these numbers. */
    private void assertSent(String... ids) throws Exception {
        List<String> expected = new ArrayList<>();
        for (String id : ids) {
            Captured.Message message = captured.removeFirst();
            assertEquals("[" + id + "]", message.id());
            expected.add(message.describe());
        }
        assertEquals(expected, hosts.describePosted(client, server));
    }

    private void assertOver() {
        assertTrue(captured.isEmpty());
        assertEquals(1, client.finished);
        assertEquals(1, server.finished);
        hosts.close();
    }

    private void settle() {
        assertTrue(time.runUntilIdle(10 * MILLI));
    }

    @Test
    void shouldGoOnWhenAPortGoesDownBetweenMessages() throws Exception {
        open(4, 3, Set.of(0xffff888105578000L, 0xffff888105580000L));
        // The token and one ring belong to another connection before and after: connection 5002 has messages 23 to 61.
        captured.removeIf(message -> Integer.parseInt(message.id().substring(1, 4)) < 23
                || Integer.parseInt(message.id().substring(1, 4)) > 61);
        client.send(0, 100);
        settle();
        assertSent("023", "024");
        assertEquals(100, server.receive(0, 100));
        client.send(100, 200);
        settle();
        assertSent("025", "026");
        assertEquals(200, server.receive(100, 200));
        server.send(0, 200);
        settle();
        assertSent("027", "028");
        assertEquals(200, client.receive(0, 200));
        settle();

        bothMove("w0 down");
        settle();
        assertSent("029", "031");
        client.send(300, 10);
        settle();
        assertSent("040", "041");
        assertEquals(10, server.receive(300, 10));
        client.send(310, 11);
        settle();
        assertSent("057", "058");
        assertEquals(11, server.receive(310, 11));
        client.connection.shutdownOutput();
        settle();
        assertSent("059");
        server.connection.close(false, 0);
        settle();
        assertSent("060");
        client.connection.close(false, 0);
        settle();
        assertSent("061");
        assertOver();
    }

    @Test
    void shouldSendAgainWhatWasLostWhenALinkLosesPackets() throws Exception {
        open(8, 7, Set.of(0xffff88810555c000L));
        captured.removeIf(message -> Integer.parseInt(message.id().substring(1, 4)) < 82);
        client.send(0, 100);
        settle();
        assertSent("082", "083");
        assertEquals(100, server.receive(0, 100));

        hosts.server.rnic(1).setLinkLost(1, true);
        client.send(100, 20);
        time.advance(MILLI);
        assertSent("084", "085");
        client.send(120, 30);
        time.advance(MILLI);
        assertSent();
        assertEquals(0, server.connection.available());

        // The client's TEST LINK was not answered, and then it told the server.
        hosts.client.workQueues.get(1).takeDown("TEST LINK unanswered");
        client.connection.moveTo(client.path(0));
        settle();
        assertSent("094", "096", "097");
        hosts.server.workQueues.get(1).takeDown("deleted by the client");
        server.connection.moveTo(server.path(0));
        settle();
        assertSent("098");
        assertEquals(50, server.receive(100, 1000));
        client.send(150, 10);
        settle();
        assertSent("099", "100");
        assertEquals(10, server.receive(150, 10));
        client.connection.close(false, 0);
        settle();
        assertSent("101");
        server.connection.close(false, 0);
        settle();
        assertSent("102");
        assertOver();
    }
}
