package org.smc4j.roce.software;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.smc4j.roce.RoceDevice.MemoryRegion;

/**
 * Registered memory. Whoever reads or writes it for a request is inside meanwhile; deregistering waits until nobody is, so that
 * its owner may unmap it. Nobody blocks while inside.
 */
final class Region implements MemoryRegion {
    private static final int CLOSED = 1 << 31;
    private static final VarHandle USERS;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(Region.class, "users", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SoftwareProtectionDomain domain;
    private final MemorySegment memory;
    private final boolean remoteWrite;
    private final int key;
    /** Who is inside, with {@link #CLOSED} once nobody new may be; compare-and-set. */
    @SuppressWarnings("unused")
    private volatile int users;

    Region(SoftwareProtectionDomain domain, MemorySegment memory, boolean remoteWrite, int key) {
        this.domain = domain;
        this.memory = memory;
        this.remoteWrite = remoteWrite;
        this.key = key;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    /** The same number as {@link #rkey}, as many NICs have it. */
    @Override
    public int lkey() {
        return key;
    }

    @Override
    public int rkey() {
        return key;
    }

    /** Whether a queue pair of the domain may access these bytes on its own behalf. */
    boolean allowsLocal(SoftwareProtectionDomain of, int lkey, long address, int length) {
        return lkey == key && of == domain && contains(address, length);
    }

    /** Whether the peer of a queue pair of the domain may write these bytes. */
    boolean allowsRemoteWrite(SoftwareProtectionDomain of, int rkey, long address, int length) {
        return rkey == key && remoteWrite && of == domain && contains(address, length);
    }

    private boolean contains(long address, int length) {
        long offset = address - memory.address();
        // Two comparisons that no address and no length can make overflow.
        return length >= 0 && offset >= 0 && offset <= memory.byteSize() - length;
    }

    /** Begins an access; false if the memory is not registered any more. */
    boolean enter() {
        int seen = (int) USERS.getAcquire(this);
        while (seen >= 0) {
            int witness = (int) USERS.compareAndExchangeAcquire(this, seen, seen + 1);
            if (witness == seen) {
                return true;
            }
            seen = witness;
        }
        return false;
    }

    /** Ends an access. */
    void leave() {
        USERS.getAndAddRelease(this, -1);
    }

    @Override
    public void close() {
        if (((int) USERS.getAndBitwiseOr(this, CLOSED) & CLOSED) != 0) {
            return;
        }
        domain.remove(this);
        while ((int) USERS.getAcquire(this) != CLOSED) {
            Thread.yield();
        }
    }
}
