package org.smc4j.sideband;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.smc4j.ffi.linux.UnixSocket;

/**
 * The answer to STATUS: text lines, as many of them in one REPORT as fit (the kernel holds few messages for a reader,
 * whatever their size), then an empty REPORT.
 */
final class Reports {
    private static final int MAX_PAYLOAD = UnixSocket.MAX_MESSAGE - Envelope.HEADER_SIZE;

    private Reports() {
    }

    static List<Envelope> envelopes(List<String> lines) {
        List<Envelope> envelopes = new ArrayList<>();
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (String line : lines) {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            if (payload.size() + bytes.length + 1 > MAX_PAYLOAD && payload.size() > 0) {
                envelopes.add(report(payload));
            }
            payload.write(bytes, 0, Math.min(bytes.length, MAX_PAYLOAD - 1));
            payload.write('\n');
        }
        if (payload.size() > 0) {
            envelopes.add(report(payload));
        }
        envelopes.add(report(payload));
        return envelopes;
    }

    private static Envelope report(ByteArrayOutputStream payload) {
        Envelope envelope = Envelope.withoutConnection(Envelope.Type.REPORT, payload.toByteArray());
        payload.reset();
        return envelope;
    }

    /** Adds the lines of a REPORT; false at the end of the answer. */
    static boolean addLines(Envelope report, List<String> lines) {
        if (report.payload().length == 0) {
            return false;
        }
        Collections.addAll(lines, new String(report.payload(), StandardCharsets.UTF_8).split("\n"));
        return true;
    }
}
