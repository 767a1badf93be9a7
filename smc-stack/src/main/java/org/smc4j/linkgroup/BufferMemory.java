package org.smc4j.linkgroup;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where send buffers and RMBs come from. */
public interface BufferMemory {
    /** Zeroed memory at a page's start; null if there is not so much. */
    Block allocate(long bytes);

    /** A piece of memory until it is closed. */
    interface Block extends AutoCloseable {
        MemorySegment segment();

        @Override
        void close();
    }

    /** Native memory of this process. */
    static BufferMemory ofProcess() {
        return bytes -> {
            Arena arena = Arena.ofShared();
            try {
                MemorySegment segment = arena.allocate(bytes, 4096);
                return new Block() {
                    @Override
                    public MemorySegment segment() {
                        return segment;
                    }

                    @Override
                    public void close() {
                        arena.close();
                    }
                };
            } catch (OutOfMemoryError e) {
                // Not a JVM in distress: its limit of native memory, or the system's, says no to this size.
                arena.close();
                return null;
            }
        };
    }
}
