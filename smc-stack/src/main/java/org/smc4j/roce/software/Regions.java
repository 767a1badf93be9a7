package org.smc4j.roce.software;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.roce.RoceException;

/**
 * The memory regions of a device by their keys. A key is an index with 8 bits that change with every use of that index, so a key
 * of a region that is gone does not name the next one.
 */
final class Regions {
    private static final int MOST = 1 << 16;
    private static final int FIRST_CAPACITY = 64;
    private static final int TAG_BITS = 8;
    private static final int TAG_MASK = (1 << TAG_BITS) - 1;

    private final ReentrantLock lock = new ReentrantLock();
    /** Read by anyone; it and its elements are written under the lock. */
    private volatile AtomicReferenceArray<Region> table = new AtomicReferenceArray<>(FIRST_CAPACITY);
    // Guarded by the lock.
    private byte[] tags = new byte[FIRST_CAPACITY];
    private int next;

    Region add(SoftwareProtectionDomain domain, MemorySegment memory, boolean remoteWrite) throws RoceException {
        lock.lock();
        try {
            int index = freeIndex();
            int key = index << TAG_BITS | ++tags[index] & TAG_MASK;
            Region region = new Region(domain, memory, remoteWrite, key);
            table.setRelease(index, region);
            return region;
        } finally {
            lock.unlock();
        }
    }

    private int freeIndex() throws RoceException {
        int capacity = table.length();
        // Index 0 is left out: key 0 is nobody's.
        for (int i = 0; i < capacity; i++) {
            int index = (next + i) % capacity;
            if (index != 0 && table.getPlain(index) == null) {
                next = index + 1;
                return index;
            }
        }
        if (capacity == MOST) {
            throw new RoceException("the device has no room for another memory region");
        }
        AtomicReferenceArray<Region> larger = new AtomicReferenceArray<>(2 * capacity);
        for (int i = 0; i < capacity; i++) {
            larger.setPlain(i, table.getPlain(i));
        }
        tags = java.util.Arrays.copyOf(tags, 2 * capacity);
        table = larger;
        next = capacity + 1;
        return capacity;
    }

    void remove(Region region) {
        lock.lock();
        try {
            table.setRelease(region.lkey() >>> TAG_BITS, null);
        } finally {
            lock.unlock();
        }
    }

    /** The region that may have this key, or null; the caller checks key and access. */
    Region find(int key) {
        AtomicReferenceArray<Region> regions = table;
        int index = key >>> TAG_BITS;
        return index < regions.length() ? regions.getAcquire(index) : null;
    }
}
