package org.smc4j.roce.software;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.smc4j.clc.Gid;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.RouteMonitor;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceException;

/**
 * An RNIC in software that reaches others of its kind in other processes, on other hosts and in other network namespaces: each of
 * its ports is a network interface, and what is between them is TCP. A port has a RoCE v1 GID if its interface has a link-local
 * IPv6 address, which that GID is, and a RoCE v2 GID for each of its IPv4 addresses. Changes of interfaces and addresses are events
 * of the device, as they would be of a real one.
 *
 * <p>It has one thread, which runs all callbacks; posting sends from the caller's thread as long as that does not block. The
 * connections are not encrypted, and a peer is known by its address, queue pair number and 24-bit PSN, no better than in RoCE
 * itself: it is for networks that one would use RoCE in.
 *
 * <p>Differences from a NIC:
 * <ul>
 * <li>a WRITE that is not signaled travels with the request that follows it, or 0.2 s later;
 * <li>a message without a receive waits at the receiver, so it is not repeated;
 * <li>the end of the peer's process fails the queue pair at once, even if nothing is posted;
 * <li>a path counts as lost after 4.3 s without an answer, which is the upper end of what eight timeouts of SMC-R may take (each
 * up to four times 134 ms).
 * </ul>
 */
public final class SocketRnic extends SoftwareDevice {
    private static final long SMC_PATH_TIMEOUT = 8 * 4 * (4_096L << 15);
    private static final int TICKS_PER_TIMEOUT = 4;
    private static final int MAX_INLINE = 220;
    private static final int MAX_REQUESTS = 16_384;
    /** Connections that have not said whom they are for: more than that are not waited for. */
    private static final int MOST_UNGREETED = 256;
    private static final int IPPROTO_IP = 0;
    private static final int IP_BIND_ADDRESS_NO_PORT = 24;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** A connection on which TCP waits for nothing, though somebody above may, is asked so often. */
    private static final int KEEPALIVE_SECONDS = 1;

    private final long pathTimeout;
    private final List<SocketPort> ports;
    private final NetworkThread thread;
    private final Listeners listeners;
    private volatile boolean broken;
    private volatile boolean malformedSeen;
    // Used by the device's thread only.
    private final Set<IncomingConnection> connections = new LinkedHashSet<>();
    private final Set<IncomingConnection> ungreeted = new LinkedHashSet<>();
    private final List<IncomingConnection> owingAnswers = new ArrayList<>();

    private SocketRnic(String name, long pathTimeout, List<String> interfaceNames) throws RoceException {
        super(name);
        this.pathTimeout = pathTimeout;
        List<SocketPort> made = new ArrayList<>();
        for (String interfaceName : interfaceNames) {
            made.add(new SocketPort(made.size() + 1, interfaceName));
        }
        ports = List.copyOf(made);
        thread = new NetworkThread("smc4j-rnic-".concat(name), new Work());
        listeners = new Listeners(thread, this::accepted);
    }

    /**
     * Opens a device.
     *
     * @param interfaceNames of its ports, one or two
     * @throws RoceException if the process has no descriptors left, or an interface does not exist
     */
    public static SocketRnic open(String name, String... interfaceNames) throws RoceException {
        return open(name, SMC_PATH_TIMEOUT, interfaceNames);
    }

    /** @param pathTimeout without an answer, in ns, until requests fail with retries exceeded; means milliseconds and more */
    public static SocketRnic open(String name, long pathTimeout, String... interfaceNames) throws RoceException {
        if (interfaceNames.length == 0 || interfaceNames.length > MAX_PORTS) {
            throw new IllegalArgumentException("an RNIC has 1 or 2 ports: " + Arrays.toString(interfaceNames));
        }
        if (interfaceNames.length == MAX_PORTS && interfaceNames[0].equals(interfaceNames[1])) {
            throw new IllegalArgumentException("one interface is one port: " + interfaceNames[0]);
        }
        for (String interfaceName : interfaceNames) {
            if (InterfaceState.read(interfaceName) == InterfaceState.MISSING) {
                throw new RoceException("there is no network interface " + interfaceName);
            }
        }
        SocketRnic rnic = new SocketRnic(name, pathTimeout, List.of(interfaceNames));
        rnic.start();
        return rnic;
    }

