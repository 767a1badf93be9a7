package org.smc4j.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.connection.RdmaConnection;
import org.smc4j.linkgroup.LinkGroupType;
import org.smc4j.linkgroup.SmcrLinkGroup;
import org.smc4j.negotiation.ClientHandshake;
import org.smc4j.negotiation.HandshakeEnd;
import org.smc4j.negotiation.ServerHandshake;
import org.smc4j.negotiation.Technology;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceException;
import org.smc4j.roce.software.SimulatedFabric;
import org.smc4j.roce.software.SimulatedRnic;
import org.smc4j.time.VirtualTime;

/**
 * Two hosts from the Proposal to the end of their link group: CLC messages as bytes, LLC and CDC over queue pairs of the software
 * RNIC, in virtual time.
 */
@Timeout(60)
class SmcrHostTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long MEGABYTE = 1 << 20;
    private static final long IDLE_GROUP_SECONDS = 620;

    private final VirtualTime time = new VirtualTime(42);
    private final SimulatedFabric fabric = new SimulatedFabric(time);
    private CoreHost client;
    private CoreHost server;

    /** Both ends of a connection. */
    private record Ends(CoreEnd atClient, CoreEnd atServer) {
        boolean areOver() {
            return atClient.handshake != null && atServer.handshake != null;
        }

        boolean areActive() {
            return atClient.isActive() && atServer.isActive();
        }

        void move(long total) {
            atClient.write(total);
            atServer.write(total);
            atServer.read(atClient);
            atClient.read(atServer);
        }

        boolean haveRead(long total) {
            return atClient.read == total && atServer.read == total;
        }
    }

    private void hosts(int clientRnics, int serverRnics, Technology technology) throws RoceException {
        client = new CoreHost(time, fabric, 1, clientRnics, technology);
        server = new CoreHost(time, fabric, 2, serverRnics, technology);
    }

    /** Begins a handshake. */
    private Ends connect() {
        Ends ends = new Ends(new CoreEnd(3), new CoreEnd(7));
        ServerHandshake[] atServer = new ServerHandshake[1];
        ClientHandshake atClient = new ClientHandshake(time, message -> carry(message, m -> atServer[0].received(m)),
                client.smcr.resources(ends.atClient), client.turns, ends.atClient::ended);
        atServer[0] = new ServerHandshake(time, message -> carry(message, atClient::received), server.smcr.resources(ends.atServer),
                server.turns, server::abilities, server.connection(), ends.atServer::ended);
        time.execute(atServer[0]::begin);
        time.execute(() -> atClient.begin(client.abilities(), client.connection()));
        return ends;
    }

    private void carry(ClcMessage message, Consumer<ClcMessage> to) {
        byte[] bytes = ClcCodec.encode(message);
        time.schedule(MILLISECOND / 10, () -> {
            try {
                to.accept(ClcCodec.decode(bytes, 0, bytes.length));
            } catch (ClcException e) {
                throw new AssertionError(e);
            }
        });
    }

    private Ends connected() {
        Ends ends = connect();
        assertTrue(time.runUntil(ends::areOver, 30 * SECOND));
        assertTrue(ends.areActive(), () -> ends.atClient.handshake + " " + ends.atServer.handshake);
        return ends;
    }

    private void transfer(Ends ends, long total) {
        long end = time.nanoTime() + 60 * SECOND;
        while (!ends.haveRead(total) && time.nanoTime() - end < 0) {
            ends.move(total);
            time.advance(MILLISECOND / 100);
        }
        assertTrue(ends.haveRead(total), () -> "read " + ends.atServer.read + " and " + ends.atClient.read + " of " + total + ": " + ends.atClient + ", "
                + ends.atServer);
    }

    private void close(Ends ends) {
        ends.atClient.stream().close(false, 2 * SECOND);
        assertTrue(time.runUntil(ends.atServer::hasEnded, SECOND));
        ends.atServer.stream().close(false, 2 * SECOND);
        assertTrue(time.runUntil(() -> ends.atClient.finished && ends.atServer.finished, 5 * SECOND));
    }

    private void assertNothingLeftWhenGroupsAreFreed() {
        time.runUntilIdle(IDLE_GROUP_SECONDS * SECOND);
        assertTrue(client.smcr.groups().groups().isEmpty());
        assertTrue(server.smcr.groups().groups().isEmpty());
        boolean[] gone = new boolean[2];
        client.smcr.remove("host1-rnic0", () -> gone[0] = true);
        server.smcr.remove("host2-rnic0", () -> gone[1] = true);
        assertTrue(time.runUntil(() -> gone[0] && gone[1], SECOND));
        client.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(value = Technology.class, names = {"SMCR_V1", "SMCR_V2"})
    void shouldCarryBothStreamsAndEndWhenBothAreClosed(Technology technology) throws RoceException {
        hosts(1, 1, technology);
        Ends ends = connected();
        assertTrue(ends.atClient.connection.isFirstContact());
        transfer(ends, 3 * MEGABYTE);
        close(ends);
        assertNothingLeftWhenGroupsAreFreed();
    }

    @Test
    void shouldUseTheLinkGroupAgainWhenItIsThere() throws RoceException {
        hosts(1, 1, Technology.SMCR_V2);
        Ends first = connected();
        Ends second = connected();
        assertFalse(second.atClient.connection.isFirstContact());
        assertSame(first.atClient.connection.membership().group(), second.atClient.connection.membership().group());
        transfer(second, MEGABYTE);
        transfer(first, MEGABYTE);
        close(first);
        Ends third = connected();
        transfer(third, MEGABYTE);
        close(third);
        close(second);
        assertNothingLeftWhenGroupsAreFreed();
    }

    @Test
    void shouldFallBackAtBothEndsWhenTheServerHasNoRnic() throws RoceException {
        hosts(1, 0, Technology.SMCR_V2);
        Ends ends = connect();
        assertTrue(time.runUntil(ends::areOver, 30 * SECOND));
        HandshakeEnd.Fallback atServer = (HandshakeEnd.Fallback) ends.atServer.handshake;
        HandshakeEnd.Fallback atClient = (HandshakeEnd.Fallback) ends.atClient.handshake;
        assertEquals(0x05000000, atClient.reason());
        assertEquals(atServer.reason(), atClient.peerDiagnosis());
        assertTrue(client.smcr.groups().groups().isEmpty());
    }

    @ParameterizedTest
    @EnumSource(value = Technology.class, names = {"SMCR_V1", "SMCR_V2"})
    void shouldGoOnByTheOtherLinkWhenOneIsLostSilently(Technology technology) throws RoceException {
        hosts(2, 2, technology);
        Ends first = connected();
        Ends second = connected();
        SmcrLinkGroup group = first.atClient.connection.membership().group();
        assertTrue(time.runUntil(() -> group.type() == LinkGroupType.SYMMETRIC, 10 * SECOND), () -> "type " + group.type());
        transfer(first, MEGABYTE);
        transfer(second, MEGABYTE);
        client.rnics.get(0).setLinkLost(1, true);
        transfer(first, 3 * MEGABYTE);
        transfer(second, 3 * MEGABYTE);
        client.rnics.get(0).setLinkLost(1, false);
        client.rnics.get(1).setLinkLost(1, true);
        transfer(first, 5 * MEGABYTE);
        transfer(second, 5 * MEGABYTE);
        close(first);
        close(second);
    }

    @Test
    void shouldAddALinkWhenAPortThatIsActiveGetsItsGidLater() throws RoceException {
        hosts(2, 2, Technology.SMCR_V2);
        List<SimulatedRnic> rnics = List.of(client.rnics.get(1), server.rnics.get(1));
        List<List<GidEntry>> gids = rnics.stream().map(rnic -> rnic.port(1).gids()).toList();
        rnics.forEach(rnic -> rnic.setGids(1, List.of()));
        Ends ends = connected();
        SmcrLinkGroup group = ends.atClient.connection.membership().group();
        time.advance(10 * SECOND);
        assertEquals(LinkGroupType.SINGLE, group.type());
        for (int i = 0; i < rnics.size(); i++) {
            rnics.get(i).setGids(1, gids.get(i));
        }
        assertTrue(time.runUntil(() -> group.type() == LinkGroupType.SYMMETRIC, 10 * SECOND), () -> "type " + group.type());
        transfer(ends, MEGABYTE);
        close(ends);
    }

    /**
     * Links go silent or lose their port, one at a time, under connections that come and go: whoever was established reads every
     * byte, and in the end both links are there again.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 16})
    void shouldLoseNothingWhenLinksAreCutAndRestoredAtRandom(long seed) throws RoceException {
        RandomGenerator random = new SplittableRandom(seed);
        hosts(2, 2, seed % 2 == 0 ? Technology.SMCR_V1 : Technology.SMCR_V2);
        List<Ends> open = new ArrayList<>(List.of(connected(), connected()));
        for (int cut = 0; cut < 12; cut++) {
            SmcrLinkGroup ofServer = open.getFirst().atServer.connection.membership().group();
            SmcrLinkGroup ofClient = open.getFirst().atClient.connection.membership().group();
            assertTrue(moveUntil(open, () -> ofServer.type() == LinkGroupType.SYMMETRIC && ofClient.type() == LinkGroupType.SYMMETRIC),
                    () -> "cut " + ofServer.type() + " " + ofServer.links() + ", " + ofClient.type() + " " + ofClient.links());
            SimulatedRnic rnic = (random.nextBoolean() ? client : server).rnics.get(random.nextInt(2));
            Ends another = connect();
            time.advance(random.nextLong(MILLISECOND));
            if (random.nextBoolean()) {
                rnic.setLinkLost(1, true);
            } else {
                rnic.setPortActive(1, false);
            }
            long end = time.nanoTime() + random.nextLong(random.nextBoolean() ? MILLISECOND : 40 * SECOND);
            moveUntil(open, () -> time.nanoTime() - end >= 0);
            rnic.setLinkLost(1, false);
            rnic.setPortActive(1, false);
            rnic.setPortActive(1, true);
            assertTrue(moveUntil(open, another::areOver));
            if (another.areActive() && another.atClient.frozen) {
                // Its link was lost between its Confirm and the end of its handshake: it goes on over TCP, which has no place here.
                hangUp(another);
            } else if (another.areActive()) {
                open.add(another);
                closeInTheEnd(open.remove(random.nextInt(2)));
            }
        }
        open.forEach(this::closeInTheEnd);
        assertNothingLeftWhenGroupsAreFreed();
    }

    private void hangUp(Ends ends) {
        ends.atClient.stream().letGo();
        for (CoreEnd end : List.of(ends.atClient, ends.atServer)) {
            end.stream().hangUp();
            end.stream().close(true, 0);
        }
    }

    private void closeInTheEnd(Ends ends) {
        transfer(ends, Math.max(ends.atClient.written, ends.atServer.written) + 100_000);
        close(ends);
    }

    /** Lets the applications write and read until something is so; false if it is not within two minutes. */
    private boolean moveUntil(List<Ends> open, BooleanSupplier condition) {
        long end = time.nanoTime() + 120 * SECOND;
        while (!condition.getAsBoolean() && time.nanoTime() - end < 0) {
            for (Ends ends : open) {
                ends.move(ends.atServer.read + 20_000);
            }
            time.advance(5 * MILLISECOND);
        }
        return condition.getAsBoolean();
    }

    /** A second connection begins on the second link, which is lost at any moment of its handshake. */
    @Test
    void shouldKeepTheGroupWhenTheLinkOfAHandshakeIsLostAtAnyMoment() throws RoceException {
        for (int moment = 0; moment < 40; moment++) {
            hosts(2, 2, Technology.SMCR_V2);
            Ends first = connected();
            SmcrLinkGroup group = first.atServer.connection.membership().group();
            Ends second = connect();
            time.advance(moment * MILLISECOND / 40);
            client.rnics.get(1).setPortActive(1, false);
            assertTrue(time.runUntil(second::areOver, 60 * SECOND));
            assertTrue(group.isListed(), "ended by a loss after " + moment + "/40 ms");
            transfer(first, MEGABYTE);
            close(first);
            client.close();
            server.close();
        }
    }

    /** The bytes before the cut are counted in steps, so that it hits transfers in many states. */
    @ParameterizedTest
    @ValueSource(longs = {1, 50_000, 65_536, 65_537, 200_000, 777_777})
    void shouldGoOnByTcpWithoutLosingAByteWhenTheLastLinkIsLost(long beforeTheCut) throws RoceException {
        hosts(1, 1, Technology.SMCR_V2);
        Ends ends = connected();
        long end = time.nanoTime() + 10 * SECOND;
        while (ends.atServer.read < beforeTheCut && time.nanoTime() - end < 0) {
            ends.move(MEGABYTE);
            time.advance(MILLISECOND / 1000);
        }
        server.rnics.getFirst().setPortActive(1, false);
        ends.atClient.write(MEGABYTE);
        assertTrue(time.runUntil(() -> ends.atClient.frozen && ends.atServer.frozen, 60 * SECOND));
        ends.atClient.goOnByTcp(ends.atServer);
        ends.atServer.goOnByTcp(ends.atClient);
        ends.atServer.read(ends.atClient);
        ends.atClient.read(ends.atServer);
        assertEquals(ends.atClient.written, ends.atServer.read);
        assertEquals(ends.atServer.written, ends.atClient.read);
        for (RdmaConnection stream : new RdmaConnection[] {ends.atClient.stream(), ends.atServer.stream()}) {
            assertTrue(stream.close(false, 0));
        }
        assertTrue(time.runUntil(() -> ends.atClient.finished && ends.atServer.finished, 5 * SECOND));
        assertTrue(client.smcr.groups().groups().isEmpty());
        assertTrue(server.smcr.groups().groups().isEmpty());
    }
}
