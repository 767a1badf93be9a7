package org.smc4j.sideband;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.smc4j.ffi.linux.UnixSocket;

class ReportsTest {
    @Test
    void shouldGiveBackTheLinesWhenTheyFillManyMessages() throws Exception {
        for (int count : new int[] {0, 1, 2, 500, 20_000}) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                lines.add("line " + i + " ä".repeat(i % 50));
            }
            assertEquals(lines, transfer(lines));
        }
    }

    @Test
    void shouldSendManyLinesInFewMessages() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            lines.add("x".repeat(80));
        }
        assertTrue(Reports.envelopes(lines).size() <= 12);
    }

    @Test
    void shouldCutALineWhenItDoesNotFitAMessage() throws Exception {
        List<String> got = transfer(List.of("a", "b".repeat(UnixSocket.MAX_MESSAGE), "c"));
        assertEquals(3, got.size());
        assertTrue(got.get(1).startsWith("bbb"));
    }

    private static List<String> transfer(List<String> lines) throws Exception {
        List<String> got = new ArrayList<>();
        List<Envelope> envelopes = Reports.envelopes(lines);
        for (int i = 0; i < envelopes.size(); i++) {
            byte[] bytes = envelopes.get(i).encode();
            assertTrue(bytes.length <= UnixSocket.MAX_MESSAGE, "a message of " + bytes.length + " bytes");
            boolean more = Reports.addLines(Envelope.decode(ByteBuffer.wrap(bytes)), got);
            assertEquals(i < envelopes.size() - 1, more);
        }
        assertFalse(envelopes.isEmpty());
        return got;
    }
}