    private void start() {
        int monitor = RouteMonitor.open();
        if (monitor < 0) {
            Log.warn("RNIC " + name() + " does not see changes of its interfaces: " + Errno.describe(monitor));
        } else {
            thread.execute(() -> new Monitor(monitor).serve());
        }
        // Before the thread runs, and after the monitor is open: nothing is missed.
        lookAtInterfaces();
        thread.start();
    }

    // -- What a test sets --

    /** Disables a port as its administrator would, or enables it again, with its event. Nothing passes while it is disabled. */
    public void setPortActive(int number, boolean active) {
        SocketPort port = ports.get(number - 1);
        port.setDisabled(!active);
        thread.call(() -> {
            applyCut(port);
            lookAtInterfaces();
        });
    }

    /** Packets to and from a port get lost from now on, or not any more; nobody is told. */
    public void setLinkLost(int number, boolean lost) {
        SocketPort port = ports.get(number - 1);
        port.setLinkLost(lost);
        thread.call(() -> applyCut(port));
    }

    private void applyCut(SocketPort port) {
        boolean cut = port.isCut();
        listeners.cut(port, cut);
        for (IncomingConnection connection : connections) {
            if (connection.port() == port) {
                connection.cut(cut);
            }
        }
        for (SoftwareQueuePair queuePair : queuePairs()) {
            if (queuePair.port() == port.number()) {
                ((SocketWire) queuePair.wire).outgoing().cut(cut);
            }
        }
    }

    /** The whole device stops, for good. */
    public void breakDown() {
        broken = true;
        for (SocketPort port : ports) {
            port.setDisabled(true);
        }
        thread.call(this::lookAtInterfaces);
        for (SoftwareQueuePair queuePair : queuePairs()) {
            queuePair.fail();
        }
        raise(new Event(Event.Kind.DEVICE_FATAL, 0, 0));
    }

    // -- The contract --

    @Override
    public int portCount() {
        return ports.size();
    }

    @Override
    public Port port(int number) {
        return ports.get(number - 1).state();
    }

    @Override
    public int maxWorkRequests() {
        return MAX_REQUESTS;
    }

    // -- For the engine --

    @Override
    Wire createWire(SoftwareQueuePair queuePair) {
        return new SocketWire(this, queuePair);
    }

    @Override
    int allocateNumber() throws RoceException {
        if (broken) {
            throw new RoceException("the device is broken");
        }
        return listeners.allocate();
    }

    @Override
    void releaseNumber(int number) {
        listeners.release(number);
    }

    @Override
    int packetLength(QueuePair.Path path) {
        return WireFormat.MOST_BYTES;
    }

    @Override
    int maxInline() {
        return MAX_INLINE;
    }

    @Override
    void execute(Runnable task) {
        thread.execute(task);
    }

    @Override
    void signal(SoftwareCompletionQueue queue) {
        // The thread goes through all queues before it waits again.
        thread.wake();
    }

    @Override
    void complete(SoftwareCompletionQueue queue, SoftwareQueuePair queuePair, boolean receive, long position, long id, int status,
                  int length, boolean solicited) {
        if (!queue.add(queuePair, receive, position, id, status, length, solicited)) {
            queuePair.completionLost();
        }
    }

    @Override
    void closed() {
        thread.stop();
    }

    // -- For connections --

    NetworkThread thread() {
        return thread;
    }

    SocketPort port(SoftwareQueuePair queuePair) {
        return ports.get(queuePair.port() - 1);
    }

    long pathTimeout() {
        return pathTimeout;
    }

