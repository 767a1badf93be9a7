package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.time.Scheduler;
import org.smc4j.time.VirtualTime;

/** A client and a server host on one fabric, and the CLC part of their handshakes without the bytes. */
final class TwoHosts {
    static final SystemId CLIENT_ID = new SystemId(0xC1);
    static final SystemId SERVER_ID = new SystemId(0x5E);
    static final long SECOND = 1_000_000_000L;
    private static final int BUFFER = 16384;

    final Scheduler scheduler;
    final FakeFabric fabric;
    final FakeFabric.FakeHost clientHost;
    final FakeFabric.FakeHost serverHost;
    final List<RnicPort> clientPorts = new ArrayList<>();
    final List<RnicPort> serverPorts = new ArrayList<>();
    final LinkGroups client;
    final LinkGroups server;
    private int openBlocks;
    SmcrTerms terms = SmcrTerms.version1();

    TwoHosts(Scheduler scheduler, RandomGenerator random, int clientPortCount, int serverPortCount, long testLinkNanos) {
        this.scheduler = scheduler;
        fabric = new FakeFabric(scheduler);
        clientHost = fabric.host("client");
        serverHost = fabric.host("server");
        for (int i = 0; i < clientPortCount; i++) {
            clientPorts.add(clientHost.addPort(1 + 2 * i));
        }
        for (int i = 0; i < serverPortCount; i++) {
            serverPorts.add(serverHost.addPort(2 + 2 * i));
        }
        LinkGroupSettings settings = new LinkGroupSettings(testLinkNanos, this::allocate);
        client = new LinkGroups(scheduler, clientHost, clientHost, settings, random, random.nextInt(1 << 16));
        server = new LinkGroups(scheduler, serverHost, serverHost, settings, random, random.nextInt(1 << 16));
    }

    private BufferMemory.Block allocate(long bytes) {
        BufferMemory.Block block = BufferMemory.ofProcess().allocate(bytes);
        openBlocks++;
        return new BufferMemory.Block() {
            @Override
            public MemorySegment segment() {
                return block.segment();
            }

            @Override
            public void close() {
                block.close();
                openBlocks--;
            }
        };
    }

    /** All groups have ended, and everything that they had is given back. */
    void assertNothingLeft() {
        assertTrue(client.groups().isEmpty());
        assertTrue(server.groups().isEmpty());
        assertEquals(0, fabric.openTransports, "queue pairs");
        assertEquals(0, fabric.openRegions, "memory regions");
        assertEquals(0, openBlocks, "buffers");
    }

    /** Terms of version 2, release 1. */
    TwoHosts version2(int maxLinks) {
        terms = new SmcrTerms(2, 1, 255, maxLinks, Eid.ueid("SMC4J-TEST"), null);
        return this;
    }

    SmcrRequest requestOfServer() {
        RnicPort peer = clientPorts.getFirst();
        return new SmcrRequest(terms, serverPorts.getFirst(), 0, false, CLIENT_ID, peer.gid(), peer.mac(), BUFFER, BUFFER);
    }

    SmcrRequest requestOfClient(RnicPort peer) {
        return new SmcrRequest(terms, clientPorts.getFirst(), 0, false, SERVER_ID, peer.gid(), peer.mac(), BUFFER, BUFFER);
    }

    /** What matters of Accept and Confirm. */
    private record Hello(boolean firstContact, RnicPort port, PeerQueuePair queuePair, Rtoken rmb) {
    }

    /** One connection: both of its ends. */
    final class Connection {
        final TestMember clientEnd = new TestMember();
        final TestMember serverEnd = new TestMember();
        ReasonCode declined;

        boolean isEstablished() {
            return clientEnd.isEstablished() && serverEnd.isEstablished();
        }

        void close() {
            clientEnd.membership.leave();
            serverEnd.membership.leave();
        }

        /** The handshake is over: with success, or both ends have left. */
        boolean isOver() {
            return declined != null || isEstablished();
        }

        void decline(ReasonCode reason) {
            declined = reason;
            for (TestMember end : List.of(clientEnd, serverEnd)) {
                if (end.membership != null) {
                    end.membership.leave();
                }
            }
        }

