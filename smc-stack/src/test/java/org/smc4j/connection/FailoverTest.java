package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.connection.LinkedHosts.Posted;
import org.smc4j.connection.TestEnd.Options;
import org.smc4j.roce.Completions;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.time.VirtualTime;

/** Connections move to another link, or to TCP, wherever the link they are on fails; not a byte is lost. */
@Timeout(120)
class FailoverTest {
    private static final int TOTAL = 40_000;
    private static final long SECOND = 1_000_000_000L;
    private static final RnicModel MODEL = RnicModel.PLAIN.withLatency(1_000, 200).withRetries(1_000_000, 3, RnicModel.FOR_EVER);

    /** What cuts the link. */
    private interface Cut {
        void prepare(LinkedHosts hosts, VirtualTime time);
    }

    /**
     * What a run was like.
     *
     * @param lost whether the first link was lost
     */
    private record Run(int clientRequests, int serverRequests, long nanos, boolean lost) {
    }

    /** Runs traffic in both directions through the cut. */
    private static Run run(int links, long seed, Cut cut) throws Exception {
        VirtualTime time = new VirtualTime(seed);
        try (LinkedHosts hosts = new LinkedHosts(time, MODEL, LinkedHosts.SIZES_V1, links)) {
            TestEnd[] ends = TestEnd.pair(hosts, 0, Options.PLAIN.autocorking(seed % 3 == 0 ? 0 : 65536));
            Traffic traffic = new Traffic(time, ends[0], ends[1], TOTAL, seed);
            hosts.onFailure = () -> linkLost(time, hosts, ends, traffic);
            cut.prepare(hosts, time);
            traffic.runToTheEnd();
            long nanos = time.nanoTime();
            assertTrue(time.runUntilIdle(20 * SECOND));
            int requests = (int) hosts.posted.stream().filter(posted -> posted.byClient()).count();
            return new Run(requests, hosts.posted.size() - requests, nanos,
                    !hosts.client.failed.isEmpty() || !hosts.server.failed.isEmpty());
        }
    }

    /** What a link group does: the end that finds out moves, and tells the other, which moves too. */
    private static void linkLost(VirtualTime time, LinkedHosts hosts, TestEnd[] ends, Traffic traffic) {
        for (TestEnd end : ends) {
            boolean foundOut = end.host.failed.contains(0);
            time.schedule(foundOut ? 0 : 1 + time.random().nextInt(100_000), () -> end.host.workQueues.getFirst().takeDown("told"));
        }
        if (hosts.client.workQueues.size() == 1) {
            if (hosts.client.failed.contains(0) && hosts.server.failed.contains(0)) {
                traffic.freeze();
            }
            return;
        }
        for (TestEnd end : ends) {
            if (end.host.failed.contains(0)) {
                end.connection.moveTo(end.path(1));
            }
        }
    }

    private static Cut failedRequest(boolean ofClient, long n) {
        return (hosts, time) -> {
            LinkedHosts.Host host = ofClient ? hosts.client : hosts.server;
            host.rnic(0).failRequest(host.workQueues.getFirst().queuePair(), n, Completions.RETRY_EXCEEDED);
        };
    }

    /** Packets get lost from a moment on, one way or both: some were taken and not acknowledged. */
    private static Cut silence(long at) {
        return (hosts, time) -> time.schedule(at, () -> {
            hosts.client.rnic(0).setLinkLost(1, true);
            hosts.server.rnic(0).setLinkLost(1, true);
        });
    }

    @Test
    void shouldLoseNothingWhenAnyRequestFailsAndThereIsAnotherLink() throws Exception {
        everyRequestFails(2);
    }

    @Test
    void shouldLoseNothingWhenAnyRequestFailsAndTheRestGoesByTcp() throws Exception {
        everyRequestFails(1);
    }

    private static void everyRequestFails(int links) throws Exception {
        Run undisturbed = run(links, 7, (hosts, time) -> { });
        assertFalse(undisturbed.lost);
        assertTrue(undisturbed.clientRequests > 25 && undisturbed.serverRequests > 25, undisturbed.toString());
        for (int n = 1; n <= undisturbed.clientRequests; n++) {
            assertTrue(run(links, 7, failedRequest(true, n)).lost, "request " + n + " of the client");
        }
        for (int n = 1; n <= undisturbed.serverRequests; n++) {
            assertTrue(run(links, 7, failedRequest(false, n)).lost, "request " + n + " of the server");
        }
    }

    @Test
    void shouldLoseNothingWhenALinkFallsSilentAtAnyMoment() throws Exception {
        for (int seed = 0; seed < 10; seed++) {
            long nanos = run(1, seed, (hosts, time) -> { }).nanos;
            for (long at = seed; at < nanos * 2 / 3; at += nanos / 15) {
                assertTrue(run(2, seed, silence(at)).lost);
                assertTrue(run(1, seed, silence(at)).lost);
            }
        }
    }

    @Test
    void shouldPostNothingOnALinkThatIsBeingLeft() throws Exception {
        VirtualTime time = new VirtualTime(1);
        try (LinkedHosts hosts = new LinkedHosts(time, MODEL, LinkedHosts.SIZES_V1, 2)) {
            TestEnd[] ends = TestEnd.pair(hosts, 0, Options.PLAIN);
            hosts.posted.clear();
            ends[0].connection.pause();
            assertEquals(500, ends[0].send(0, 500));
            assertTrue(time.runUntilIdle(SECOND));
            assertEquals(List.of(), hosts.posted);

            ends[0].connection.moveTo(ends[0].path(1));
            assertTrue(time.runUntilIdle(SECOND));
            assertTrue(hosts.posted.stream().filter(Posted::byClient).allMatch(posted -> posted.link() == 1));
            assertEquals(500, ends[1].receive(0, 1000));
        }
    }

    /** To and fro between two links that both work. */
    @Test
    void shouldLoseNothingWhenLinksAreLeftThatWork() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            VirtualTime time = new VirtualTime(seed);
            try (LinkedHosts hosts = new LinkedHosts(time, MODEL, LinkedHosts.SIZES_V1, 2)) {
                TestEnd[] ends = TestEnd.pair(hosts, 0, Options.PLAIN.autocorking(seed % 3 == 0 ? 0 : 65536));
                Traffic traffic = new Traffic(time, ends[0], ends[1], TOTAL, seed);
                int[] moves = new int[1];
                for (TestEnd end : ends) {
                    leave(time, end, 0, traffic, moves);
                }
                traffic.runToTheEnd();
                assertTrue(moves[0] > 5, moves[0] + " moves");
                assertTrue(time.runUntilIdle(20 * SECOND));
                assertEquals(List.of(), hosts.client.failed);
                assertEquals(List.of(), hosts.server.failed);
            }
        }
    }

    private static void leave(VirtualTime time, TestEnd end, int link, Traffic traffic, int[] moves) {
        time.schedule(time.random().nextInt(8_000), () -> {
            if (!traffic.isDone()) {
                end.connection.pause();
                end.host.workQueues.get(link).drain(() -> {
                    end.connection.moveTo(end.path(1 - link));
                    moves[0]++;
                    leave(time, end, 1 - link, traffic, moves);
                });
            }
        });
    }
}
