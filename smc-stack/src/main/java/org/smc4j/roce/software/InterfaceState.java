package org.smc4j.roce.software;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.roce.Gids;
import org.smc4j.roce.RoceDevice.GidType;

/**
 * A network interface as it is at one moment.
 *
 * @param up      whether it is enabled and has a carrier
 * @param index   of the kernel, which is the scope of its link-local addresses
 * @param mtu     bytes of an IP packet
 * @param mac     its own, or one made of its first IPv4 address if it has none, as a loopback interface
 * @param vlan    0 if it has none
 * @param gids    that its addresses make
 */
record InterfaceState(boolean up, int index, int mtu, Mac mac, int vlan, List<Address> gids) {
    /** What a port has while its interface does not exist. */
    static final InterfaceState MISSING = new InterfaceState(false, 0, 0, Mac.NONE, 0, List.of());

    private static final int IPV4_BYTES = 4;
    /** Locally administered. */
    private static final long MADE_UP_MAC = 0x0200L << 32;
    private static final int[] MTUS = {256, 512, 1024, 2048, 4096};
    /** GRH, UDP, transport headers and check sum at most, as Linux counts for RoCE. */
    private static final int HEADERS = 96;

    /** A GID, and the prefix length of the address that it is made of, which is 0 for RoCE v1. */
    record Address(GidType type, Gid gid, int prefixLength) {
    }

    /** Reads an interface of the network namespace; {@link #MISSING} if there is no such one. May wait for the kernel. */
    static InterfaceState read(String name) {
        try {
            NetworkInterface networkInterface = NetworkInterface.getByName(name);
            if (networkInterface == null) {
                return MISSING;
            }
            List<Address> gids = gids(networkInterface);
            return new InterfaceState(networkInterface.isUp(), networkInterface.getIndex(), networkInterface.getMTU(),
                    mac(networkInterface.getHardwareAddress(), gids), vlan(name), gids);
        } catch (SocketException e) {
            // It has gone away meanwhile.
            return MISSING;
        }
    }

    /** The link-local one first, as on other NICs, then one for each IPv4 address. */
    private static List<Address> gids(NetworkInterface networkInterface) {
        List<Address> gids = new ArrayList<>();
        for (InterfaceAddress entry : networkInterface.getInterfaceAddresses()) {
            InetAddress address = entry.getAddress();
            byte[] bytes = address.getAddress();
            if (bytes.length == IPV4_BYTES) {
                gids.add(new Address(GidType.ROCE_V2, Gids.ofIpv4((int) number(bytes, 0, IPV4_BYTES)),
                        entry.getNetworkPrefixLength()));
            } else if (address.isLinkLocalAddress()) {
                gids.add(0, new Address(GidType.ROCE_V1, new Gid(number(bytes, 0, 8), number(bytes, 8, 8)), 0));
            }
        }
        return List.copyOf(gids);
    }

    private static Mac mac(byte[] hardware, List<Address> gids) {
        if (hardware != null && hardware.length == 6) {
            return new Mac(number(hardware, 0, 6));
        }
        for (Address address : gids) {
            if (Gids.isIpv4(address.gid())) {
                return new Mac(MADE_UP_MAC | Integer.toUnsignedLong(Gids.ipv4(address.gid())));
            }
        }
        return Mac.NONE;
    }

    private static long number(byte[] bytes, int offset, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | Byte.toUnsignedInt(bytes[offset + i]);
        }
        return value;
    }

    /** From the first line of its file, which is "eth0.5  VID: 5	 REORDER_HDR: 1 ...". */
    private static int vlan(String name) {
        Path file = Path.of("/proc/net/vlan/" + name);
        if (!Files.exists(file)) {
            return 0;
        }
        try {
            String[] words = Files.readAllLines(file).getFirst().trim().split("\\s+");
            return Integer.parseInt(words[2]);
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    /** The largest MTU of RoCE whose packets the interface carries: 1 to 5. */
    int mtuCode() {
        int code = 1;
        while (code < MTUS.length && MTUS[code] + HEADERS <= mtu) {
            code++;
        }
        return code;
    }
}
