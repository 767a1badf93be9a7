package org.smc4j.ism;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.smc4j.ffi.linux.Linux;

/** What a peer may give us to ring: an eventfd that does not block. */
public final class Doorbell {
    private static final int F_GETFL = 3;
    private static final int O_NONBLOCK = 0x800;

    private Doorbell() {
    }

    /**
     * Refuses anything else: a write to a full pipe would block the thread of the application that rings, and one to a file
     * or a socket would not stay without effect.
     *
     * @throws DmbException if it is not one
     */
    public static void check(int descriptor) throws DmbException {
        String kind;
        try {
            kind = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
        } catch (IOException e) {
            throw new DmbException("the peer's doorbell cannot be checked: " + e.getMessage());
        }
        if (!kind.equals("anon_inode:[eventfd]") || (Linux.fcntl(descriptor, F_GETFL, 0) & O_NONBLOCK) == 0) {
            throw new DmbException("the peer's doorbell is no eventfd, or one that blocks: " + kind);
        }
    }
}
