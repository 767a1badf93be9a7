package org.smc4j.linkgroup;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.smc4j.clc.Eid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;
import org.smc4j.diag.ReasonCode;
import org.smc4j.time.Scheduler;

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
        LinkGroupSettings settings = new LinkGroupSettings(testLinkNanos, BufferMemory.ofProcess());
        client = new LinkGroups(scheduler, clientHost, settings, random);
        server = new LinkGroups(scheduler, serverHost, settings, random);
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

    SmcrRequest requestOfClient(Link serverLink) {
        RnicPort peer = serverLink.port();
        return new SmcrRequest(terms, clientPorts.getFirst(), 0, false, SERVER_ID, peer.gid(), peer.mac(), BUFFER, BUFFER);
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
                sendLater(this::accepted);
            } else {
                serverEnd.membership.confirmRkey(then(() -> sendLater(this::accepted)));
            }
        }

        /** The client has the Accept. */
        private void accepted() {
            if (declined != null) {
                return;
            }
            SmcrMembership other = serverEnd.membership;
            SmcrRequest request = requestOfClient(other.link());
            try {
                if (other.isFirstContact()) {
                    clientEnd.membership = client.clientFirstContact(request, queuePair(other.link()), rtoken(other), clientEnd);
                    clientEnd.membership.firstContact(clientEnd);
                    sendLater(this::confirmed);
                } else {
                    clientEnd.membership = client.clientJoin(request, queuePair(other.link()), rtoken(other), clientEnd);
                    clientEnd.membership.confirmRkey(then(() -> sendLater(this::confirmed)));
                }
            } catch (LinkGroupException e) {
                decline(e.reason());
            }
        }

        /** The server has the Confirm. */
        private void confirmed() {
            if (declined != null) {
                return;
            }
            SmcrMembership other = clientEnd.membership;
            if (serverEnd.membership.isFirstContact()) {
                serverEnd.membership.firstContact(queuePair(other.link()), rtoken(other), serverEnd);
                return;
            }
            try {
                serverEnd.membership.peerRmb(rtoken(other));
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

        private void sendLater(Runnable next) {
            scheduler.schedule(FakeFabric.LATENCY_NANOS, next);
        }
    }

    static PeerQueuePair queuePair(Link link) {
        return new PeerQueuePair(link.transport().queuePair(), link.initialPsn(), link.port().mtuCode());
    }

    static Rtoken rtoken(SmcrMembership membership) {
        return membership.rmb().rtoken(membership.link());
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
