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
    final TestWaiter data = new TestWaiter();
    final TestWaiter space = new TestWaiter();
    final MemorySegment sendBuffer;
    final MemorySegment receiveBuffer;
    boolean inline;
    volatile int finished;
    RdmaConnection connection;
    private final Arena arena = Arena.ofAuto();
    private final List<MemoryRegion> sendRegions = new ArrayList<>();
    private final List<MemoryRegion> receiveRegions = new ArrayList<>();
    private TestEnd peer;

    private TestEnd(LinkedHosts.Host host, int sendSize, int receiveSize) throws RoceException {
        this.host = host;
        sendBuffer = arena.allocate(sendSize, 4096);
        receiveBuffer = arena.allocate(receiveSize, 4096);
        for (WorkQueue workQueue : host.workQueues) {
            sendRegions.add(workQueue.register(sendBuffer, false));
            receiveRegions.add(workQueue.register(receiveBuffer, true));
        }
    }

    /** What a test chooses about a connection. */
    record Options(int size, int clientToken, int serverToken, long autocorkingSize, boolean beginsOnTcp, boolean active) {
        static final Options PLAIN = new Options(16384, 5, 6, 65536, false, true);

        Options size(int bytes) {
            return new Options(bytes, clientToken, serverToken, autocorkingSize, beginsOnTcp, active);
        }

        Options tokens(int client, int server) {
            return new Options(size, client, server, autocorkingSize, beginsOnTcp, active);
        }

        Options autocorking(long bytes) {
            return new Options(size, clientToken, serverToken, bytes, beginsOnTcp, active);
        }

        Options onTcp() {
            return new Options(size, clientToken, serverToken, autocorkingSize, true, active);
        }

        Options inactive() {
            return new Options(size, clientToken, serverToken, autocorkingSize, beginsOnTcp, false);
        }
    }

    /** Both ends of a connection, client first, on this link. */
    static TestEnd[] pair(LinkedHosts hosts, int link, Options options) throws RoceException {
        TestEnd client = new TestEnd(hosts.client, options.size, options.size);
        TestEnd server = new TestEnd(hosts.server, options.size, options.size);
        client.peer = server;
        server.peer = client;
        client.open(hosts, link, options, options.clientToken, options.serverToken, client.data, client.space);
        server.open(hosts, link, options, options.serverToken, options.clientToken, server.data, server.space);
        return new TestEnd[] {client, server};
    }

    /** The same with other waiters. */
    static TestEnd[] pair(LinkedHosts hosts, int link, Options options, Waiter[] clientWaiters, Waiter[] serverWaiters)
            throws RoceException {
        TestEnd client = new TestEnd(hosts.client, options.size, options.size);
        TestEnd server = new TestEnd(hosts.server, options.size, options.size);
        client.peer = server;
        server.peer = client;
        client.open(hosts, link, options, options.clientToken, options.serverToken, clientWaiters[0], clientWaiters[1]);
        server.open(hosts, link, options, options.serverToken, options.clientToken, serverWaiters[0], serverWaiters[1]);
        return new TestEnd[] {client, server};
    }

    private void open(LinkedHosts hosts, int link, Options options, int ownToken, int peerToken, Waiter forData, Waiter forSpace) {
        RdmaConnection.Terms terms = new RdmaConnection.Terms(peerToken, sendBuffer, receiveBuffer, options.size,
                options.autocorkingSize, options.beginsOnTcp);
        connection = new RdmaConnection(terms, path(link), host.connections, hosts.scheduler, forData, forSpace, () -> inline,
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
