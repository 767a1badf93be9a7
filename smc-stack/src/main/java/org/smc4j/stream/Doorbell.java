package org.smc4j.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.smc4j.ffi.linux.Linux;

/** Ringing an eventfd. The buffer is shared by all, as it is only read. */
final class Doorbell {
    private static final MemorySegment ONE = Arena.global().allocateFrom(ValueLayout.JAVA_LONG, 1L);

    private Doorbell() {
    }

    static void ring(int eventfd) {
        Linux.eventfdSignal(eventfd, ONE.address());
    }
}
