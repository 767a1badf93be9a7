package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.cdc.CdcException;
import org.smc4j.cdc.CdcMessage;
import org.smc4j.clc.Mac;
import org.smc4j.connection.RecordingDevice.Request;
import org.smc4j.linkgroup.LinkTransport;
import org.smc4j.linkgroup.RnicPort;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceDevice.GidType;
import org.smc4j.roce.RoceDevice.Port;
import org.smc4j.roce.RoceException;
import org.smc4j.roce.software.RnicModel;
import org.smc4j.roce.software.SimulatedFabric;
import org.smc4j.roce.software.SimulatedRnic;
import org.smc4j.time.Scheduler;
import org.smc4j.time.VirtualTime;

/** Two hosts with an RNIC each for every link, the links up; what a link group does about them is left to the test. */
final class LinkedHosts implements AutoCloseable {
    /** The kernel's defaults for SMC v1 and v2. */
    static final WorkQueues.Sizes SIZES_V1 = new WorkQueues.Sizes(16, 48, false);
    static final WorkQueues.Sizes SIZES_V2 = new WorkQueues.Sizes(16, 48, true);

    private static final int MTU_CODE = 3;

    /** Something that was posted. */
    record Posted(boolean byClient, int link, Request request) {
    }

    /** Where the RNICs come from: one for each end of each link. */
    interface Devices {
        RoceDevice open(boolean ofClient, int link) throws RoceException;
    }

    /** One end of all links. */
    final class Host {
        final boolean isClient;
        final ConnectionTable connections = new ConnectionTable();
        final List<RoceDevice> devices = new ArrayList<>();
        final List<DeviceCompletions> completions = new ArrayList<>();
        final List<WorkQueue> workQueues = new ArrayList<>();
        final List<byte[]> messages = new ArrayList<>();
        /** Links that have failed, by number, in order. */
        final List<Integer> failed = new CopyOnWriteArrayList<>();

        private Host(boolean isClient) {
            this.isClient = isClient;
        }

        private void addLink(int link, Devices devices, WorkQueues.Sizes sizes) throws RoceException {
            RoceDevice opened = devices.open(isClient, link);
            this.devices.add(opened);
            RecordingDevice device = new RecordingDevice(opened, request -> posted(new Posted(isClient, link, request)));
            DeviceCompletions both = new DeviceCompletions(device);
            completions.add(both);
            workQueues.add(WorkQueue.open(device, both, rnicPort(opened), connections, scheduler, sizes, new LinkTransport.Listener() {
                @Override
                public void received(byte[] message) {
                    messages.add(message);
                }

                @Override
                public void failed() {
                    failed.add(link);
                    onFailure.run();
                }
            }));
        }

        SimulatedRnic rnic(int link) {
            return (SimulatedRnic) devices.get(link);
        }
    }

    final Scheduler scheduler;
    final Host client = new Host(true);
    final Host server = new Host(false);
    /** All that was posted; only while {@link #recording}. */
    final List<Posted> posted = new ArrayList<>();
    volatile boolean recording = true;
    /** What happens when a work queue says that it has failed. */
    Runnable onFailure = () -> { };
    /** What a device refuses to take. */
    Predicate<Posted> refused = request -> false;

    LinkedHosts(Scheduler scheduler, Devices devices, WorkQueues.Sizes sizes, int links) throws RoceException {
        this.scheduler = scheduler;
        for (int link = 0; link < links; link++) {
            client.addLink(link, devices, sizes);
            server.addLink(link, devices, sizes);
            connect(link);
        }
    }

    /** In virtual time, with RNICs like this. */
    LinkedHosts(VirtualTime time, RnicModel model, WorkQueues.Sizes sizes, int links) throws RoceException {
        this(time, simulated(new SimulatedFabric(time), model), sizes, links);
    }

    private static Devices simulated(SimulatedFabric fabric, RnicModel model) {
        return (ofClient, link) -> {
            int number = 256 * link + (ofClient ? 1 : 2);
            return fabric.addRnic((ofClient ? "client" : "server") + link, model, SimulatedFabric.port(1, "eth" + link,
                    new Mac(0x02_00_00_00_00_00L + number), 0x0A_00_00_00 + number, 24));
        };
    }

    private void connect(int link) throws RoceException {
        WorkQueue atClient = client.workQueues.get(link);
        WorkQueue atServer = server.workQueues.get(link);
        atClient.connect(peer(server.devices.get(link), atServer.queuePair(), 200 + link));
        atServer.connect(peer(client.devices.get(link), atClient.queuePair(), 100 + link));
        atClient.readyToSend(100 + link);
        atServer.readyToSend(200 + link);
    }

    private static LinkTransport.Peer peer(RoceDevice device, int queuePair, int initialPsn) {
        Port port = device.port(1);
        return new LinkTransport.Peer(gid(port).gid(), port.mac(), queuePair, initialPsn, MTU_CODE, 1);
    }

    static RnicPort rnicPort(RoceDevice device) {
        Port port = device.port(1);
        GidEntry gid = gid(port);
        return new RnicPort(device.name(), 1, "NET", gid.networkName(), gid.gid(), gid.index(), port.mac(), MTU_CODE);
    }

    private static GidEntry gid(Port port) {
        for (GidEntry entry : port.gids()) {
            if (entry.type() == GidType.ROCE_V2) {
                return entry;
            }
        }
        throw new AssertionError(port);
    }

    private boolean posted(Posted request) {
        if (recording) {
            posted.add(request);
        }
        return !refused.test(request);
    }

    /** What was posted for this connection, described as {@link Captured.Message#describe} does it, and forgotten. */
    List<String> describePosted(TestEnd clientEnd, TestEnd serverEnd) throws CdcException {
        List<String> all = new ArrayList<>();
        for (Posted one : posted) {
            TestEnd end = one.byClient ? clientEnd : serverEnd;
            String from = one.byClient ? "client " : "server ";
            byte[] message = one.request.message();
            if (message == null) {
                assertEquals(end.peerRkey(one.link), one.request.rkey());
                all.add(from + "WRITE " + one.request.length() + " at " + (one.request.remoteAddress() - end.peerRingAddress()));
            } else {
                CdcMessage decoded = CdcCodec.decode(message, 0, message.length);
                assertArrayEquals(CdcCodec.encode(decoded), message, "reserved fields");
                all.add(from + decoded);
            }
        }
        posted.clear();
        return all;
    }

    /** Ends all links, as a link group does; every request that was posted completes before. */
    @Override
    public void close() {
        int links = client.workQueues.size();
        CountDownLatch flushed = new CountDownLatch(2 * links);
        scheduler.execute(() -> {
            for (int link = 0; link < links; link++) {
                for (Host host : List.of(client, server)) {
                    WorkQueue workQueue = host.workQueues.get(link);
                    workQueue.fail(() -> {
                        workQueue.close();
                        flushed.countDown();
                    });
                }
            }
        });
        if (scheduler instanceof VirtualTime time) {
            time.runUntil(() -> flushed.getCount() == 0, 1_000_000_000L);
        } else {
            try {
                flushed.await(5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        assertEquals(0, flushed.getCount(), "work queues not flushed");
        client.completions.forEach(DeviceCompletions::close);
        server.completions.forEach(DeviceCompletions::close);
        client.devices.forEach(RoceDevice::close);
        server.devices.forEach(RoceDevice::close);
    }
}
