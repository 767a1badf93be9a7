package org.smc4j.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;

class GidsTest {
    @Test
    void shouldMapIpv4Addresses() {
        Gid gid = Gids.ofIpv4(0xC0A8_0001);
        assertEquals("00000000000000000000ffffc0a80001", gid.toString());
        assertTrue(Gids.isIpv4(gid));
        assertEquals(0xC0A8_0001, Gids.ipv4(gid));
        assertFalse(Gids.isLinkLocal(gid));
    }

    @Test
    void shouldMakeLinkLocalGidsAsTheKernelMakesLinkLocalAddresses() {
        // ip address shows fe80::fc:ff:fe00:1 for link/ether 02:fc:00:00:00:01.
        Gid gid = Gids.linkLocal(new Mac(0x02_FC_00_00_00_01L));
        assertEquals("fe8000000000000000fc00fffe000001", gid.toString());
        assertTrue(Gids.isLinkLocal(gid));
        assertFalse(Gids.isIpv4(gid));
    }

    @Test
    void shouldTakeNothingElseForIpv4() {
        assertFalse(Gids.isIpv4(Gid.NONE));
        assertFalse(Gids.isIpv4(new Gid(1, 0xFFFF_0000_0000L)));
        assertFalse(Gids.isIpv4(new Gid(0, 0x1_FFFF_0000_0000L)));
    }
}
