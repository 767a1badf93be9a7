import java.util.SplittableRandom;

/** Bytes that both ends of a connection can compute for themselves. */
final class Content {
    private Content() {
    }

    static byte[] of(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
