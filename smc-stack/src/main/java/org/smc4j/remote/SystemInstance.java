package org.smc4j.remote;

import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.smc4j.diag.Log;
import org.smc4j.ffi.linux.Linux;
import org.smc4j.ffi.linux.UnixSocket;

/**
 * The 16 bits in front of the MAC in a system id (spec/40-buffers-linkgroups.md §5). The kernel draws them at random, one for each
 * host. Here every JVM is a system of its own, with the MAC and the GIDs of its host: if two of them drew the same number, a server
 * would take the second for the first and answer it with a link group that it does not have. One in a thousand hosts with ten JVMs
 * would have such a pair. So the number is not only drawn but claimed: an abstract UNIX name stands for each, which belongs to one
 * process of the network namespace and is free again when that ends, however it does. Nothing of it shows in the messages.
 */
final class SystemInstance {
    private static final int NUMBERS = 1 << 16;
    /** With so many in vain somebody has taken most of the names, or there are no descriptors. */
    private static final int TRIES = 64;
    private static final String PREFIX = "smc4j/1/system/";

    private SystemInstance() {
    }

    /** A number, 0 to 65535, that is this process's until it ends, and no other's; or one that is only random, if there is none. */
    static int claim(RandomGenerator random) {
        for (int i = 0; i < TRIES; i++) {
            int number = random.nextInt(NUMBERS);
            int fd = UnixSocket.open();
            if (fd >= 0 && UnixSocket.bind(fd, PREFIX + HexFormat.of().toHexDigits((short) number)) == 0) {
                // Open until the process ends: that is the claim.
                return number;
            }
            if (fd >= 0) {
                Linux.close(fd);
            }
        }
        Log.debug("no system id of this process's own: a random one");
        return random.nextInt(NUMBERS);
    }
}
