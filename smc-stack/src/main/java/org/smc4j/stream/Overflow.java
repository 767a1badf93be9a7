package org.smc4j.stream;

import java.lang.foreign.MemorySegment;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ism.Dmb;

/**
 * The overflow area of one DMB: what a writer has written and the ring has no space for. TCP takes some megabytes before it
 * makes a writer wait, and programs rely on it: both ends write a large message first and read then, which a ring of 256 KiB
 * would turn into a deadlock. So when the ring has had no space for a while without the peer taking anything, further bytes go
 * here, behind those in the ring. The area is shared memory as the ring is, so what was written survives its writer; it is not
 * the ring because a stream that cycles through four megabytes runs out of the processor's cache.
 *
 * <p>Bytes are counted from the start of the connection and lie at their number modulo the size. Order: the writer uses the ring
 * only while the area is empty, and a reader takes from the area only what it saw there before it saw the ring empty.
 */
final class Overflow {
    private static final int PAGE = 4096;
    /**
     * The most that is kept, in bytes. One page less than the area: the reader gives the memory of whole pages back, and so
     * never of one that the writer has come round to.
     */
    static final int LIMIT = Dmb.OVERFLOW_SIZE - PAGE;

    private final MemorySegment area;

    Overflow(Dmb dmb) {
        area = dmb.memory().asSlice((long) dmb.size() + Dmb.DEVICE_PAGE_SIZE, Dmb.OVERFLOW_SIZE);
    }

    /** Copies in; false if there is no memory for it. */
    boolean write(long position, MemorySegment source, long offset, int n) {
        int at = (int) (position % Dmb.OVERFLOW_SIZE);
        int first = Math.min(n, Dmb.OVERFLOW_SIZE - at);
        if (!populate(at, first) || first < n && !populate(0, n - first)) {
            return false;
        }
        MemorySegment.copy(source, offset, area, at, first);
        MemorySegment.copy(source, offset + first, area, 0, n - first);
        return true;
    }

    /** A store to a page that cannot be had would be a SIGBUS. */
    private boolean populate(int at, int n) {
        int start = at & -PAGE;
        return Linux.populate(area.address() + start, at + n - start);
    }

    void read(long position, MemorySegment target, long offset, int n) {
        int at = (int) (position % Dmb.OVERFLOW_SIZE);
        int first = Math.min(n, Dmb.OVERFLOW_SIZE - at);
        MemorySegment.copy(area, at, target, offset, first);
        MemorySegment.copy(area, 0, target, offset + first, n - first);
    }

    /**
     * Gives the memory back of whole pages that were read; must come before the writer is told that it may write there again.
     *
     * @return how far it came
     */
    long discard(long from, long to) {
        long start = from & -PAGE;
        long end = to & -PAGE;
        if (start < end) {
            int at = (int) (start % Dmb.OVERFLOW_SIZE);
            long first = Math.min(end - start, Dmb.OVERFLOW_SIZE - at);
            Linux.discard(area.address() + at, first);
            if (first < end - start) {
                Linux.discard(area.address(), end - start - first);
            }
        }
        return end;
    }
}
