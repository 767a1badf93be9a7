package org.smc4j.connection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceException;

/** One end of a connection under test, with its buffers registered on all links. */
final class TestEnd {
    final LinkedHosts.Host host;
    /** Of virtual time. */
    TestWaiter data;
    TestWaiter space;
    final MemorySegment sendBuffer;
    final MemorySegment receiveBuffer;
    boolean inline;
    volatile int finished;
    RdmaConnection connection;
    private final Arena arena = Arena.ofAuto();
    private final List<MemoryRegion> sendRegions = new ArrayList<>();
    private final List<MemoryRegion> receiveRegions = new ArrayList<>();
    private TestEnd peer;

    private TestEnd(LinkedHosts.Host host, Options options) throws RoceException {
        this.host = host;
        sendBuffer = arena.allocate(options.sendSize, 4096);
        receiveBuffer = arena.allocate(options.receiveSize, 4096);
        for (WorkQueue workQueue : host.workQueues) {
            sendRegions.add(workQueue.register(sendBuffer, false));
            receiveRegions.add(workQueue.register(receiveBuffer, true));
        }
    }

    /**
     * What a test chooses about a connection.
     *
     * @param sendSize    of both send buffers
     * @param receiveSize of both RMBEs
     */
    record Options(int sendSize, int receiveSize, int clientToken, int serverToken, long autocorkingSize, boolean beginsOnTcp,
                   boolean active, boolean overflows) {
        static final Options PLAIN = new Options(16384, 16384, 5, 6, 65536, false, true, false);

        Options sizes(int send, int receive) {
            return new Options(send, receive, clientToken, serverToken, autocorkingSize, beginsOnTcp, active, overflows);
        }

        Options tokens(int client, int server) {
            return new Options(sendSize, receiveSize, client, server, autocorkingSize, beginsOnTcp, active, overflows);
        }

        Options autocorking(long bytes) {
            return new Options(sendSize, receiveSize, clientToken, serverToken, bytes, beginsOnTcp, active, overflows);
        }

        Options onTcp() {
            return new Options(sendSize, receiveSize, clientToken, serverToken, autocorkingSize, true, active, overflows);
        }

        Options inactive() {
            return new Options(sendSize, receiveSize, clientToken, serverToken, autocorkingSize, beginsOnTcp, false, overflows);
        }

        Options overflowing() {
            return new Options(sendSize, receiveSize, clientToken, serverToken, autocorkingSize, beginsOnTcp, active, true);
        }
    }

    /** Both ends of a connection, client first, on this link, with waiters for data and space. */
    static TestEnd[] pair(LinkedHosts hosts, int link, Options options, Waiter[] clientWaiters, Waiter[] serverWaiters)
            throws RoceException {
        TestEnd client = new TestEnd(hosts.client, options);
        TestEnd server = new TestEnd(hosts.server, options);
        client.peer = server;
        server.peer = client;
        client.open(hosts, link, options, options.clientToken, options.serverToken, clientWaiters);
        server.open(hosts, link, options, options.serverToken, options.clientToken, serverWaiters);
        return new TestEnd[] {client, server};
    }

    /** The same with waiters that count. */
    static TestEnd[] pair(LinkedHosts hosts, int link, Options options) throws RoceException {
        TestWaiter[] client = {new TestWaiter(), new TestWaiter()};
        TestWaiter[] server = {new TestWaiter(), new TestWaiter()};
        TestEnd[] ends = pair(hosts, link, options, client, server);
        ends[0].data = client[0];
        ends[0].space = client[1];
        ends[1].data = server[0];
        ends[1].space = server[1];
        return ends;
    }

    private void open(LinkedHosts hosts, int link, Options options, int ownToken, int peerToken, Waiter[] waiters) {
        RdmaConnection.Terms terms = new RdmaConnection.Terms(peerToken, sendBuffer, receiveBuffer, options.receiveSize,
                options.autocorkingSize, options.beginsOnTcp, () -> options.overflows);
        connection = new RdmaConnection(terms, path(link), host.connections, hosts.scheduler, waiters[0], waiters[1], () -> inline,
                ended -> {
                    finished = finished + 1;
                    host.connections.remove(ownToken);
                });
        host.connections.add(ownToken, connection);
        if (options.active) {
            connection.activate();
        }
    }

    RdmaPath path(int link) {
        return new RdmaPath(host.workQueues.get(link), sendRegions.get(link).lkey(), peer.receiveBuffer.address(),
                peer.receiveRegions.get(link).rkey());
    }

    long peerRingAddress() {
        return peer.receiveBuffer.address();
    }

    int peerRkey(int link) {
        return peer.receiveRegions.get(link).rkey();
    }

    /** Sends the bytes of the test stream from this position on. */
    int send(long position, int length) {
        return connection.send(bytes(position, length), 0, length);
    }

    /** Receives, and checks, the bytes of the test stream from this position on. */
    int receive(long position, int length) {
        MemorySegment target = MemorySegment.ofArray(new byte[length]);
        int n = connection.receive(target, 0, length);
        for (int i = 0; i < n; i++) {
            if (target.get(ValueLayout.JAVA_BYTE, i) != pattern(position + i)) {
                throw new AssertionError("wrong byte at " + (position + i));
            }
        }
        return n;
    }

    static MemorySegment bytes(long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = pattern(position + i);
        }
        return MemorySegment.ofArray(bytes);
    }

    static byte pattern(long position) {
        return (byte) (position * 7 >> 3);
    }
}
