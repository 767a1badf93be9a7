package org.smc4j.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.smc4j.ffi.linux.Errno;

@Timeout(10)
class PnetTableTest {
    private final PnetTable table = new PnetTable(PnetTable.Hardware.NONE);

    @ParameterizedTest
    @CsvSource({"NET1, NET1", "'  net1 ', NET1", "a, A", "0123456789ABCDEF, 0123456789ABCDEF"})
    void shouldTrimAndUpperCaseWhenNameIsValid(String written, String stored) {
        assertEquals(0, table.add(written, "eth0", null, 1));
        assertEquals(new PnetId(stored), table.ofNetwork("eth0", "eth0"));
    }

    @ParameterizedTest
    @CsvSource({"''", "'   '", "0123456789ABCDEF0", "NET-1", "'NET 1'", "NÄT", "NET_1"})
    void shouldRefuseWithEinvalWhenNameBreaksTheRules(String written) {
        assertEquals(-Errno.EINVAL, table.add(written, "eth0", null, 1));
        assertEquals(-Errno.EINVAL, table.delete(written));
        assertEquals(List.of(), table.entries());
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-",
            value = {"-, -, 1", "'', -, 1", "-, '', 1", "abcdefghijklmnop, -, 1", "-, rxe0, 0", "-, rxe0, 3"})
    void shouldRefuseWithEinvalWhenInterfaceDeviceOrPortIsNone(String network, String device, int port) {
        assertEquals(-Errno.EINVAL, table.add("NET1", network, device, port));
    }

    @Test
    void shouldTakeNamesOfFullLengthWhenNothingHasThemYet() {
        String device = "d".repeat(63);
        assertEquals(0, table.add("NET1", "abcdefghijklmno", device, 2));
        assertEquals(-Errno.EINVAL, table.add("NET1", null, device + "d", 2));
        assertEquals(new PnetId("NET1"), table.ofPort(device, 2));
    }

    @Test
    void shouldKeepOneEntryPerInterfaceAndPerDeviceWhenMoreAreAdded() {
        assertEquals(0, table.add("NET1", "eth0", "rxe0", 1));
        assertEquals(-Errno.EEXIST, table.add("NET2", "eth0", null, 1));
        assertEquals(-Errno.EEXIST, table.add("NET2", null, "rxe0", 2));
        assertEquals(-Errno.EEXIST, table.add("NET2", "eth0", "rxe0", 1));
        assertEquals(0, table.add("NET2", "eth0", "rxe1", 1), "one of the two is new");
        assertEquals(new PnetId("NET1"), table.ofNetwork("eth0", "eth0"));
        assertEquals(new PnetId("NET1"), table.ofPort("rxe0", 1));
        assertEquals(PnetId.NONE, table.ofPort("rxe0", 2));
        assertEquals(new PnetId("NET2"), table.ofPort("rxe1", 1));
    }

    @Test
    void shouldShowAbsentHalvesWhenListed() {
        table.add("NET1", "eth0", "rxe0", 2);
        assertEquals(List.of(new PnetTable.Entry(new PnetId("NET1"), "n/a", "rxe0", 2),
                new PnetTable.Entry(new PnetId("NET1"), "eth0", "n/a", 255)), table.entries());
    }

    @Test
    void shouldTakeOutAllOfAPnetIdWhenDeleted() {
        table.add("NET1", "eth0", "rxe0", 1);
        table.add("NET2", "eth1", "lo", 1);
        assertEquals(0, table.delete("net1"));
        assertEquals(-Errno.ENOENT, table.delete("NET1"));
        assertEquals(2, table.entries().size());
        table.flush();
        assertEquals(List.of(), table.entries());
        assertEquals(PnetId.NONE, table.ofIsm("lo"));
    }

    @Test
    void shouldAskHardwareThenBaseDeviceThenInterfaceWhenInterfaceIsLookedUp() {
        PnetTable withHardware = new PnetTable(new PnetTable.Hardware() {
            @Override
            public PnetId ofNetwork(String name) {
                return name.equals("enc1") ? new PnetId("HW") : PnetId.NONE;
            }

            @Override
            public PnetId ofDevice(String name, int port) {
                return name.equals("ism0") || name.equals("mlx0") && port == 2 ? new PnetId("HW") : PnetId.NONE;
            }
        });
        assertEquals(-Errno.EEXIST, withHardware.add("NET1", "enc1", null, 1));
        assertEquals(-Errno.EEXIST, withHardware.add("NET1", null, "ism0", 1));
        assertEquals(-Errno.EEXIST, withHardware.add("NET1", null, "mlx0", 2));
        assertEquals(0, withHardware.add("BASE", "eth0", null, 1));
        assertEquals(0, withHardware.add("VLAN", "eth0.10", null, 1));
        assertEquals(0, withHardware.add("VLAN", "eth1.10", null, 1));
        assertEquals(new PnetId("HW"), withHardware.ofNetwork("enc1.5", "enc1"));
        assertEquals(new PnetId("BASE"), withHardware.ofNetwork("eth0.10", "eth0"));
        assertEquals(new PnetId("VLAN"), withHardware.ofNetwork("eth1.10", "eth1"));
        assertEquals(new PnetId("HW"), withHardware.ofIsm("ism0"));
        assertEquals(PnetId.NONE, withHardware.ofPort("mlx0", 1));
    }
}
