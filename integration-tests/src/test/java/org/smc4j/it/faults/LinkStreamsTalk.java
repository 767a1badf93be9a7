package org.smc4j.it.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * What one end says and hears on one connection of {@link LinkStreams}, without an end of its own; the other end hears that. One
 * thread says, one hears.
 */
final class LinkStreamsTalk {
    private static final int MANY = 4;
    private static final int FEW_BYTES = 300;
    private static final long POLL_MILLIS = 20;
    /** While this file exists nobody says anything; empty for none. */
    private static final String QUIET = System.getProperty("quiet", "");

    final int id;
    private final SplittableRandom random;
    private final long outSeed;
    private final long inSeed;
    volatile long said;
    volatile long heard;

    LinkStreamsTalk(int id, boolean isServer) {
        this.id = id;
        long clientSeed = 2L * id << 32;
        long serverSeed = 2L * id + 1 << 32;
        outSeed = isServer ? serverSeed : clientSeed;
        inSeed = isServer ? clientSeed : serverSeed;
        random = new SplittableRandom(outSeed);
    }

    /** Fills the buffer with the next piece, of random size. */
    void say(ByteBuffer target) {
        int length = 1 + random.nextInt(random.nextInt(MANY) == 0 ? target.remaining() : FEW_BYTES);
        for (int i = 0; i < length; i++) {
            target.put(Pattern.at(outSeed, said + i));
        }
        said += length;
    }

    /** Takes what has come, all of it. */
    void hear(ByteBuffer source) throws IOException {
        long position = heard;
        while (source.hasRemaining()) {
            if (source.get() != Pattern.at(inSeed, position)) {
                throw new IOException("wrong byte at " + position);
            }
            position++;
        }
        heard = position;
    }

    /** Now and then, a little: so rings are empty at one time and full at another. */
    void pause() {
        int chance = random.nextInt(512);
        if (chance < 32) {
            try {
                Thread.sleep(chance == 0 ? 50 : 1);
                while (!QUIET.isEmpty() && Files.exists(Path.of(QUIET))) {
                    Thread.sleep(POLL_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
