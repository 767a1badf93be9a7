package org.smc4j.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.carrier.DeclineReason;
import org.smc4j.carrier.FourTuple;
import org.smc4j.carrier.HandshakeMessage;
import org.smc4j.carrier.HandshakeMessage.Type;
import org.smc4j.time.VirtualTime;

/**
 * Two hosts with three processes each, all of which choose their ids alike, propose to each other, answer, give up, say things
 * twice and die. Whatever is delivered must be delivered to the process that it belongs to, under the id that this knows.
 */
@Timeout(60)
class RouterSimulationTest {
    private static final int ATTEMPTS = 50_000;
    private static final int PROCESSES = 3;
    private static final long MILLI = 1_000_000L;
    private static final byte[] NOTHING = new byte[0];

    private VirtualTime time;
    private RandomGenerator random;
    private final Host[] hosts = new Host[2];
    private final Map<FourTuple, Attempt> attempts = new HashMap<>();
    private int completed;
    private int timeoutsDelivered;
    private int timeoutsDue;

    /** What becomes of one TCP connection. */
    private static final class Attempt {
        final FourTuple tuple;
        final Process client;
        Process server;
        int clientId;
        int serverId;
        int proposalId;  // as the server's process heard it
        boolean abandoned;
        boolean over;

        Attempt(FourTuple tuple, Process client) {
            this.tuple = tuple;
            this.client = client;
        }
    }

    private static final class Process {
        final int member;
        int lastId;
        boolean dead;

        Process(int member) {
            this.member = member;
        }
    }

    /** A host: connection 1 is that of the first host to the second, connection 2 the other one. */
    private final class Host implements Router.Output {
        final int index;
        final byte[] address;
        final Router router;
        final List<Process> processes = new ArrayList<>();
        private int lastMember;
        private long lastArrival;

        Host(int index) {
            this.index = index;
            this.address = new byte[] {10, 0, 0, (byte) (index + 1)};
            this.router = new Router(time, this, random.nextInt());
            for (int slot = 0; slot < PROCESSES; slot++) {
                processes.add(null);
                replace(slot);
            }
        }

        void replace(int slot) {
            Process old = processes.get(slot);
            if (old != null) {
                old.dead = true;
                router.memberGone(old.member);
            }
            Process process = new Process(++lastMember);
            processes.set(slot, process);
            router.listens(process.member, new FourTuple(address, 0, address, 0).clientAddress(), 1 + slot);
        }

        @Override
        public void toMember(int member, int peer, HandshakeMessage message) {
            delivered(this, member, peer, message);
        }

        @Override
        public boolean toPeer(int peer, HandshakeMessage message) {
            Host other = hosts[1 - index];
            // In order, as TCP has it.
            lastArrival = Math.max(lastArrival, time.nanoTime() + random.nextLong(3 * MILLI));
            InetAddress host = new FourTuple(address, 0, address, 0).clientAddress();
            time.schedule(lastArrival - time.nanoTime(), () -> {
                Process server = attempts.get(message.tuple()).server;
                if (message.reason() == DeclineReason.TIMEOUT && message.remoteId() == 0 && server != null && !server.dead) {
                    timeoutsDue++;
                }
                other.router.fromPeer(peer, host, message);
            });
            return true;
        }

        @Override
        public DeclineReason refusal(FourTuple tuple) {
            return null;
        }

        @Override
        public int peerFor(FourTuple tuple) {
            return index + 1;
        }
    }

    private void attempt(int number) {
        Host from = hosts[random.nextInt(2)];
        Process client = from.processes.get(random.nextInt(PROCESSES));
        FourTuple tuple = new FourTuple(from.address, 1 + number, hosts[1 - from.index].address,
                1 + random.nextInt(PROCESSES));
        Attempt attempt = new Attempt(tuple, client);
        attempts.put(tuple, attempt);
        attempt.clientId = ++client.lastId;
        HandshakeMessage proposal = new HandshakeMessage(Type.PROPOSAL, null, attempt.clientId, 0, tuple, NOTHING);
        from.router.fromMember(client.member, 0, proposal);
        if (random.nextInt(10) == 0) {
            from.router.fromMember(client.member, 0, proposal);
        }
        time.schedule(random.nextLong(40 * MILLI), () -> {
            if (attempt.serverId == 0 && !client.dead && !attempt.over) {
                attempt.abandoned = true;
                from.router.fromMember(client.member, 0,
                        HandshakeMessage.decline(DeclineReason.TIMEOUT, attempt.clientId, 0, tuple));
            }
        });
    }

