package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Mac;
import org.smc4j.ffi.linux.Epoll;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.SocketAddresses;
import org.smc4j.ffi.linux.SocketAddresses.Address;
import org.smc4j.ffi.linux.TcpSocket;
import org.smc4j.time.VirtualTime;

/** What is left of packets when a socket has no room, whose other end reads nothing. */
@Timeout(20)
class PacketBatchTest {
    private static final int LENGTH = 1 << 20;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(LENGTH);
    private SimulatedRnic rnic;
    private Region region;
    private SendQueue sends;
    private PacketBatch batch;
    private int listener;
    private int socket;

    @BeforeEach
    void fillTheSocket() throws Exception {
        rnic = new SimulatedFabric(new VirtualTime(1)).addRnic("rnic", RnicModel.PLAIN,
                SimulatedFabric.port(1, "eth0", new Mac(0x02_00_00_00_00_01L), 0x0A00_0101, 24));
        SoftwareProtectionDomain domain = (SoftwareProtectionDomain) rnic.allocateProtectionDomain();
        region = (Region) domain.register(memory, false);
        sends = new SendQueue(domain, (position, id, status) -> { }, 64, 0);
        sends.begin(0, WireFormat.MOST_BYTES);
        batch = new PacketBatch(arena);
        listener = TcpSocket.open(LOOPBACK.length);
        TcpSocket.bind(listener, new Address(LOOPBACK, 0));
        TcpSocket.listen(listener, 1);
        socket = TcpSocket.open(LOOPBACK.length);
        TcpSocket.connect(socket, new Address(LOOPBACK, SocketAddresses.local(listener).port()));
        try (Epoll epoll = Epoll.open(1)) {
            epoll.add(socket, Epoll.OUT);
            assertEquals(1, epoll.await(5_000));
        }
        for (int i = 0; i < 64; i++) {
            SendRequest request = sends.claim();
            request.set(i, Packet.WRITE, 0, 0, 0);
            request.add(memory.address(), LENGTH, region.lkey());
            assertEquals(0, sends.commit(request));
        }
        long sent = 0;
        while (sent >= 0 && (!batch.isEmpty() || batch.fill(sends))) {
            sent = batch.send(socket);
        }
        assertEquals(-Errno.EAGAIN, sent);
    }

    @AfterEach
    void close() {
        Linux.close(socket);
        Linux.close(listener);
        sends.close();
        rnic.close();
        arena.close();
    }

    @Test
    void shouldNotSendMemoryThatIsTakenAwayMeanwhile() {
        assertFalse(batch.isEmpty());
        // Nobody is inside while it waits.
        region.close();
        assertEquals(-Errno.EFAULT, batch.send(socket));
        assertFalse(region.enter());
    }

    @Test
    void shouldTryAgainAsOftenAsItIsAskedAndHoldNothing() {
        for (int i = 0; i < 10; i++) {
            assertEquals(-Errno.EAGAIN, batch.send(socket));
        }
        region.close();
        batch.clear();
        assertTrue(batch.isEmpty());
        assertFalse(batch.fill(sends));
    }
}
