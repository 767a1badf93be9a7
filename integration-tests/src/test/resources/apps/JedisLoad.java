import java.util.Arrays;

import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/** {@code ADDRESS PORT N}: N SET and GET pairs, one of a MiB, and a pipeline of N INCR. */
final class JedisLoad {
    private static final int LONGEST = 5_000;
    private static final int LARGE = 1 << 20;

    private JedisLoad() {
    }

    public static void main(String[] args) {
        int count = Integer.parseInt(args[2]);
        try (Jedis redis = new Jedis(args[0], Integer.parseInt(args[1]))) {
            int good = 0;
            for (int i = 0; i < count; i++) {
                if (same(redis, i, 1 + i * 7919 % LONGEST)) {
                    good++;
                }
            }
            System.out.println("small " + good + "/" + count + " good");
            System.out.println("large " + same(redis, count, LARGE));
            Pipeline pipeline = redis.pipelined();
            for (int i = 0; i < count; i++) {
                pipeline.incr("counter");
            }
            pipeline.sync();
            System.out.println("counter " + redis.get("counter"));
        }
    }

    private static boolean same(Jedis redis, int number, int length) {
        byte[] key = ("k" + number).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] content = Content.of(number, length);
        redis.set(key, content);
        return Arrays.equals(content, redis.get(key));
    }
}
