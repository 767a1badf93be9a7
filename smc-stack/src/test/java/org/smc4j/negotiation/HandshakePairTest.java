package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.time.VirtualTime;

/** A client and a server, each with its link groups, that talk in bytes. */
@Timeout(10)
class HandshakePairTest {
    private static final long LATENCY = 50_000L;
    private static final long LONG = 60_000_000_000L;

    private final VirtualTime time = new VirtualTime(7);
    private final Host clientHost = new Host("10.8.0.1").ueids("ONE");
    private final Host serverHost = new Host("10.8.0.2").ueids("ONE");
    private final ModelLinkGroups clientGroups = new ModelLinkGroups(time);
    private final ModelLinkGroups serverGroups = new ModelLinkGroups(time);
    private final HandshakeTurns clientTurns = new HandshakeTurns(time);
    private final HandshakeTurns serverTurns = new HandshakeTurns(time);

    /** One connection: both ends of its handshake. */
    private final class Connection {
        final List<HandshakeEnd> clientEnds = new ArrayList<>();
        final List<HandshakeEnd> serverEnds = new ArrayList<>();
        final ClientHandshake client = new ClientHandshake(time, message -> deliver(message, true), clientGroups, clientTurns,
                clientEnds::add);
        final ServerHandshake server = new ServerHandshake(time, message -> deliver(message, false), serverGroups, serverTurns,
                serverHost::abilities, serverHost.connection(), serverEnds::add);

        private void deliver(ClcMessage message, boolean toServer) {
            byte[] bytes = ClcCodec.encode(message);
            time.schedule(LATENCY, () -> {
                try {
                    ClcMessage decoded = ClcCodec.decode(bytes, 0, bytes.length);
                    if (toServer) {
                        server.received(decoded);
                    } else {
                        client.received(decoded);
                    }
                } catch (ClcException e) {
                    throw new AssertionError(e);
                }
            });
        }

        Connection begin() {
            server.begin();
            client.begin(clientHost.abilities(), clientHost.connection());
            return this;
        }

        boolean isOver() {
            return !clientEnds.isEmpty() && !serverEnds.isEmpty();
        }

        Connection run() {
            begin();
            time.runUntil(this::isOver, LONG);
            assertEquals(1, clientEnds.size());
            assertEquals(1, serverEnds.size());
            return this;
        }

        HandshakeEnd.Active active() {
            HandshakeEnd.Active atServer = assertInstanceOf(HandshakeEnd.Active.class, serverEnds.getFirst());
            HandshakeEnd.Active atClient = assertInstanceOf(HandshakeEnd.Active.class, clientEnds.getFirst());
            assertEquals(atServer.choice().version(), atClient.choice().version());
            assertEquals(atServer.choice().eid(), atClient.choice().eid());
            assertEquals(atServer.choice().getClass(), atClient.choice().getClass());
            if (atServer.reservation().isFirstContact()) {
                assertEquals(atServer.choice().terms(), atClient.choice().terms());
            }
            return atClient;
        }
    }

    private void addRnics(GidType... types) {
        clientHost.ports.add(Host.port("rxe0", "eth0", "10.8.0.1", Host.NET, types));
        serverHost.ports.add(Host.port("rxe1", "eth0", "10.8.0.2", Host.NET, types));
        serverHost.systemId = new SystemId(0x99);
    }

    private void addIsm() {
        clientHost.ismDevices.add(Host.emulatedIsm("virt", 0xFF01));
        serverHost.ismDevices.add(Host.emulatedIsm("virt", 0xFF01));
    }

    @Test
    void shouldAgreeOnTermsWhenLimitsAndFeaturesDiffer() {
        addRnics(GidType.ROCE_V2);
        clientHost.maxConnections = 100;
        clientHost.featureMask = 0xF001;
        serverHost.maxLinks = 1;
        serverHost.featureMask = 0x7003;
        HandshakeEnd.Active active = new Connection().run().active();
        assertEquals(new Terms(1, 100, 1, 0x7001), active.choice().terms());
    }

