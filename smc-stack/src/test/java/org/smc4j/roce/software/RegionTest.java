package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.smc4j.clc.Mac;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.time.VirtualTime;

@Timeout(30)
class RegionTest {
    private static final long STRESS_NANOS = 1_500_000_000L;

    private SimulatedRnic rnic;
    private SoftwareProtectionDomain domain;

    @BeforeEach
    void open() throws Exception {
        rnic = new SimulatedFabric(new VirtualTime(1)).addRnic("rnic", RnicModel.PLAIN,
                SimulatedFabric.port(1, "eth0", new Mac(0x02_00_00_00_00_01L), 0x0A00_0101, 24));
        domain = (SoftwareProtectionDomain) rnic.allocateProtectionDomain();
    }

    @AfterEach
    void close() {
        rnic.close();
    }

    @Test
    void shouldHaveAKeyOfItsOwnAmongMany() throws Exception {
        Set<Integer> keys = new HashSet<>();
        List<MemoryRegion> regions = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64);
            for (int i = 0; i < 1_000; i++) {
                MemoryRegion region = domain.register(memory, true);
                assertTrue(keys.add(region.rkey()), "key twice");
                assertNotEquals(0, region.rkey());
                regions.add(region);
            }
            int old = regions.get(500).rkey();
            regions.get(500).close();
            for (int i = 0; i < 200; i++) {
                MemoryRegion next = domain.register(memory, true);
                assertNotEquals(old, next.rkey());
                next.close();
            }
        }
    }

    @Test
    void shouldLetNobodyInOnceClosed() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64);
            Region region = (Region) domain.register(memory, true);
            assertEquals(region, domain.enterLocal(region.lkey(), memory.address(), 64));
            region.leave();
            region.close();
            assertFalse(region.enter());
            assertEquals(null, domain.enterLocal(region.lkey(), memory.address(), 64));
            assertEquals(null, domain.findRemote(region.rkey(), memory.address(), 64));
            region.close();
        }
    }

    @Test
    void shouldNotBeWrittenAfterCloseHasReturned() throws Exception {
        AtomicReference<Region> current = new AtomicReference<>();
        AtomicBoolean end = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long[] writes = new long[2];
        Thread[] writers = new Thread[2];
        for (int t = 0; t < writers.length; t++) {
            int index = t;
            writers[t] = Thread.ofPlatform().uncaughtExceptionHandler((thread, e) -> failure.set(e)).start(() -> {
                while (!end.get()) {
                    Region region = current.get();
                    if (region != null && region.enter()) {
                        // Throws if the memory was given back meanwhile.
                        region.memory().set(ValueLayout.JAVA_LONG, 8L * index, 1);
                        writes[index]++;
                        region.leave();
                    }
                    Thread.yield();
                }
            });
        }
        long deadline = System.nanoTime() + STRESS_NANOS;
        while (System.nanoTime() < deadline) {
            try (Arena arena = Arena.ofShared()) {
                Region region = (Region) domain.register(arena.allocate(64, 8), true);
                current.set(region);
                Thread.yield();
                region.close();
                region.memory().fill((byte) 0);
                assertEquals(0, region.memory().get(ValueLayout.JAVA_LONG, 0));
                assertEquals(0, region.memory().get(ValueLayout.JAVA_LONG, 8));
            }
        }
        end.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        assertEquals(null, failure.get());
        assertTrue(writes[0] > 0 && writes[1] > 0, "the writers never got in");
    }
}