    private void delivered(Host host, int member, int peer, HandshakeMessage message) {
        Attempt attempt = attempts.get(message.tuple());
        boolean isClient = host.address[3] == message.tuple().client()[3];
        if (message.type() == Type.PROPOSAL) {
            heard(host, member, peer, message, attempt);
            return;
        }
        Process owner = isClient ? attempt.client : attempt.server;
        assertEquals(owner.member, member, () -> message + " went to a wrong process");
        assertTrue(!owner.dead, () -> message + " went to a dead process");
        if (message.reason() == DeclineReason.TIMEOUT && message.remoteId() == 0) {
            assertEquals(attempt.proposalId, message.localId(), () -> message + ": not the id of the proposal");
            timeoutsDelivered++;
            return;
        }
        assertEquals(isClient ? attempt.clientId : attempt.serverId, message.remoteId(), () -> message + ": not its id");
        switch (message.type()) {
            case ACCEPT -> {
                if (!attempt.abandoned) {
                    host.router.fromMember(member, peer, new HandshakeMessage(Type.CONFIRM, null, attempt.clientId,
                            message.localId(), message.tuple(), NOTHING));
                }
            }
            case CONFIRM -> host.router.fromMember(member, peer, new HandshakeMessage(Type.READY, null, attempt.serverId,
                    message.localId(), message.tuple(), NOTHING));
            default -> {
                completed++;
                attempt.over = true;
            }
        }
    }

    private void heard(Host host, int member, int peer, HandshakeMessage message, Attempt attempt) {
        if (attempt.server != null) {
            assertEquals(attempt.proposalId, message.localId(), "said again under another id");
            if (!attempt.server.dead) {
                return;
            }
            // The process that now listens there has not heard it.
            attempt.serverId = 0;
        }
        Process server = host.processes.get(message.tuple().serverPort() - 1);
        assertEquals(server.member, member);
        attempt.server = server;
        attempt.proposalId = message.localId();
        time.schedule(random.nextLong(40 * MILLI), () -> {
            if (!server.dead && !attempt.abandoned && random.nextBoolean()) {
                attempt.serverId = ++server.lastId;
                host.router.fromMember(server.member, peer, new HandshakeMessage(Type.ACCEPT, null,
                        attempt.serverId, attempt.proposalId, attempt.tuple, NOTHING));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {80, 4})
    void shouldDeliverEverythingToWhomItBelongsAndForgetEverything(long seed) {
        time = new VirtualTime(seed);
        random = time.random();
        hosts[0] = new Host(0);
        hosts[1] = new Host(1);
        int most = 0;
        for (int i = 0; i < ATTEMPTS; i++) {
            attempt(i);
            if (random.nextInt(500) == 0) {
                hosts[random.nextInt(2)].replace(random.nextInt(PROCESSES));
            }
            time.advance(random.nextLong(2 * MILLI));
            most = Math.max(most, hosts[0].router.idCount() + hosts[1].router.idCount());
        }
        time.advance(1000 * MILLI);
        assertTrue(completed > ATTEMPTS / 10, completed + " handshakes");
        assertEquals(timeoutsDue, timeoutsDelivered, "declines for time-out");
        assertTrue(timeoutsDue > ATTEMPTS / 10, timeoutsDue + " declines for time-out");
        assertTrue(most < ATTEMPTS, "at most " + most + " ids, which is all that ever were");
        assertTrue(time.runUntilIdle(2 * IdMap.UNUSED_NANOS));
        for (Host host : hosts) {
            assertEquals(0, host.router.idCount() + host.router.timeoutCount() + host.router.parkedCount());
        }
    }
}
