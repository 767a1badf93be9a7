package org.smc4j.linkgroup;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.llc.LlcCodec;
import org.smc4j.llc.LlcException;
import org.smc4j.llc.LlcMessage;
import org.smc4j.llc.LlcType;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceException;
import org.smc4j.time.Scheduler;

/** A network of ports that carries LLC messages between transports, on a scheduler, with paths that can be cut. */
final class FakeFabric {
    static final long LATENCY_NANOS = 10_000;
    /** How long a queue pair tries before it gives up. */
    static final long RETRY_NANOS = 500_000_000;
    private static final int FIRST_QUEUE_PAIR = 0x11;

    /** What becomes of a message on a path. */
    enum Path {
        UP,
        /** The sender's queue pair gives up after its retries. */
        CUT,
        /** Nothing arrives, and nobody is told before the queue pair fails. */
        SILENT
    }

    /** A message that a transport has sent, in the order of all. */
    record Sent(String host, int linkOfSender, LlcMessage message) {
        boolean is(LlcType type, boolean response) {
            return message.type() == type && message.response() == response;
        }
    }

    final Scheduler scheduler;
    final List<Sent> log = new ArrayList<>();
    private final Map<Gid, FakeHost> hosts = new HashMap<>();
    private final Map<Gid, Path> paths = new HashMap<>();
    private int nextQueuePair = FIRST_QUEUE_PAIR;
    private int nextKey = 0x300;
    int openTransports;
    int openRegions;