    /** Sets what every connection needs; a kernel that knows less is good enough. */
    void configure(int descriptor) {
        int probes = (int) Math.max(1, pathTimeout / NANOS_PER_SECOND);
        TcpSocket.setOption(descriptor, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_NODELAY, 1);
        TcpSocket.setOption(descriptor, TcpSocket.SOL_SOCKET, TcpSocket.SO_KEEPALIVE, 1);
        TcpSocket.setOption(descriptor, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPIDLE, KEEPALIVE_SECONDS);
        TcpSocket.setOption(descriptor, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPINTVL, KEEPALIVE_SECONDS);
        TcpSocket.setOption(descriptor, TcpSocket.IPPROTO_TCP, TcpSocket.TCP_KEEPCNT, probes);
        TcpSocket.setOption(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
    }

    /** Somebody at that port is no RNIC of ours. One line in the log is enough: anybody can cause as many as he likes. */
    void malformed(SocketPort port, WireFormatException e) {
        if (!malformedSeen) {
            malformedSeen = true;
            Log.warn("RNIC " + name() + ": a peer at port " + port.number() + " is no RNIC of ours: " + e.getMessage());
        }
    }

    // -- The thread --

    private void accepted(int descriptor, SocketPort port) {
        IncomingConnection connection = new IncomingConnection(this, port, descriptor);
        if (!connection.open()) {
            return;
        }
        connection.cut(port.isCut());
        connections.add(connection);
        ungreeted.add(connection);
        if (ungreeted.size() > MOST_UNGREETED) {
            ungreeted.iterator().next().close();
        }
        thread.tickWithin(pathTimeout);
    }

    void greeted(IncomingConnection connection) {
        ungreeted.remove(connection);
    }

    void disconnected(IncomingConnection connection) {
        connections.remove(connection);
        ungreeted.remove(connection);
    }

    void owesAnswer(IncomingConnection connection) {
        owingAnswers.add(connection);
    }

    private final class Work implements NetworkThread.Work {
        @Override
        public void endOfTurn() {
            // Callbacks first: what the peer waits for is their doing, rather than the acknowledgement.
            runDueEvents();
            for (int i = 0; i < owingAnswers.size(); i++) {
                owingAnswers.get(i).answerOwed();
            }
            owingAnswers.clear();
        }

        @Override
        public long tick(long now) {
            boolean watch = false;
            for (SoftwareQueuePair queuePair : queuePairs()) {
                watch |= ((SocketWire) queuePair.wire).outgoing().tick(now);
            }
            for (IncomingConnection connection : new ArrayList<>(ungreeted)) {
                if (now - connection.acceptedAt() >= pathTimeout) {
                    connection.close();
                }
            }
            return watch || !ungreeted.isEmpty() ? pathTimeout / TICKS_PER_TIMEOUT : -1;
        }
    }

    private final class Monitor implements NetworkThread.Served {
        private final int descriptor;
        private int slot;

        Monitor(int descriptor) {
            this.descriptor = descriptor;
        }

        void serve() {
            slot = thread.serve(descriptor, this, Epoll.IN);
        }

        @Override
        public void ready(int events) {
            if (RouteMonitor.drain(descriptor)) {
                lookAtInterfaces();
            }
        }

        @Override
        public void close() {
            thread.forget(slot);
            Linux.close(descriptor);
        }
    }

    /** Takes over what the interfaces are like now, and tells of what is new about it. */
    private void lookAtInterfaces() {
        Set<Listeners.Place> places = new HashSet<>();
        for (SocketPort port : ports) {
            for (InterfaceState.Address address : port.observe().gids()) {
                places.add(new Listeners.Place(port, address.gid()));
            }
        }
        Set<Gid> reachable = new HashSet<>();
        for (Listeners.Place place : listeners.update(places)) {
            reachable.add(place.gid());
        }
        for (SocketPort port : ports) {
            Port before = port.state();
            port.publish(reachable);
            if (!broken) {
                tell(before, port.state());
            }
        }
    }

    private void tell(Port before, Port now) {
        if (before.active() != now.active()) {
            raise(new Event(now.active() ? Event.Kind.PORT_ACTIVE : Event.Kind.PORT_ERROR, now.number(), 0));
        }
        if (!before.gids().equals(now.gids())) {
            raise(new Event(Event.Kind.GID_CHANGE, now.number(), 0));
        }
    }
}
