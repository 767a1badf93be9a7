package org.smc4j.roce.software;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.smc4j.roce.QueuePair;
import org.smc4j.roce.RoceDevice;
import org.smc4j.roce.RoceException;

/** Memory regions and queue pairs that may be used together; closing it closes them. */
final class SoftwareProtectionDomain implements RoceDevice.ProtectionDomain {
    private final SoftwareDevice device;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Set<Region> regions = new LinkedHashSet<>();
    private final Set<SoftwareQueuePair> queuePairs = new LinkedHashSet<>();
    private boolean closed;

    SoftwareProtectionDomain(SoftwareDevice device) {
        this.device = device;
    }

    @Override
    public RoceDevice.MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws RoceException {
        if (!memory.isNative() || memory.isReadOnly() || memory.byteSize() == 0) {
            throw new RoceException("only native memory that can be written can be registered");
        }
        lock.lock();
        try {
            requireOpen();
            Region region = device.regions().add(this, memory, remoteWrite);
            regions.add(region);
            return region;
        } finally {
            lock.unlock();
        }
    }

    void remove(Region region) {
        device.regions().remove(region);
        lock.lock();
        try {
            regions.remove(region);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public QueuePair createQueuePair(RoceDevice.QueuePairAttributes attributes) throws RoceException {
        lock.lock();
        try {
            requireOpen();
            SoftwareQueuePair queuePair = device.createQueuePair(this, attributes);
            queuePairs.add(queuePair);
            return queuePair;
        } finally {
            lock.unlock();
        }
    }

    void remove(SoftwareQueuePair queuePair) {
        lock.lock();
        try {
            queuePairs.remove(queuePair);
        } finally {
            lock.unlock();
        }
    }

    /** Enters the region of an lkey for an access by a queue pair of this domain; null if it may not. */
    Region enterLocal(int lkey, long address, int length) {
        Region region = device.regions().find(lkey);
        return region != null && region.allowsLocal(this, lkey, address, length) && region.enter() ? region : null;
    }

    /** The region that the peer of a queue pair of this domain may write to, or null. */
    Region findRemote(int rkey, long address, int length) {
        Region region = device.regions().find(rkey);
        return region != null && region.allowsRemoteWrite(this, rkey, address, length) ? region : null;
    }

    private void requireOpen() throws RoceException {
        if (closed) {
            throw new RoceException("the protection domain is closed");
        }
    }

    @Override
    public void close() {
        ArrayList<SoftwareQueuePair> pairs;
        ArrayList<Region> memory;
        lock.lock();
        try {
            closed = true;
            pairs = new ArrayList<>(queuePairs);
            memory = new ArrayList<>(regions);
        } finally {
            lock.unlock();
        }
        for (SoftwareQueuePair pair : pairs) {
            pair.close();
        }
        for (Region region : memory) {
            region.close();
        }
        device.remove(this);
    }
}
