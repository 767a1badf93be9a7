package org.smc4j.connection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.smc4j.cdc.CdcCodec;
import org.smc4j.llc.LlcCodec;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceDevice.ProtectionDomain;
import org.smc4j.roce.RoceException;

/** Where the messages of one work queue lie: those of its slots, its receive buffers, and one long message to send. */
final class ControlMemory {
    /** 44 bytes are used. */
    private static final int STRIDE = 48;

    private final WorkQueues.Sizes sizes;
    private final Arena arena;
    private final MemoryRegion region;

    private ControlMemory(WorkQueues.Sizes sizes, Arena arena, MemoryRegion region) {
        this.sizes = sizes;
        this.arena = arena;
        this.region = region;
    }

    /** @throws RoceException if the device has no room for it */
    static ControlMemory register(ProtectionDomain domain, WorkQueues.Sizes sizes) throws RoceException {
        Arena arena = Arena.ofShared();
        try {
            long length = longOffset(sizes) + LlcCodec.MAX_SIZE;
            return new ControlMemory(sizes, arena, domain.register(arena.allocate(length, STRIDE + 16), false));
        } catch (RoceException e) {
            arena.close();
            throw e;
        }
    }

    MemorySegment segment() {
        return region.memory();
    }

    int lkey() {
        return region.lkey();
    }

    long address(long offset) {
        return region.memory().address() + offset;
    }

    long slotOffset(int slot) {
        return (long) slot * STRIDE;
    }

    int receiveLength() {
        return sizes.longMessages() ? LlcCodec.MAX_SIZE : CdcCodec.SIZE;
    }

    long receiveOffset(int index) {
        return receiveOffset(sizes, index);
    }

    /** Of the long message to send. */
    long longOffset() {
        return longOffset(sizes);
    }

    private static long receiveOffset(WorkQueues.Sizes sizes, int index) {
        return (long) sizes.slots() * STRIDE + (long) index * (sizes.longMessages() ? LlcCodec.MAX_SIZE : STRIDE);
    }

    private static long longOffset(WorkQueues.Sizes sizes) {
        return receiveOffset(sizes, sizes.receives());
    }

    /** No request names it any more. */
    void close() {
        region.close();
        arena.close();
    }
}
