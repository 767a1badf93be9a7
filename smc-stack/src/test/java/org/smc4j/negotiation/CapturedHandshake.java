package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.List;
import org.smc4j.clc.ClcAcceptConfirm;
import org.smc4j.clc.ClcCodec;
import org.smc4j.clc.ClcDecline;
import org.smc4j.clc.ClcException;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.ClcProposal;
import org.smc4j.clc.ClcType;
import org.smc4j.clc.Vectors;

/** The CLC messages of one connection in a vector file, in their order. */
record CapturedHandshake(List<Line> lines) {
    /** One message; those that are marked as hand-made come from a test program and are only fed in, never expected. */
    record Line(String id, boolean byClient, boolean byKernel, String address, byte[] bytes, ClcMessage message) {
        private static Line of(Vectors.Message captured) {
            String from = captured.headers().get("from");
            try {
                return new Line(captured.id(), from.startsWith("client"), !from.contains("hand-made"), from.split(" ")[1],
                        captured.bytes(), ClcCodec.decode(captured.bytes(), 0, captured.bytes().length));
            } catch (ClcException e) {
                throw new AssertionError(captured.id(), e);
            }
        }
    }

    /** All there are. A connection begins with a Proposal, or with a Decline of a client that has nothing to propose. */
    static List<CapturedHandshake> all() {
        List<CapturedHandshake> all = new ArrayList<>();
        List<Line> current = new ArrayList<>();
        for (Vectors.Message captured : Vectors.ofKind("clc")) {
            Line line = Line.of(captured);
            boolean isOver = !current.isEmpty() && current.getLast().message() instanceof ClcDecline;
            if (!current.isEmpty() && (line.message() instanceof ClcProposal || isOver)) {
                all.add(new CapturedHandshake(List.copyOf(current)));
                current.clear();
            }
            current.add(line);
        }
        all.add(new CapturedHandshake(List.copyOf(current)));
        return all;
    }

    String file() {
        return lines.getFirst().id().split(" ")[0];
    }

    /** Of its first message in the file. */
    int number() {
        String id = lines.getFirst().id();
        return Integer.parseInt(id.substring(id.indexOf('[') + 1, id.indexOf(']')));
    }

    /** Address of one end; of the server the usual one if it has said nothing. */
    String address(boolean client) {
        for (Line line : lines) {
            if (line.byClient() == client) {
                return line.address();
            }
        }
        return client ? "10.8.0.1" : "10.8.0.2";
    }

    boolean isByKernel(boolean client) {
        return lines.stream().anyMatch(line -> line.byClient() == client && line.byKernel());
    }

    /** What the kernel at one end has sent. */
    List<Line> sentBy(boolean client) {
        return lines.stream().filter(line -> line.byClient() == client).toList();
    }

    /** The Accept or Confirm; null if there was none. */
    ClcAcceptConfirm answer(ClcType type) {
        for (Line line : lines) {
            if (line.message() instanceof ClcAcceptConfirm answer && answer.type() == type) {
                return answer;
            }
        }
        return null;
    }

    /** The Decline with which the connection ended; null if it did not. */
    ClcDecline decline() {
        return lines.getLast().message() instanceof ClcDecline decline ? decline : null;
    }

    /** Whether this end has declined. */
    boolean declinedBy(boolean client) {
        return decline() != null && lines.getLast().byClient() == client;
    }

    @Override
    public String toString() {
        return lines.getFirst().id() + " " + lines.stream().map(line -> line.message().type().name()).toList();
    }
}
