package org.smc4j.roce.software;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.CompletionQueue;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.QueuePair.Path;
import org.smc4j.roce.QueuePair.State;
import org.smc4j.roce.RoceDevice.ProtectionDomain;
import org.smc4j.roce.RoceDevice.QueuePairAttributes;
import org.smc4j.roce.RoceException;
import org.smc4j.time.VirtualTime;

/** What a queue pair lets itself be told in which state, and what a device refuses to make. */
@Timeout(20)
class QueuePairStatesTest {
    private static final Gid PEER = new Gid(0, 0xFFFF_0A00_0102L);
    private static final Path PATH = new Path(1, 3, PEER, new Mac(1), 77, 5, 1);

    private SimulatedRnic rnic;
    private ProtectionDomain domain;
    private CompletionQueue queue;
    private QueuePair pair;

    @BeforeEach
    void open() throws Exception {
        SimulatedFabric fabric = new SimulatedFabric(new VirtualTime(1));
        rnic = fabric.addRnic("rnic", RnicModel.PLAIN,
                SimulatedFabric.port(1, "eth0", new Mac(0x02_00_00_00_00_01L), 0x0A00_0101, 24));
        domain = rnic.allocateProtectionDomain();
        queue = rnic.createCompletionQueue(100, () -> { });
        pair = domain.createQueuePair(attributes(8, 8, 2, 1, 0));
    }

    @AfterEach
    void close() {
        rnic.close();
    }

    private QueuePairAttributes attributes(int sends, int receives, int sendSges, int receiveSges, int inline) {
        return new QueuePairAttributes(queue, queue, sends, receives, sendSges, receiveSges, inline);
    }