    @ParameterizedTest
    @ValueSource(strings = {"SMCD_V2", "SMCD_V1", "SMCR_V2", "SMCR_V1"})
    void shouldMakeAGroupAndReuseItWhenConnectionsFollowEachOther(String technology) {
        addRnics(GidType.ROCE_V1, GidType.ROCE_V2);
        addIsm();
        clientHost.ismDevices.add(Host.ism("native", 7, Host.NET));
        serverHost.ismDevices.add(Host.ism("native", 7, Host.NET));
        Technology wanted = Technology.valueOf(technology);
        serverHost.technologies.removeIf(other -> other != wanted);
        for (int i = 0; i < 5; i++) {
            HandshakeEnd.Active active = new Connection().run().active();
            assertEquals(technology, (active.choice() instanceof SmcdChoice ? "SMCD_V" : "SMCR_V") + active.choice().version());
        }
        assertEquals(1, clientGroups.firstContacts);
        assertEquals(1, serverGroups.firstContacts);
        assertEquals(5, serverGroups.groups.getFirst().connections);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMakeOneGroupWhenManyConnectionsBeginAtOnce(boolean smcd) {
        addRnics(GidType.ROCE_V2);
        if (smcd) {
            addIsm();
        }
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            connections.add(new Connection().begin());
        }
        assertTrue(time.runUntil(() -> connections.stream().allMatch(Connection::isOver), LONG));
        connections.forEach(Connection::active);
        assertEquals(1, clientGroups.firstContacts);
        assertEquals(1, serverGroups.firstContacts);
        assertEquals(20, serverGroups.groups.getFirst().connections);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMakeFirstContactAgainWhenTheClientHasLostTheGroup(boolean smcd) {
        addRnics(GidType.ROCE_V2);
        if (smcd) {
            addIsm();
        }
        new Connection().run().active();
        clientGroups.groups.clear();

        Connection lost = new Connection().run();
        assertEquals(new HandshakeEnd.Fallback(ReasonCode.SYNCERR.number(), 0), lost.clientEnds.getFirst());
        assertEquals(new HandshakeEnd.Fallback(ReasonCode.PEERDECL.number(), ReasonCode.SYNCERR.number()),
                lost.serverEnds.getFirst());
        assertEquals(List.of(), serverGroups.groups, "nobody finds it any more");

        assertTrue(new Connection().run().active().reservation().isFirstContact());
        assertEquals(2, serverGroups.firstContacts);
    }

    @Test
    void shouldMakeFirstContactAgainWhenTheServerHasLostTheGroup() {
        addRnics(GidType.ROCE_V2);
        new Connection().run().active();
        serverGroups.groups.clear();
        assertTrue(new Connection().run().active().reservation().isFirstContact());
        assertEquals(2, clientGroups.groups.size(), "the old one ends by itself");
        assertEquals(false, new Connection().run().active().reservation().isFirstContact());
    }

    @Test
    void shouldMakeANewGroupWhenTheOldOneIsFull() {
        addRnics(GidType.ROCE_V2);
        clientHost.maxConnections = 16;
        for (int i = 0; i < 17; i++) {
            new Connection().run().active();
        }
        assertEquals(2, serverGroups.groups.size());
        assertEquals(16, serverGroups.groups.getFirst().connections);
        assertEquals(1, clientGroups.groups.getLast().connections);
    }

    @Test
    void shouldKnowTheClientByItsProposalWhenTheServerMakesAGroup() {
        addRnics(GidType.ROCE_V1);
        new Connection().run().active();
        ModelLinkGroups.Group group = serverGroups.groups.getFirst();
        assertEquals(clientHost.systemId, group.peerSystemId);
        assertEquals(Host.gid("10.8.0.1"), group.peerGid);
        assertEquals(clientHost.ports.getFirst().port().mac(), group.peerMac);
    }

    @Test
    void shouldBothStayOnTcpWhenTheServerDeclines() {
        addRnics(GidType.ROCE_V2);
        serverHost.ueids.clear();
        Connection connection = new Connection().run();
        assertEquals(new HandshakeEnd.Fallback(ReasonCode.PEERDECL.number(), ReasonCode.NOSMCDEV.number()),
                connection.clientEnds.getFirst());
        assertEquals(new HandshakeEnd.Fallback(ReasonCode.NOSMCDEV.number(), 0), connection.serverEnds.getFirst());
    }

    @Test
    void shouldBothStayOnTcpWhenTheClientHasNothingToOffer() {
        Connection connection = new Connection().run();
        assertEquals(new HandshakeEnd.Fallback(ReasonCode.NOSMCDEV.number(), 0), connection.clientEnds.getFirst());
        assertEquals(new HandshakeEnd.Fallback(ReasonCode.PEERDECL.number(), ReasonCode.NOSMCDEV.number()),
                connection.serverEnds.getFirst());
    }
}
