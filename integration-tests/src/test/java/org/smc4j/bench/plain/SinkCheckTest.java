package org.smc4j.bench.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class SinkCheckTest {
    private final List<Long> answeredBytes = new ArrayList<>();

    private SinkCheck check(int size) {
        return new SinkCheck(size, ByteBuffer.allocate(Message.GREETING_SIZE),
            reply -> answeredBytes.add(reply.getLong(0)));
    }

    /** Messages one after another, those of the given numbers marked. */
    private static byte[] stream(int size, int count, int... marked) {
        final ByteBuffer all = ByteBuffer.allocate(size * count);
        for (int i = 0; i < count; i++) {
            long header = i;
            for (int mark : marked) {
                header |= mark == i ? Message.MARK : 0;
            }
            Message.stamp(all.slice(i * size, size), header);
        }
        return all.array();
    }

    private static void feed(SinkCheck check, byte[] stream, Random pieces, int longest) throws IOException {
        final ByteBuffer piece = ByteBuffer.allocate(longest);
        for (int at = 0; at < stream.length;) {
            final int count = Math.min(stream.length - at, 1 + pieces.nextInt(longest));
            piece.put(0, stream, at, count);
            check.accept(piece, count);
            at += count;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 17, 64, 1024})
    void shouldAnswerMarkedMessagesWhenPiecesCutAnywhere(int size) throws IOException {
        for (int seed = 0; seed < 200; seed++) {
            answeredBytes.clear();
            feed(check(size), stream(size, 100, 9, 99), new Random(seed), 1 + seed * 7);
            assertEquals(List.of(10L * size, 100L * size), answeredBytes);
        }
    }

    @Test
    void shouldFailWhenAByteIsMissing() {
        final byte[] whole = stream(64, 10);
        final byte[] short1 = new byte[whole.length - 1];
        System.arraycopy(whole, 0, short1, 0, 100);
        System.arraycopy(whole, 101, short1, 100, whole.length - 101);
        assertThrows(IOException.class, () -> feed(check(64), short1, new Random(1), 200));
    }

    @Test
    void shouldFailWhenAMessageComesTwice() {
        final byte[] twice = stream(64, 4);
        System.arraycopy(twice, 64, twice, 128, 64);
        assertThrows(IOException.class, () -> feed(check(64), twice, new Random(1), 256));
    }
}