    FakeFabric(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    FakeHost host(String name) {
        return new FakeHost(name);
    }

    /** What becomes of messages to and from a port. */
    void path(RnicPort port, Path path) {
        paths.put(port.gid(), path);
    }

    private Path path(Gid from, Gid to) {
        Path first = paths.getOrDefault(from, Path.UP);
        return first == Path.UP ? paths.getOrDefault(to, Path.UP) : first;
    }

    /** The messages of one type and direction, in order. */
    List<Sent> sent(LlcType type, boolean response) {
        return log.stream().filter(sent -> sent.is(type, response)).toList();
    }

    /** A host with ports, one on each of its devices. */
    final class FakeHost implements LinkPorts, LinkTransport.Factory {
        private final String name;
        private final List<RnicPort> ports = new ArrayList<>();
        private final Map<RnicPort, Boolean> active = new HashMap<>();
        private final Map<Integer, FakeTransport> transports = new HashMap<>();
        /** Opens, registrations or connections that are to fail, counted down. */
        int failAfterOpens = Integer.MAX_VALUE;
        int failAfterRegistrations = Integer.MAX_VALUE;

        private FakeHost(String name) {
            this.name = name;
        }

        FakeFabric fabric() {
            return FakeFabric.this;
        }

        RnicPort addPort(int address) {
            int number = ports.size();
            RnicPort port = new RnicPort(name + number, 1, "NET1", "eth" + number, gid(address), 0, new Mac(address), 5);
            ports.add(port);
            active.put(port, true);
            hosts.put(port.gid(), this);
            return port;
        }

        void active(RnicPort port, boolean now) {
            active.put(port, now);
        }

        @Override
        public RnicPort alternate(RnicPort current, int version, int vlan) {
            for (RnicPort port : ports) {
                if (active.get(port) && !port.device().equals(current.device())) {
                    return port;
                }
            }
            return null;
        }

        @Override
        public LinkTransport open(RnicPort port, SmcrLinkGroup group, LinkTransport.Listener listener) throws RoceException {
            if (failAfterOpens-- <= 0) {
                throw new RoceException("no queue pair");
            }
            FakeTransport transport = new FakeTransport(this, port, listener, nextQueuePair++);
            transports.put(transport.number, transport);
            openTransports++;
            return transport;
        }

        /** All transports that are not yet flushed, by their number. */
        List<FakeTransport> transports() {
            return List.copyOf(transports.values());
        }
    }

    static Gid gid(int address) {
        return new Gid(0, 0xFFFF0A080000L | address);
    }

    /** A queue pair of the fabric. */
    final class FakeTransport implements LinkTransport {
        private final FakeHost host;
        private final RnicPort port;
        private final LinkTransport.Listener listener;
        private final int number;
        private final List<Outstanding> outstanding = new ArrayList<>();
        private final List<Runnable> drains = new ArrayList<>();
        private LinkTransport.Peer peer;
        private int initialPsn = -1;
        private boolean broken;
        private boolean failed;
        private boolean flushed;
        private long lastReceive;
        private int regions;

        private final class Outstanding {
            private final LinkTransport.SendResult result;
            private boolean done;

            private Outstanding(LinkTransport.SendResult result) {
                this.result = result;
            }

            private void complete(boolean well) {
                if (!done) {
                    done = true;
                    outstanding.remove(this);
                    result.sent(well);
                    drained();
                }
            }
        }

        private FakeTransport(FakeHost host, RnicPort port, LinkTransport.Listener listener, int number) {
            this.host = host;
            this.port = port;
            this.listener = listener;
            this.number = number;
            lastReceive = scheduler.nanoTime();
        }

        @Override
        public int queuePair() {
            return number;
        }

        @Override
        public int controlSlots() {
            return 16;
        }

        @Override
        public int receiveBuffers() {
            return 48;
        }

        @Override
        public void connect(LinkTransport.Peer to) {
            require(!failed && peer == null, "connected twice, or after its end");
            peer = to;
        }

        @Override
        public void readyToSend(int psn) {
            require(!failed && peer != null && initialPsn < 0, "ready to send twice, or not connected");
            initialPsn = psn;
        }

        @Override
        public void send(byte[] message, LinkTransport.SendResult result) {
            require(!failed && initialPsn >= 0, "not ready to send");
            try {
                LlcMessage decoded = LlcCodec.decode(message, 0, message.length);
                log.add(new Sent(host.name, number, decoded));
            } catch (LlcException e) {
                throw new IllegalStateException(e);
            }
            Outstanding request = new Outstanding(result);
            outstanding.add(request);
            switch (path(port.gid(), peer.gid())) {
                case UP -> scheduler.schedule(LATENCY_NANOS, () -> arrive(message, request));
                case CUT -> scheduler.schedule(RETRY_NANOS, this::giveUp);
                case SILENT -> {
                }
            }
        }

        private void arrive(byte[] message, Outstanding request) {
            if (broken || failed) {
                return;
            }
            FakeHost other = hosts.get(peer.gid());
            FakeTransport target = other == null ? null : other.transports.get(peer.queuePair());
            if (target == null || target.peer == null || target.failed || target.broken) {
                scheduler.schedule(RETRY_NANOS, this::giveUp);
                return;
            }
            require(target.peer.queuePair() == number && target.peer.gid().equals(port.gid()), "not the peer's queue pair");
            require(target.peer.initialPsn() == initialPsn, "wrong initial PSN");
            target.lastReceive = scheduler.nanoTime();
            target.listener.received(message);
            scheduler.schedule(LATENCY_NANOS, () -> request.complete(true));
        }

        /** The queue pair goes to ERROR by itself. */
        void giveUp() {
            if (!broken && !failed) {
                broken = true;
                flush();
                listener.failed();
            }
        }

        /** Something arrives, whoever sent it. */
        void hear(byte[] message) {
            lastReceive = scheduler.nanoTime();
            listener.received(message);
        }

        private void flush() {
            for (Outstanding request : List.copyOf(outstanding)) {
                request.complete(false);
            }
        }

        private void drained() {
            if (outstanding.isEmpty()) {
                drains.forEach(scheduler::execute);
                drains.clear();
            }
        }

        @Override
        public MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws RoceException {
            require(!failed, "registered after its end");
            if (host.failAfterRegistrations-- <= 0) {
                throw new RoceException("no memory region");
            }
            int key = nextKey++;
            regions++;
            openRegions++;
            return new FakeRegion(memory, key, () -> {
                regions--;
                openRegions--;
            });
        }

        @Override
        public long lastReceiveNanos() {
            require(!failed, "asked after its end");
            return lastReceive;
        }

        @Override
        public void drain(Runnable run) {
            require(!failed, "drained after its end");
            drains.add(run);
            drained();
        }

        @Override
        public void stop() {
            require(!failed, "stopped after its end");
            if (!broken) {
                broken = true;
                scheduler.execute(this::flush);
            }
        }

        @Override
        public void fail(Runnable whenFlushed) {
            require(!failed, "failed twice");
            failed = true;
            scheduler.schedule(LATENCY_NANOS, () -> {
                flush();
                host.transports.remove(number);
                flushed = true;
                whenFlushed.run();
            });
        }

        @Override
        public void close() {
            require(flushed, "closed before it was flushed");
            require(regions == 0, "closed with memory registered");
            openTransports--;
        }
    }

    private static void require(boolean condition, String rule) {
        if (!condition) {
            throw new IllegalStateException(rule);
        }
    }

    /** Registered memory that counts its end. */
    record FakeRegion(MemorySegment memory, int rkey, Runnable onClose) implements MemoryRegion {
        @Override
        public int lkey() {
            return rkey;
        }

        @Override
        public void close() {
            onClose.run();
        }
    }
}