        /** The server has the Proposal. */
        void begin() {
            try {
                serverEnd.membership = server.serverJoin(requestOfServer(), serverEnd);
            } catch (LinkGroupException e) {
                decline(e.reason());
                return;
            }
            if (serverEnd.membership.isFirstContact()) {
                send(serverEnd.membership, this::accepted);
            } else {
                serverEnd.membership.confirmRkey(then(() -> send(serverEnd.membership, this::accepted)));
            }
        }

        /** The client has the Accept. */
        private void accepted(Hello accept) {
            SmcrRequest request = requestOfClient(accept.port());
            try {
                if (accept.firstContact()) {
                    clientEnd.membership = client.clientFirstContact(request, accept.queuePair(), accept.rmb(), clientEnd);
                    clientEnd.membership.firstContact(clientEnd);
                    send(clientEnd.membership, this::confirmed);
                } else {
                    clientEnd.membership = client.clientJoin(request, accept.queuePair(), accept.rmb(), clientEnd);
                    clientEnd.membership.confirmRkey(then(() -> send(clientEnd.membership, this::confirmed)));
                }
            } catch (LinkGroupException e) {
                decline(e.reason());
            }
        }

        /** The server has the Confirm. */
        private void confirmed(Hello confirm) {
            if (serverEnd.membership.hasLeft()) {
                decline(ReasonCode.NOACTLINK);
                return;
            }
            if (confirm.firstContact()) {
                serverEnd.membership.firstContact(confirm.queuePair(), confirm.rmb(), serverEnd);
                return;
            }
            try {
                serverEnd.membership.peerRmb(confirm.rmb());
            } catch (LinkGroupException e) {
                decline(e.reason());
                return;
            }
            establish(serverEnd);
            establish(clientEnd);
        }

        private void establish(TestMember end) {
            if (end.membership.establish()) {
                end.succeeded();
            } else {
                decline(ReasonCode.NOACTLINK);
            }
        }

        private Outcome then(Runnable next) {
            return new Outcome() {
                @Override
                public void succeeded() {
                    next.run();
                }

                @Override
                public void failed(ReasonCode reason) {
                    decline(reason);
                }
            };
        }

        /** Accept or Confirm. */
        private void send(SmcrMembership membership, Consumer<Hello> received) {
            Rtoken rmb = membership.rtoken();
            if (rmb == null) {
                decline(ReasonCode.NOACTLINK);
                return;
            }
            Link link = membership.link();
            Hello hello = new Hello(membership.isFirstContact(), link.port(), queuePair(link), rmb);
            scheduler.schedule(FakeFabric.LATENCY_NANOS, () -> {
                if (declined == null) {
                    received.accept(hello);
                }
            });
        }
    }

    /** So many connections, one after the other, in virtual time. */
    List<Connection> established(int count) {
        VirtualTime time = (VirtualTime) scheduler;
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Connection connection = connect();
            assertTrue(time.runUntil(connection::isOver, 20 * SECOND));
            assertTrue(connection.isEstablished(), () -> connection.declined + " " + connection.clientEnd.events);
            connections.add(connection);
        }
        return connections;
    }

    /** Each end reaches the other's RMB over every link, at the rkey that the RMB has there. */
    static void assertReachable(List<Connection> connections) {
        for (Connection connection : connections) {
            assertReachable(connection.clientEnd.membership, connection.serverEnd.membership);
            assertReachable(connection.serverEnd.membership, connection.clientEnd.membership);
        }
    }

    private static void assertReachable(SmcrMembership from, SmcrMembership to) {
        PeerRmb rmb = from.group().rtokens().add(from.link().place(), from.peerRtoken());
        for (Link link : from.group().links()) {
            Link other = to.group().slots().byId(link.id());
            assertNotNull(other);
            assertEquals(to.rmb().rtoken(other), rmb.on(link.place()));
        }
    }

    static PeerQueuePair queuePair(Link link) {
        return new PeerQueuePair(link.transport().queuePair(), link.initialPsn(), link.port().mtuCode());
    }

    /** Begins a handshake. */
    Connection connect() {
        Connection connection = new Connection();
        scheduler.execute(connection::begin);
        return connection;
    }

    SmcrLinkGroup clientGroup() {
        return (SmcrLinkGroup) client.groups().getFirst();
    }

    SmcrLinkGroup serverGroup() {
        return (SmcrLinkGroup) server.groups().getFirst();
    }
}
