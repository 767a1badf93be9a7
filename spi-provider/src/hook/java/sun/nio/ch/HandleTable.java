package sun.nio.ch;

/**
 * Maps descriptors to handles in two array loads. A handle is stored before the application can see the socket, and cleared
 * before the descriptor is closed, so plain loads are enough: whoever has the socket has the store.
 */
public final class HandleTable {
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK = 1 << CHUNK_BITS;
    /** One more than the highest descriptor that Linux allows by default (fs.nr_open), doubled. */
    public static final int CAPACITY = 1 << 21;
    private static final SocketHandle[][] CHUNKS = new SocketHandle[CAPACITY >>> CHUNK_BITS][];

    private HandleTable() {
    }

    /** The handle of a descriptor; null for any number that has none, negative ones too. */
    public static SocketHandle get(int fd) {
        int index = fd >>> CHUNK_BITS;
        if (index >= CHUNKS.length) {
            return null;
        }
        SocketHandle[] chunk = CHUNKS[index];
        return chunk == null ? null : chunk[fd & CHUNK - 1];
    }

    /** False if the descriptor is beyond the table; it is then not tracked. */
    public static boolean put(int fd, SocketHandle handle) {
        int index = fd >>> CHUNK_BITS;
        if (index >= CHUNKS.length) {
            return false;
        }
        synchronized (CHUNKS) {
            SocketHandle[] chunk = CHUNKS[index];
            if (chunk == null) {
                chunk = new SocketHandle[CHUNK];
                java.lang.invoke.VarHandle.releaseFence();
                CHUNKS[index] = chunk;
            }
            chunk[fd & CHUNK - 1] = handle;
        }
        return true;
    }

    /** The lowest descriptor from {@code fd} on that has a handle, -1 if there is none; a snapshot while others change it. */
    public static int next(int fd) {
        for (int i = fd; i < CAPACITY; i++) {
            SocketHandle[] chunk = CHUNKS[i >>> CHUNK_BITS];
            if (chunk == null) {
                i |= CHUNK - 1;
            } else if (chunk[i & CHUNK - 1] != null) {
                return i;
            }
        }
        return -1;
    }

    /** Forgets the handle if the descriptor is still its. */
    public static void remove(int fd, SocketHandle handle) {
        synchronized (CHUNKS) {
            if (get(fd) == handle) {
                CHUNKS[fd >>> CHUNK_BITS][fd & CHUNK - 1] = null;
            }
        }
    }
}
