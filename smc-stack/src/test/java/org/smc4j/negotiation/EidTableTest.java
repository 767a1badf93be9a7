package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.smc4j.clc.Eid;
import org.smc4j.ffi.linux.Errno;

@Timeout(10)
class EidTableTest {
    private static final Eid SEID = new Eid("IBM-SYSZ-ISMSEID00000000ABCD3906");

    private final EidTable table = new EidTable(Eid.NONE);

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "lower", "Mixed", ".DOT", "-DASH", "A..B", "A B", "A_B", "Ä", "A\0",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456"})
    void shouldRefuseWithEinvalWhenUeidBreaksTheRules(String ueid) {
        assertEquals(-Errno.EINVAL, table.add(ueid));
        assertEquals(-Errno.ENOENT, table.remove(ueid));
    }

    @Test
    void shouldKeepFourInOrderWhenMoreAreAdded() {
        for (String ueid : List.of("0", "A.B-C", "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345", "Z   ")) {
            assertEquals(0, table.add(ueid));
        }
        assertEquals(-Errno.ERANGE, table.add("FIFTH"));
        assertEquals(-Errno.ERANGE, table.add("0"), "full comes before present, as in the kernel");
        assertEquals(List.of(Eid.ueid("0"), Eid.ueid("A.B-C"), Eid.ueid("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"), Eid.ueid("Z")),
                table.snapshot().ueids());
    }

    @Test
    void shouldRefuseWhenUeidIsPresentOrAbsent() {
        assertEquals(0, table.add("ONE"));
        assertEquals(-Errno.EEXIST, table.add("ONE "));
        assertEquals(-Errno.ENOENT, table.remove("TWO"));
        assertEquals(0, table.remove("ONE"));
        assertEquals(List.of(), table.snapshot().ueids());
    }

    @Test
    void shouldHaveNoSeidWhenMachineHasNone() {
        assertFalse(table.snapshot().seidEnabled());
        assertEquals(-Errno.EOPNOTSUPP, table.enableSeid());
        assertEquals(-Errno.EOPNOTSUPP, table.disableSeid());
        table.add("ONE");
        table.flush();
        assertFalse(table.snapshot().seidEnabled());
        assertThrows(IllegalArgumentException.class, () -> new LocalEids(List.of(), Eid.NONE, true));
    }

    @Test
    void shouldNeverBeWithoutAnyEidWhenMachineHasASeid() {
        EidTable mainframe = new EidTable(SEID);
        assertTrue(mainframe.snapshot().seidEnabled());
        assertEquals(-Errno.ENOENT, mainframe.disableSeid());
        mainframe.add("ONE");
        mainframe.add("TWO");
        assertEquals(0, mainframe.disableSeid());
        assertFalse(mainframe.snapshot().seidEnabled());
        assertEquals(0, mainframe.remove("ONE"));
        assertFalse(mainframe.snapshot().seidEnabled());
        assertEquals(-Errno.EAGAIN, mainframe.remove("TWO"), "a notice: it is done, and the system EID is back");
        assertTrue(mainframe.snapshot().seidEnabled());

        mainframe.add("ONE");
        assertEquals(0, mainframe.disableSeid());
        assertEquals(0, mainframe.enableSeid());
        mainframe.disableSeid();
        mainframe.flush();
        assertEquals(new LocalEids(List.of(), SEID, true), mainframe.snapshot());
    }
}
