package org.smc4j.sysctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class AddressRulesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '!', value = {
        // rules ! address ! port ! allowed
        "'' ! 10.0.0.1 ! 80 ! true",
        "' , ;; ' ! 10.0.0.1 ! 80 ! true",
        "deny * ! 10.0.0.1 ! 80 ! false",
        "deny * * ! 2001:db8::1 ! 0 ! false",
        "deny * 80 ! 10.0.0.1 ! 80 ! false",
        "deny * 80 ! 10.0.0.1 ! 81 ! true",
        "deny * 80-90 ! 10.0.0.1 ! 79 ! true",
        "deny * 80-90 ! 10.0.0.1 ! 80 ! false",
        "deny * 80-90 ! 10.0.0.1 ! 90 ! false",
        "deny * 80-90 ! 10.0.0.1 ! 91 ! true",
        "deny * 0-65535 ! 10.0.0.1 ! 65535 ! false",
        "allow 10.0.0.0/8, deny * ! 10.255.255.255 ! 80 ! true",
        "allow 10.0.0.0/8; deny * ! 11.0.0.0 ! 80 ! false",
        "deny 10.0.0.0/8, allow 10.0.0.1 ! 10.0.0.1 ! 80 ! false",
        "deny 10.1.2.3/8 ! 10.9.9.9 ! 80 ! false",
        "deny 10.0.0.1 ! 10.0.0.1 ! 80 ! false",
        "deny 10.0.0.1 ! 10.0.0.2 ! 80 ! true",
        "deny 10.0.0.1/32 ! 10.0.0.0 ! 80 ! true",
        "deny 10.0.0.0/31 ! 10.0.0.1 ! 80 ! false",
        "deny 0.0.0.0/0 ! 255.255.255.255 ! 80 ! false",
        "deny 0.0.0.0/0 ! 2001:db8::1 ! 80 ! true",
        "deny 255.255.255.255 ! 255.255.255.255 ! 80 ! false",
        "deny ::/0 ! 2001:db8::1 ! 80 ! false",
        "deny ::/0 ! 10.0.0.1 ! 80 ! true",
        "deny ::1 ! ::1 ! 80 ! false",
        "deny ::1 ! ::2 ! 80 ! true",
        "deny ::1 ! 0.0.0.1 ! 80 ! true",
        "deny 2001:db8::/32 ! 2001:db8:ffff::1 ! 80 ! false",
        "deny 2001:db8::/32 ! 2001:db9::1 ! 80 ! true",
        "deny 2001:db8::/64 ! 2001:db8::ffff:0:0:1 ! 80 ! false",
        "deny 2001:db8::/64 ! 2001:db8:0:1::1 ! 80 ! true",
        "deny 2001:db8::/65 ! 2001:db8::7fff:0:0:1 ! 80 ! false",
        "deny 2001:db8::/65 ! 2001:db8::8000:0:0:1 ! 80 ! true",
        "deny 2001:db8::1/127 ! 2001:db8::0 ! 80 ! false",
        "deny ::ffff:10.0.0.0/104 ! 10.1.2.3 ! 80 ! false",
        "deny ::ffff:10.0.0.0/104 ! 11.1.2.3 ! 80 ! true",
        "deny ::ffff:a00:1 ! 10.0.0.1 ! 80 ! false",
        "deny\t10.0.0.1\t\t80 ! 10.0.0.1 ! 80 ! false",
        "'allow 10.0.0.1\ndeny *\r\n' ! 10.0.0.2 ! 80 ! false",
        "'deny 10.0.0.1 443, allow 10.0.0.1, deny *' ! 10.0.0.1 ! 444 ! true",
    })
    void shouldDecideByFirstMatch(String rules, String address, int port, boolean allowed) throws UnknownHostException {
        assertEquals(allowed, AddressRules.parse(rules).allows(bytes(address), port));
    }

    @Test
    void shouldTreatMappedAddressAsIpv4() {
        final byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffff0a000001");
        assertFalse(AddressRules.parse("deny 10.0.0.1").allows(mapped, 80));
        assertTrue(AddressRules.parse("deny ::/0").allows(mapped, 80));
        assertFalse(AddressRules.parse("deny 0.0.0.0/0").allows(mapped, 80));
    }

    @Test
    void shouldAllowOnlyWithoutRulesWhenAddressHasOddLength() {
        assertTrue(AddressRules.parse("").allows(new byte[0], 80));
        assertFalse(AddressRules.parse("allow *").allows(new byte[5], 80));
    }

    @Test
    void shouldBeEmptyWhenThereIsNoRule() {
        assertTrue(AddressRules.parse("\n ; ").isEmpty());
        assertFalse(AddressRules.parse("allow *").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "0.0.0.0", "1.2.3.4", "255.255.255.255", "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8", "1::8", "1:2::7:8", "fe80::abcd:EF01", "::1.2.3.4", "64:ff9b::192.0.2.33",
        "1:2:3:4:5:6:1.2.3.4", "0:0:0:0:0:0:0:0",
        "2001:0db8:0000:0000:0000:0000:0000:0001",
    })
    void shouldReadAddressAsTheJdkDoes(String text) throws UnknownHostException {
        final byte[] expected = bytes(text);
        final NumericAddress address = NumericAddress.parse(text);
        assertEquals(NumericAddress.highOf(expected), address.high());
        assertEquals(NumericAddress.lowOf(expected), address.low());
        assertEquals(expected.length == 4, address.isIpv4());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", ".", ":", ":::", "1", "10.1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1", "1.1.1.1000",
        "01.2.3.4", "1.2.3.04", "1.2.3.4 ", "-1.2.3.4", "a.b.c.d", "localhost", "1:2", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", ":1::2", "1::2:", "1::2::3", "1:::2", "::12345", "::g", "::1%eth0", "[::1]",
        "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "::1.2.3.4:5",
        "1:2:3:4::5:6:7:8", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8::", "1.2.3.4::", "\u0661.2.3.4", "::\u0661",
    })
    void shouldRefuseWhatIsNoNumericAddress(String text) {
        assertEquals(null, NumericAddress.parse(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', value = {
        // rules ! the offending piece ! what is wrong
        "permit * ! permit * ! must begin with allow or deny",
        "Deny * ! Deny * ! must begin with allow or deny",
        "allow *, deny ! deny ! has no address",
        "allow * 1 2 ! allow * 1 2 ! more than an address and a port",
        "allow localhost ! allow localhost ! no numeric address",
        "allow **; deny * ! allow ** ! no numeric address",
        "allow 10.0.0.0/33 ! allow 10.0.0.0/33 ! prefix length must be 0 to 32",
        "allow 10.0.0.0/ ! allow 10.0.0.0/ ! prefix length must be 0 to 32",
        "allow 10.0.0.0/8/8 ! allow 10.0.0.0/8/8 ! prefix length must be 0 to 32",
        "allow 10.0.0.0/-1 ! allow 10.0.0.0/-1 ! prefix length must be 0 to 32",
        "allow ::/129 ! allow ::/129 ! prefix length must be 0 to 128",
        "allow ::ffff:1.2.3.4/32 ! allow ::ffff:1.2.3.4/32 ! prefix length must be 96 to 128",
        "allow */8 ! allow */8 ! no numeric address",
        "allow * 65536 ! allow * 65536 ! '65536' is neither a port",
        "allow * 99999999999 ! allow * 99999999999 ! neither a port",
        "allow * 90-80 ! allow * 90-80 ! '90-80' is neither a port",
        "allow * 80- ! allow * 80- ! neither a port",
        "allow * -80 ! allow * -80 ! neither a port",
        "allow * http ! allow * http ! neither a port",
        "allow 1.1.1.1:80 ! allow 1.1.1.1:80 ! no numeric address",
    })
    void shouldNameThePieceWhenRuleIsMalformed(String rules, String piece, String problem) {
        final String message =
                assertThrows(IllegalArgumentException.class, () -> AddressRules.parse(rules)).getMessage();
        assertTrue(message.startsWith("rule '" + piece + "': "), message);
        assertTrue(message.contains(problem), message);
    }

    @Test
    void shouldMatchPrefixBitByBit() throws UnknownHostException {
        final Random random = new Random(70);
        for (int i = 0; i < 20_000; i++) {
            final byte[] block = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(block);
            final int bits = block.length * 8;
            final int prefix = random.nextInt(bits + 1);
            final byte[] address = block.clone();
            final int flipped = random.nextInt(bits);
            address[flipped / 8] ^= (byte) (0x80 >> flipped % 8);
            final String rule = "deny " + InetAddress.getByAddress(block).getHostAddress() + "/" + prefix;
            final AddressRules rules = AddressRules.parse(rule);
            assertFalse(rules.allows(block, 80), rule);
            assertEquals(flipped < prefix, rules.allows(address, 80), () -> rule + ", bit " + flipped);
        }
    }

    @Test
    void shouldNotAllocateWhenDeciding() throws UnknownHostException {
        final AddressRules rules = AddressRules.parse("deny 10.0.0.0/8 1-1024, deny 2001:db8::/32, allow *");
        final byte[] ipv4 = bytes("192.168.1.1");
        final byte[] ipv6 = bytes("2001:db9::1");
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final int calls = 100_000;
        threads.getCurrentThreadAllocatedBytes();
        final long before = threads.getCurrentThreadAllocatedBytes();
        boolean all = true;
        for (int i = 0; i < calls; i++) {
            all &= rules.allows(ipv4, i & 0xffff) & rules.allows(ipv6, i & 0xffff);
        }
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(all);
        assertTrue(allocated < calls, allocated + " bytes");
    }

    private static byte[] bytes(String literal) throws UnknownHostException {
        return InetAddress.ofLiteral(literal).getAddress();
    }
}
