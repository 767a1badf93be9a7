package org.smc4j.ism;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.ffi.linux.Linux;

/**
 * The Emulated-ISM device: DMBs are sealed memfds. The seals keep a peer from shrinking a file under our mapping, which
 * would turn a load into SIGBUS; the pages are allocated when the DMB is made, for the same reason (those of the overflow area
 * by whoever is about to write there).
 */
public final class EmulatedIsm implements IsmDevice {
    /** For people; it is in no message. */
    public static final String NAME = "smc4j-ism";
    /** In the range of Emulated-ISM and distinct from the kernel's loopback, which has 0xFFFF (spec/60-ism.md §6). */
    private static final int CHID = 0xFF4A;
    /**
     * One GID for every process: whoever is reached through the sideband can pass descriptors and so map our DMBs. The bytes
     * are a random version 4 UUID, fixed once.
     */
    private static final byte[] GID = {
        0x5b, 0x1e, 0x33, (byte) 0xc9, 0x74, 0x0f, 0x4d, 0x52, (byte) 0x9a, 0x6e, 0x2f, (byte) 0xd0, 0x18, 0x47, (byte) 0xb3, 0x65
    };
    private static final int SEALS = Linux.F_SEAL_SEAL | Linux.F_SEAL_SHRINK | Linux.F_SEAL_GROW;

    @Override
    public byte[] gid() {
        return GID.clone();
    }

    @Override
    public int chid() {
        return CHID;
    }

    @Override
    public Registered registerDmb(int size, Arena arena) throws DmbException {
        int descriptor = Linux.memfdCreate("smc-dmb");
        if (descriptor < 0) {
            throw new DmbException("memfd_create: " + Errno.describe(descriptor));
        }
        try {
            long length = Dmb.length(size);
            check("ftruncate", Linux.ftruncate(descriptor, length));
            check("fallocate", Linux.fallocate(descriptor, 0, length - Dmb.OVERFLOW_SIZE));
            check("F_ADD_SEALS", Linux.fcntl(descriptor, Linux.F_ADD_SEALS, SEALS));
            long token = ThreadLocalRandom.current().nextLong();
            return new Registered(new Dmb(token, size, map(descriptor, length, arena)), descriptor);
        } catch (DmbException e) {
            Linux.close(descriptor);
            throw e;
        }
    }

    @Override
    public Dmb attachDmb(long token, int size, int descriptor, Arena arena) throws DmbException {
        int seals = Linux.fcntl(descriptor, Linux.F_GET_SEALS, 0);
        int needed = Linux.F_SEAL_SHRINK | Linux.F_SEAL_GROW;
        if (seals < 0 || (seals & needed) != needed) {
            throw new DmbException("the peer's DMB is not a sealed memfd");
        }
        long length = Dmb.length(size);
        if (Linux.size(descriptor) != length) {
            throw new DmbException("the peer's DMB has " + Linux.size(descriptor) + " bytes instead of " + length);
        }
        return new Dmb(token, size, map(descriptor, length, arena));
    }

    private static MemorySegment map(int descriptor, long length, Arena arena) throws DmbException {
        long address = Linux.mmapShared(descriptor, length);
        if (Linux.mapFailed(address)) {
            throw new DmbException("mmap: " + Errno.describe(address));
        }
        return MemorySegment.ofAddress(address).reinterpret(length, arena, mapping -> Linux.munmap(mapping.address(), length));
    }

    private static void check(String call, int result) throws DmbException {
        if (result < 0) {
            throw new DmbException(call + ": " + Errno.describe(result));
        }
    }
}
