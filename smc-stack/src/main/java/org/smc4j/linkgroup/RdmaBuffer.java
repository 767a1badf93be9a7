package org.smc4j.linkgroup;

import java.lang.foreign.MemorySegment;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceException;

/**
 * A send buffer, or an RMB with its one element, registered on the links of its group (spec/40-buffers-linkgroups.md §1, §2). It
 * belongs to one connection at a time, or to none.
 */
public final class RdmaBuffer {
    private final BufferMemory.Block block;
    private final int sizeCode;
    private final boolean remoteWrite;
    /** By the link's place in the group; null where it is not registered. */
    private final MemoryRegion[] regions = new MemoryRegion[LinkSlots.COUNT];
    private boolean used = true;
    private boolean confirmed;

    RdmaBuffer(BufferMemory.Block block, int sizeCode, boolean remoteWrite) {
        this.block = block;
        this.sizeCode = sizeCode;
        this.remoteWrite = remoteWrite;
    }

    public MemorySegment memory() {
        return block.segment();
    }

    /** Bytes: 16 KiB, doubled {@link #sizeCode} times. */
    public int size() {
        return BufferSizes.size(sizeCode);
    }

    /** 0 to 15, as it is sent in Accept and Confirm. */
    public int sizeCode() {
        return sizeCode;
    }

    /**
     * Its registration on a link: the lkey for sending from it, the rkey and the address for the peer.
     *
     * @return null if the link was cleared; it is registered on every other that the connection it belongs to can have
     */
    public MemoryRegion region(Link link) {
        return link.isCleared() ? null : regions[link.place()];
    }

    /** How the peer reaches it on a link where it is registered. */
    Rtoken rtoken(Link link) {
        MemoryRegion region = region(link);
        return new Rtoken(region.rkey(), region.memory().address());
    }

    /** Registers it on a link unless it is. */
    void register(Link link) throws RoceException {
        if (regions[link.place()] == null) {
            regions[link.place()] = link.transport().register(memory(), remoteWrite);
        }
    }

    /** Its registration on a link that is being cleared, null if it has none; the caller closes it. */
    MemoryRegion takeRegion(int place) {
        MemoryRegion region = regions[place];
        regions[place] = null;
        return region;
    }

    boolean isUsed() {
        return used;
    }

    void use(boolean now) {
        used = now;
    }

    /** Whether the peer knows of this buffer, or may, and has to be told before it is used for another connection. */
    boolean isConfirmed() {
        return confirmed;
    }

    void confirm(boolean now) {
        confirmed = now;
    }

    void zero() {
        memory().fill((byte) 0);
    }

    /** Gives back the memory; all regions were taken before. */
    void free() {
        block.close();
    }
}