    private void bringTo(State state) throws RoceException {
        if (state == State.ERROR) {
            pair.fail();
            return;
        }
        if (state.compareTo(State.INIT) >= 0) {
            pair.initialize(1);
        }
        if (state.compareTo(State.READY_TO_RECEIVE) >= 0) {
            pair.readyToReceive(PATH);
        }
        if (state.compareTo(State.READY_TO_SEND) >= 0) {
            pair.readyToSend(5);
        }
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void shouldGoOnlyWhereEachStateLeads(State state) throws Exception {
        bringTo(state);
        assertEquals(state, pair.state());
        expect(state == State.RESET, State.INIT, state, () -> pair.initialize(1));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void shouldBeReadyToReceiveOnlyAfterInit(State state) throws Exception {
        bringTo(state);
        expect(state == State.INIT, State.READY_TO_RECEIVE, state, () -> pair.readyToReceive(PATH));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void shouldBeReadyToSendOnlyAfterReadyToReceive(State state) throws Exception {
        bringTo(state);
        expect(state == State.READY_TO_RECEIVE, State.READY_TO_SEND, state, () -> pair.readyToSend(0));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void shouldGoToErrorFromEverywhere(State state) throws Exception {
        bringTo(state);
        pair.fail();
        assertEquals(State.ERROR, pair.state());
    }

    private void expect(boolean legal, State next, State state, Executable step) {
        if (legal) {
            assertDoesNotThrow(step);
        } else {
            assertThrows(RoceException.class, step);
        }
        assertEquals(legal ? next : state, pair.state());
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void shouldTakePostsOnlyInStatesThatCanServeThem(State state) throws Exception {
        bringTo(state);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(100);
            int key = domain.register(memory, false).lkey();
            boolean receives = state != State.RESET;
            boolean sends = state == State.READY_TO_SEND || state == State.ERROR;
            assertEquals(receives ? 0 : -Errno.EINVAL, pair.postReceive(1, memory.address(), 10, key));
            assertEquals(sends ? 0 : -Errno.EINVAL, pair.postSend(1, memory.address(), 10, key, 0));
            assertEquals(sends ? 0 : -Errno.EINVAL, pair.postWrite(1, memory.address(), 10, key, 0, 0, 0));
            assertEquals(-Errno.EINVAL, pair.postWrite(1, memory.address(), 0, key, 0, 0, 0));
            assertEquals(-Errno.EINVAL, pair.postSend(1, memory.address(), -1, key, 0));
            assertEquals(-Errno.EINVAL, pair.postReceive(1, memory.address(), -1, key));
            int huge = Integer.MAX_VALUE;
            assertEquals(-Errno.EINVAL, pair.postWrite(1, memory.address(), huge, key, memory.address(), 1, key, 0, 0, 0));
        }
    }

    @Test
    void shouldRefusePathsThatThePortDoesNotHave() throws Exception {
        pair.initialize(1);
        for (Path path : new Path[] {
            new Path(2, 3, PEER, new Mac(1), 77, 5, 1), new Path(-1, 3, PEER, new Mac(1), 77, 5, 1),
            new Path(1, 0, PEER, new Mac(1), 77, 5, 1), new Path(1, 4, PEER, new Mac(1), 77, 5, 1),
            new Path(1, 3, PEER, new Mac(1), 0, 5, 1), new Path(1, 3, PEER, new Mac(1), 1 << 24, 5, 1),
            new Path(1, 3, PEER, new Mac(1), 77, 1 << 24, 1), new Path(1, 3, PEER, new Mac(1), 77, -1, 1),
            new Path(1, 3, PEER, new Mac(1), 77, 5, 0), new Path(1, 3, PEER, new Mac(1), 77, 5, 256)}) {
            assertThrows(RoceException.class, () -> pair.readyToReceive(path), path.toString());
        }
        pair.readyToReceive(PATH);
        assertThrows(RoceException.class, () -> pair.readyToSend(1 << 24));
        assertThrows(RoceException.class, () -> pair.readyToSend(-1));
        pair.readyToSend(Psn.MASK);
    }

    @Test
    void shouldRefusePortsThatTheDeviceDoesNotHave() {
        assertThrows(RoceException.class, () -> pair.initialize(0));
        assertThrows(RoceException.class, () -> pair.initialize(2));
    }

    @Test
    void shouldRefuseQueuePairsThatItCannotMake() throws Exception {
        int most = rnic.maxWorkRequests();
        for (QueuePairAttributes attributes : new QueuePairAttributes[] {attributes(0, 1, 1, 1, 0), attributes(1, 0, 1, 1, 0),
            attributes(most + 1, 1, 1, 1, 0), attributes(1, most + 1, 1, 1, 0), attributes(1, 1, 3, 1, 0),
            attributes(1, 1, 1, 2, 0), attributes(1, 1, 1, 1, RnicModel.PLAIN.maxInline() + 1)}) {
            assertThrows(RoceException.class, () -> domain.createQueuePair(attributes), attributes.toString());
        }
        CompletionQueue closed = rnic.createCompletionQueue(1, () -> { });
        closed.close();
        assertThrows(RoceException.class, () -> domain.createQueuePair(new QueuePairAttributes(closed, queue, 1, 1, 1, 1, 0)));
        domain.createQueuePair(attributes(most, most, 2, 1, RnicModel.PLAIN.maxInline()));
    }

    @Test
    void shouldRefuseMemoryThatCannotBeWrittenFromOutside() {
        assertThrows(RoceException.class, () -> domain.register(MemorySegment.ofArray(new byte[8]), true));
        assertThrows(RoceException.class, () -> domain.register(MemorySegment.NULL, true));
        try (Arena arena = Arena.ofConfined()) {
            assertThrows(RoceException.class, () -> domain.register(arena.allocate(8).asReadOnly(), true));
        }
    }

    @Test
    void shouldMakeNothingOnceClosed() {
        domain.close();
        assertThrows(RoceException.class, () -> domain.createQueuePair(attributes(1, 1, 1, 1, 0)));
        assertEquals(State.ERROR, pair.state());
        rnic.close();
        assertThrows(RoceException.class, rnic::allocateProtectionDomain);
        assertThrows(RoceException.class, () -> rnic.createCompletionQueue(1, () -> { }));
    }
}
