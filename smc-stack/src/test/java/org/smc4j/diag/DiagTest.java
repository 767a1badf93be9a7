package org.smc4j.diag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class DiagTest {
    @Test
    void shouldFindEveryReasonWhenLookedUpByNumber() {
        assertEquals(36, ReasonCode.values().length);
        Set<String> words = new HashSet<>();
        for (ReasonCode code : ReasonCode.values()) {
            assertSame(code, ReasonCode.of(code.number()));
            assertTrue(words.add(code.words()), code + " shares its words");
            assertFalse(code.words().isBlank());
        }
    }

    @Test
    void shouldNotFailWhenReasonNumberIsUnknown() {
        assertNull(ReasonCode.of(0));
        assertNull(ReasonCode.of(-1));
        assertEquals("0x00000000 (unknown reason)", ReasonCode.describe(0));
        assertEquals("0xffffffff (unknown reason)", ReasonCode.describe(-1));
    }

    @Test
    void shouldGiveNumberNameAndWordsWhenDescribed() {
        assertEquals("0x0303000a MAXCONNERR (max connections negotiation failed)", ReasonCode.describe(0x0303000a));
        assertEquals("0x03010000 PEERNOSMC (peer did not signal SMC)", ReasonCode.describe(0x03010000));
    }

    @Test
    void shouldHaveTheKernelsValuesAndTheNamesOfSmcss() {
        String[] expected = {"1 ACTIVE", "2 INIT", "7 CLOSED", "10 LISTEN", "20 PEERCLW1", "21 PEERCLW2", "22 APPLCLW1",
            "23 APPLCLW2", "24 APPLFINCLW", "25 PEERFINCLW", "26 PEERABORTW", "27 PROCESSABORT"};
        SmcState[] states = SmcState.values();
        assertEquals(expected.length, states.length);
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], states[i].value() + " " + states[i].smcssName());
            assertSame(states[i], SmcState.of(states[i].value()));
        }
        assertNull(SmcState.of(0));
        assertNull(SmcState.of(28));
    }

    @Test
    void shouldHaveTheModeNumbersOfTheKernel() {
        assertEquals(0, SmcMode.SMCR.diagValue());
        assertEquals(1, SmcMode.TCP.diagValue());
        assertEquals(2, SmcMode.SMCD.diagValue());
    }
}
