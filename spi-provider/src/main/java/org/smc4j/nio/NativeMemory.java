package org.smc4j.nio;

import java.lang.foreign.MemorySegment;

/** All of native memory: what the JDK hands over as an address is an offset in here. */
final class NativeMemory {
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {
    }
}
