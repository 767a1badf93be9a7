package org.smc4j.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.smc4j.connection.StateTable.Event;
import org.smc4j.connection.StateTable.Facts;
import org.smc4j.connection.StateTable.Message;
import org.smc4j.connection.StateTable.Transition;
import org.smc4j.diag.SmcState;

/** Every cell of the table of spec/50-sockets.md §2, with every combination of what its footnotes look at. */
@Timeout(10)
class StateTableTest {
    private static final String[] EVENTS = {"close", "shutW", "rxDW", "rxCL", "rxAB", "kill", "aborted"};

    // Cells are "[drain ][message ][-> state]", "." for nothing at all; variants of a cell are behind the fact they depend on: "S" close
    // sent, "R" released, "P" peer closed, "~" not. The last column is ours: the second half of what the specification has as one step.
    private static final String[] TABLE = {
        "INIT             | -> CLOSED | . | -> APPCLOSEWAIT1 | -> APPCLOSEWAIT1 | -> PROCESSABORT | . | .",
        "LISTEN           | -> CLOSED | . | . | . | . | . | .",
        "ACTIVE           | ~P: drain final -> PEERCLOSEWAIT1; P: final -> PEERCLOSEWAIT1 "
                + "| ~P: drain wr -> PEERCLOSEWAIT1; P: wr -> PEERCLOSEWAIT1 "
                + "| -> APPCLOSEWAIT1 | -> APPCLOSEWAIT1 | -> PROCESSABORT | abort -> PEERABORTWAIT | .",
        "PEERCLOSEWAIT1   | final | . | -> PEERCLOSEWAIT2 | SR: -> CLOSED; S~R: -> APPFINCLOSEWAIT; ~S: -> APPFINCLOSEWAIT "
                + "| ~S: -> PROCESSABORT; S: -> CLOSED | abort -> PEERABORTWAIT | .",
        "PEERCLOSEWAIT2   | final | . | . | SR: -> CLOSED; S~R: -> APPFINCLOSEWAIT; ~S: -> APPFINCLOSEWAIT "
                + "| ~S: -> PROCESSABORT; S: -> CLOSED | abort -> PEERABORTWAIT | .",
        "APPCLOSEWAIT1    | ~P: drain final -> PEERFINCLOSEWAIT; P: final -> CLOSED "
                + "| ~P: drain wr -> APPCLOSEWAIT2; P: wr -> APPCLOSEWAIT2 | . | . | -> PROCESSABORT | abort -> PEERABORTWAIT | .",
        "APPCLOSEWAIT2    | ~P: drain final -> PEERFINCLOSEWAIT; P: final -> CLOSED | . | . | . | -> CLOSED "
                + "| abort -> PEERABORTWAIT | .",
        "APPFINCLOSEWAIT  | final -> CLOSED | . | . | . | -> PROCESSABORT | abort -> PEERABORTWAIT | .",
        "PEERFINCLOSEWAIT | . | . | . | -> CLOSED | -> CLOSED | abort -> PEERABORTWAIT | .",
        "PEERABORTWAIT    | -> CLOSED | . | . | . | -> CLOSED | . | -> CLOSED",
        "PROCESSABORT     | abort -> CLOSED | . | . | . | . | abort -> PEERABORTWAIT | .",
        "CLOSED           | . | . | . | . | . | . | .",
    };

    record Case(SmcState state, Event event, Facts facts, Transition expected) {
    }

    static List<Case> cells() {
        List<Case> cases = new ArrayList<>();
        for (String line : TABLE) {
            String[] cells = line.split("\\|");
            SmcState state = SmcState.valueOf(cells[0].strip());
            for (int i = 0; i < EVENTS.length; i++) {
                for (int bits = 0; bits < 8; bits++) {
                    Facts facts = new Facts((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0);
                    cases.add(new Case(state, Event.values()[i], facts, expected(state, cells[i + 1], facts)));
                }
            }
        }
        return cases;
    }

    private static Transition expected(SmcState state, String cell, Facts facts) {
        List<String> fitting = new ArrayList<>();
        for (String variant : cell.split(";")) {
            int colon = variant.indexOf(':');
            if (colon < 0 || fits(variant.substring(0, colon).strip(), facts)) {
                fitting.add(variant.substring(colon + 1).strip());
            }
        }
        assertEquals(1, fitting.size(), cell + " " + facts);
        String rule = fitting.getFirst();
        int arrow = rule.indexOf("-> ");
        String before = arrow < 0 ? rule : rule.substring(0, arrow);
        SmcState next = arrow < 0 ? state : SmcState.valueOf(rule.substring(arrow + 3).strip());
        Message message = before.contains("wr") ? Message.DONE_WRITING : before.contains("abort") ? Message.ABORT
                : before.contains("final") && !facts.closeSent() ? Message.FINAL : Message.NONE;
        return new Transition(message, before.contains("drain"), next);
    }

    private static boolean fits(String conditions, Facts facts) {
        boolean not = false;
        for (char c : conditions.toCharArray()) {
            if (c == '~') {
                not = true;
                continue;
            }
            boolean fact = switch (c) {
                case 'S' -> facts.closeSent();
                case 'R' -> facts.released();
                case 'P' -> facts.peerClosed();
                default -> throw new AssertionError(conditions);
            };
            if (fact == not) {
                return false;
            }
            not = false;
        }
        return true;
    }

    @ParameterizedTest
    @MethodSource("cells")
    void shouldFollowTheTable(Case cell) {
        assertEquals(cell.expected, StateTable.transition(cell.state, cell.event, cell.facts));
    }

    @Test
    void shouldHaveEveryStateAndEventInTheTest() {
        Set<SmcState> states = new HashSet<>();
        cells().forEach(cell -> states.add(cell.state));
        assertEquals(Set.of(SmcState.values()), states);
        assertEquals(SmcState.values().length * Event.values().length * 8, cells().size());
    }

    /** From anywhere, when both ends close, the connection comes to its end, whatever the order. */
    @Test
    void shouldEndWhenBothEndsClose() {
        for (SmcState start : List.of(SmcState.ACTIVE, SmcState.APPCLOSEWAIT1, SmcState.APPCLOSEWAIT2, SmcState.PEERCLOSEWAIT1,
                SmcState.PEERCLOSEWAIT2, SmcState.APPFINCLOSEWAIT, SmcState.PROCESSABORT)) {
            boolean peerClosed = start == SmcState.APPFINCLOSEWAIT || start == SmcState.PROCESSABORT;
            Facts before = new Facts(false, true, peerClosed);
            Transition close = StateTable.transition(start, Event.CLOSE, before);
            SmcState state = close.next();
            if (!peerClosed) {
                state = StateTable.transition(state, Event.CLOSED_RECEIVED, new Facts(true, true, true)).next();
            }
            assertEquals(SmcState.CLOSED, state, start.toString());
            assertTrue(close.message() == Message.FINAL || close.message() == Message.ABORT, start.toString());
        }
    }
}
