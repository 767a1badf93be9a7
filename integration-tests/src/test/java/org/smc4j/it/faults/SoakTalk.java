package org.smc4j.it.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * What one end says and hears on one connection of the soak test: seed and length, then that much content; the end of the
 * stream follows. Both directions are independent. Not for use by more than one writer and one reader at a time.
 */
final class SoakTalk {
    /** Bytes before the content: seed and length. */
    static final int HEADER = 16;
    private static final int LARGEST = 1 << 20;

    private final SplittableRandom random;
    private final long outSeed;
    private final long outLength;
    private long outPosition = -HEADER;
    private final ByteBuffer header = ByteBuffer.allocate(HEADER);
    private long inSeed;
    private long inLength = -1;
    private long inPosition;
    private boolean inEnded;

    SoakTalk(long seed) {
        random = new SplittableRandom(seed);
        outSeed = random.nextLong();
        // Short ones mostly: they end in all phases of the switch.
        outLength = random.nextInt(3) == 0 ? random.nextInt(LARGEST) : random.nextInt(5000);
    }

    /** Fills the buffer with the next piece, of random size; false if all is said. */
    boolean say(ByteBuffer target) {
        if (outPosition == outLength) {
            return false;
        }
        int most = random.nextInt(4) == 0 ? target.remaining() : Math.min(target.remaining(), 1 + random.nextInt(300));
        if (outPosition < 0) {
            target.putLong(outSeed).putLong(outLength);
            outPosition = 0;
            most -= HEADER;
        }
        for (int i = 0; i < most && outPosition < outLength; i++) {
            target.put(Pattern.at(outSeed, outPosition++));
        }
        return true;
    }

    /** Takes what has come, all of it. */
    void hear(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            if (inLength < 0) {
                header.put(source.get());
                if (!header.hasRemaining()) {
                    inSeed = header.getLong(0);
                    inLength = header.getLong(8);
                }
            } else if (inPosition == inLength) {
                throw new IOException("more than " + inLength + " bytes");
            } else {
                byte b = source.get();
                if (b != Pattern.at(inSeed, inPosition)) {
                    throw new IOException("wrong byte at " + inPosition + " of " + inLength);
                }
                inPosition++;
            }
        }
    }

    /** Whether everything that the peer has to say was heard; its end of the stream may still come. */
    boolean isHeard() {
        return inPosition == inLength;
    }

    void hearEnd() throws IOException {
        inEnded = true;
        if (!isHeard()) {
            throw new IOException("end after " + inPosition + " of " + inLength + " bytes");
        }
    }

    boolean isOver() {
        return inEnded && outPosition == outLength;
    }
}
