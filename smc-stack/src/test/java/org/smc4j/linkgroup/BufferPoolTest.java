package org.smc4j.linkgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.smc4j.clc.Mac;
import org.smc4j.diag.ReasonCode;
import org.smc4j.roce.RoceException;
import org.smc4j.time.VirtualTime;

@Timeout(20)
class BufferPoolTest {
    private final VirtualTime time = new VirtualTime(9);
    private final TwoHosts hosts = new TwoHosts(time, time.random(), 2, 2, 0).version2(2);
    private final SmcrLinkGroup group = new SmcrLinkGroup(hosts.server, Role.SERVER, hosts.requestOfServer());
    private long mostBytes = Long.MAX_VALUE;
    private final BufferPool pool = new BufferPool(this::allocate, true);

    private BufferMemory.Block allocate(long bytes) {
        if (bytes > mostBytes) {
            return null;
        }
        MemorySegment segment = Arena.ofAuto().allocate(bytes);
        return new BufferMemory.Block() {
            @Override
            public MemorySegment segment() {
                return segment;
            }

            @Override
            public void close() {
                // Nothing to give back.
            }
        };
    }

    private Link link(int place) throws RoceException {
        return group.openLink(place, hosts.serverPorts.getFirst(), FakeFabric.gid(1), Mac.NONE);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "16384, 0", "16385, 1", "32768, 1", "32769, 2", "65536, 2", "1048576, 6", "1048577, 7",
            "536870912, 15", "2147483647, 15"})
    void shouldRoundUpToAPowerOfTwo(int size, int code) {
        assertEquals(code, BufferSizes.code(size, BufferSizes.MAX_CODE_R));
        assertEquals(Math.min(code, 6), BufferSizes.code(size, BufferSizes.MAX_CODE_D));
    }

    @Test
    void shouldTakeAnIdleBufferOfTheSameSizeBeforeANewOne() throws LinkGroupException {
        RdmaBuffer first = pool.take(16384, List.of());
        RdmaBuffer second = pool.take(16384, List.of());
        pool.giveBack(first);
        assertNotSame(first, pool.take(32768, List.of()));
        assertSame(first, pool.take(1, List.of()));
        pool.giveBack(first);
        pool.giveBack(second);
        assertSame(second, pool.take(16384, List.of()), "the newest first");

        assertEquals(16384 * 2 + 32768, pool.counts().allocatedBytes());
        assertEquals(2, pool.counts().reuses());
        assertEquals(3, pool.counts().allocations());
    }

    @Test
    void shouldTakeASmallerBufferWhenThereIsNoMemoryForALargeOne() throws LinkGroupException {
        mostBytes = 32768;
        assertEquals(32768, pool.take(1 << 20, List.of()).size());
        assertEquals(1, pool.counts().downgrades());
        mostBytes = 0;
        assertEquals(ReasonCode.MEM, assertThrows(LinkGroupException.class, () -> pool.take(16384, List.of())).reason());
    }

    @Test
    void shouldRegisterAnIdleBufferOnLinksThatCameMeanwhile() throws LinkGroupException, RoceException {
        Link first = link(0);
        RdmaBuffer buffer = pool.take(16384, List.of(first));
        pool.giveBack(buffer);
        Link second = link(1);
        pool.register(second);
        assertEquals(1, hosts.fabric.openRegions, "idle ones are not registered");

        assertSame(buffer, pool.take(16384, List.of(first, second)));
        assertEquals(2, hosts.fabric.openRegions);
    }

    @Test
    void shouldRefuseWhenNothingCanBeRegisteredAndGoOnWhenItCan() throws LinkGroupException, RoceException {
        RdmaBuffer buffer = pool.take(16384, List.of(link(0)));
        pool.giveBack(buffer);
        Link second = link(1);
        hosts.serverHost.failAfterRegistrations = 0;
        assertThrows(LinkGroupException.class, () -> pool.take(16384, List.of(second)));
        assertEquals(1, hosts.fabric.openRegions);
        hosts.serverHost.failAfterRegistrations = Integer.MAX_VALUE;

        assertSame(buffer, pool.take(16384, List.of(second)));
    }
}
