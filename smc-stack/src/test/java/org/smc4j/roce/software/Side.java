package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.Completions;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceDevice.Port;
import org.smc4j.roce.RoceDevice.ProtectionDomain;
import org.smc4j.roce.RoceDevice.QueuePairAttributes;
import org.smc4j.roce.RoceException;

/** One end of a connection under test: a device with a queue pair, its completion queues, and memory that the peer may write. */
final class Side implements AutoCloseable {
    static final int MEMORY = 1 << 20;
    static final int REQUESTS = 64;

    final RoceDevice device;
    final ProtectionDomain domain;
    final CompletionQueue sent;
    final CompletionQueue received;
    final Arena arena = Arena.ofShared();
    final MemorySegment memory;
    final MemoryRegion region;
    final QueuePair queuePair;
    final List<RoceDevice.Event> events = new CopyOnWriteArrayList<>();
    private final Completions completions = new Completions(16);

    Side(RoceDevice device) throws RoceException {
        this(device, REQUESTS, () -> { }, () -> { });
    }

    Side(RoceDevice device, int requests, Runnable onSent, Runnable onReceived) throws RoceException {
        this(device, requests, MEMORY, onSent, onReceived);
    }

    Side(RoceDevice device, int requests, int bytes, Runnable onSent, Runnable onReceived) throws RoceException {
        this.device = device;
        memory = arena.allocate(bytes, 4096);
        device.listen(events::add);
        domain = device.allocateProtectionDomain();
        sent = device.createCompletionQueue(4096, onSent);
        received = device.createCompletionQueue(4096, onReceived);
        region = domain.register(memory, true);
        queuePair = domain.createQueuePair(new QueuePairAttributes(sent, received, requests, requests, 2, 1, 0));
    }

    /** Brings both ends from RESET to READY_TO_SEND, over their first ports. */
    static void connect(Side a, Side b, int gidIndex) throws RoceException {
        a.queuePair.initialize(1);
        b.queuePair.initialize(1);
        a.queuePair.readyToReceive(a.pathTo(b, gidIndex, 2_222));
        b.queuePair.readyToReceive(b.pathTo(a, gidIndex, Psn.MASK - 5));
        a.queuePair.readyToSend(Psn.MASK - 5);
        b.queuePair.readyToSend(2_222);
    }

    QueuePair.Path pathTo(Side peer, int gidIndex, int peerPsn) {
        Port port = peer.device.port(1);
        int mtuCode = Math.min(device.port(1).mtuCode(), port.mtuCode());
        return new QueuePair.Path(gidIndex, mtuCode, SoftwareQueuePair.sourceGid(port, gidIndex).gid(), port.mac(),
                peer.queuePair.number(), peerPsn, 1);
    }

    long address(int offset) {
        return memory.address() + offset;
    }

    void fill(int offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + i, pattern(seed, i));
        }
    }

    static byte pattern(int seed, int index) {
        return (byte) (seed * 31 + index * 7 + (index >> 8));
    }

    void assertFilled(int offset, int length, int seed) {
        for (int i = 0; i < length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset + i) != pattern(seed, i)) {
                assertEquals(pattern(seed, i), memory.get(ValueLayout.JAVA_BYTE, offset + i), "byte " + i);
            }
        }
    }

    void assertZero(int offset, int length) {
        for (int i = 0; i < length; i++) {
            assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, offset + i), "byte " + i);
        }
    }

    int send(long id, int offset, int length, int flags) {
        return queuePair.postSend(id, address(offset), length, region.lkey(), flags);
    }

    int receive(long id, int offset, int length) {
        return queuePair.postReceive(id, address(offset), length, region.lkey());
    }

    int write(long id, int offset, int length, Side peer, int peerOffset, int flags) {
        return queuePair.postWrite(id, address(offset), length, region.lkey(), peer.address(peerOffset), peer.region.rkey(),
                flags);
    }

    /** The completions of a queue, as "id:status" or "id:status:length" for receives. */
    List<String> poll(CompletionQueue queue) {
        List<String> result = new ArrayList<>();
        while (queue.poll(completions) > 0) {
            for (int i = 0; i < completions.count(); i++) {
                assertEquals(queuePair.number(), completions.queuePair(i));
                String entry = completions.id(i) + ":" + completions.status(i);
                boolean length = queue == received && completions.status(i) == Completions.SUCCESS;
                result.add(length ? entry + ":" + completions.length(i) : entry);
            }
        }
        return result;
    }

    @Override
    public void close() {
        device.close();
        arena.close();
    }
}
