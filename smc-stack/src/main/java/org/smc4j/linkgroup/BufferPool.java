package org.smc4j.linkgroup;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.diag.ReasonCode;
import org.smc4j.llc.RkeyOnNewLink;
import org.smc4j.roce.RoceDevice.MemoryRegion;
import org.smc4j.roce.RoceException;

/**
 * All send buffers, or all RMBs, of a link group: those in use, and those that the next connection can have. Nothing else is
 * given back to the system before the group is freed than what nobody may have again (spec/40-buffers-linkgroups.md §2).
 */
final class BufferPool {
    private final BufferMemory memory;
    private final boolean remoteWrite;
    /** By size code; the newest first. */
    private final List<List<RdmaBuffer>> lists = new ArrayList<>();
    private long allocatedBytes;
    private int allocations;
    private int reuses;
    private int downgrades;

    /** @param remoteWrite whether these are RMBs */
    BufferPool(BufferMemory memory, boolean remoteWrite) {
        this.memory = memory;
        this.remoteWrite = remoteWrite;
        for (int code = 0; code <= BufferSizes.MAX_CODE_R; code++) {
            lists.add(new ArrayList<>());
        }
    }

    BufferCounts counts() {
        int buffers = 0;
        int used = 0;
        for (List<RdmaBuffer> list : lists) {
            buffers += list.size();
            for (RdmaBuffer buffer : list) {
                used += buffer.isUsed() ? 1 : 0;
            }
        }
        return new BufferCounts(buffers, used, allocatedBytes, allocations, reuses, downgrades);
    }

    /**
     * A buffer of {@code size} bytes, rounded up, which is registered on all of {@code links}: one of that size that lies idle,
     * or a new one, or one of the next smaller size. An RMB is zeroed.
     *
     * @throws LinkGroupException if not even the smallest is to be had
     */
    RdmaBuffer take(int size, List<Link> links) throws LinkGroupException {
        int wanted = BufferSizes.code(size, BufferSizes.MAX_CODE_R);
        for (int code = wanted; code >= 0; code--) {
            RdmaBuffer buffer = reuse(code, links);
            if (buffer == null) {
                buffer = allocate(code, links);
            }
            if (buffer != null) {
                if (code < wanted) {
                    downgrades++;
                }
                return buffer;
            }
        }
        throw new LinkGroupException(ReasonCode.MEM, "no memory for a buffer");
    }

    private RdmaBuffer reuse(int code, List<Link> links) {
        for (RdmaBuffer buffer : lists.get(code)) {
            if (!buffer.isUsed()) {
                buffer.use(true);
                if (register(buffer, links)) {
                    reuses++;
                    return buffer;
                }
                giveBack(buffer);
            }
        }
        return null;
    }

    private RdmaBuffer allocate(int code, List<Link> links) {
        BufferMemory.Block block = memory.allocate(BufferSizes.size(code));
        if (block == null) {
            return null;
        }
        RdmaBuffer buffer = new RdmaBuffer(block, code, remoteWrite);
        if (!register(buffer, links)) {
            free(buffer);
            return null;
        }
        lists.get(code).addFirst(buffer);
        allocations++;
        allocatedBytes += buffer.size();
        return buffer;
    }

    private static boolean register(RdmaBuffer buffer, List<Link> links) {
        try {
            for (Link link : links) {
                buffer.register(link);
            }
            return true;
        } catch (RoceException e) {
            return false;
        }
    }

    /** The connection that had the buffer is gone, and nobody writes into it any more. */
    void giveBack(RdmaBuffer buffer) {
        if (remoteWrite) {
            buffer.zero();
        }
        buffer.use(false);
    }

    /** The connection that had the buffer is gone, but somebody may still write into it: nobody else has it. */
    void discard(RdmaBuffer buffer) {
        lists.get(buffer.sizeCode()).remove(buffer);
        allocatedBytes -= buffer.size();
        free(buffer);
    }

    private static void free(RdmaBuffer buffer) {
        for (int place = 0; place < LinkSlots.COUNT; place++) {
            MemoryRegion region = buffer.takeRegion(place);
            if (region != null) {
                region.close();
            }
        }
        buffer.free();
    }

    /** In the order in which ADD LINK lists them. */
    private List<RdmaBuffer> inUse() {
        List<RdmaBuffer> buffers = new ArrayList<>();
        for (List<RdmaBuffer> list : lists) {
            for (RdmaBuffer buffer : list) {
                if (buffer.isUsed()) {
                    buffers.add(buffer);
                }
            }
        }
        return buffers;
    }

    /** Registers the buffers in use on a new link; idle ones are when they are taken. */
    void register(Link link) throws RoceException {
        for (RdmaBuffer buffer : inUse()) {
            buffer.register(link);
        }
    }

    /** How the buffers in use are reached on a link and on a new one. */
    List<RkeyOnNewLink> rkeys(Link existing, Link added) {
        List<RkeyOnNewLink> rkeys = new ArrayList<>();
        for (RdmaBuffer buffer : inUse()) {
            Rtoken token = buffer.rtoken(added);
            rkeys.add(new RkeyOnNewLink(buffer.rtoken(existing).rkey(), token.rkey(), token.address()));
        }
        return rkeys;
    }

    /** Takes all registrations on a link that is being cleared, for the caller to close. */
    List<MemoryRegion> takeRegions(int place) {
        List<MemoryRegion> regions = new ArrayList<>();
        for (List<RdmaBuffer> list : lists) {
            for (RdmaBuffer buffer : list) {
                MemoryRegion region = buffer.takeRegion(place);
                if (region != null) {
                    regions.add(region);
                }
            }
        }
        return regions;
    }

    /** Frees all buffers; no link, and no connection, is left. */
    void free() {
        for (List<RdmaBuffer> list : lists) {
            list.forEach(RdmaBuffer::free);
            list.clear();
        }
        allocatedBytes = 0;
    }
}
