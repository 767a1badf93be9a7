package org.smc4j.roce.software;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.roce.Gids;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceDevice.Port;

/** A port of a {@link SocketRnic}, which is a network interface. */
final class SocketPort {
    private final int number;
    private final String interfaceName;
    // Written by one thread at a time: whoever makes the device, then its thread.
    private volatile InterfaceState interfaceState = InterfaceState.MISSING;
    private volatile Port state;
    // Written by whoever tests.
    private volatile boolean disabled;
    private volatile boolean linkLost;

    SocketPort(int number, String interfaceName) {
        this.number = number;
        this.interfaceName = interfaceName;
        state = new Port(number, false, 1, Mac.NONE, List.of());
    }

    int number() {
        return number;
    }

    String interfaceName() {
        return interfaceName;
    }

    Port state() {
        return state;
    }

    /** The scope of the port's link-local addresses. */
    int scope() {
        return interfaceState.index();
    }

    /** Whether nothing may pass, for a test. */
    boolean isCut() {
        return disabled || linkLost;
    }

    void setDisabled(boolean disable) {
        disabled = disable;
    }

    void setLinkLost(boolean lost) {
        linkLost = lost;
    }

    /** Looks at the interface; what is seen is shown by {@link #publish}. */
    InterfaceState observe() {
        interfaceState = InterfaceState.read(interfaceName);
        return interfaceState;
    }

    /** Shows what was observed, with those GIDs that can be reached. */
    void publish(Set<Gid> reachable) {
        InterfaceState now = interfaceState;
        state = new Port(number, now.up() && !disabled, now.mtuCode(), now.mac(), entries(now, reachable));
    }

    /** GIDs keep their index as long as they are there; new ones take the lowest that is free. */
    private List<GidEntry> entries(InterfaceState now, Set<Gid> reachable) {
        List<GidEntry> entries = new ArrayList<>();
        for (InterfaceState.Address address : now.gids()) {
            GidEntry old = find(state.gids(), address.gid());
            if (old != null && reachable.contains(address.gid())) {
                entries.add(entry(old.index(), address, now.vlan()));
            }
        }
        for (InterfaceState.Address address : now.gids()) {
            if (find(entries, address.gid()) == null && reachable.contains(address.gid())) {
                entries.add(entry(freeIndex(entries), address, now.vlan()));
            }
        }
        entries.sort((a, b) -> Integer.compare(a.index(), b.index()));
        return entries;
    }

    private GidEntry entry(int index, InterfaceState.Address address, int vlan) {
        return new GidEntry(index, address.type(), address.gid(), interfaceName, address.prefixLength(), vlan);
    }

    private static GidEntry find(List<GidEntry> entries, Gid gid) {
        for (GidEntry entry : entries) {
            if (entry.gid().equals(gid)) {
                return entry;
            }
        }
        return null;
    }

    private static int freeIndex(List<GidEntry> entries) {
        for (int index = 0; ; index++) {
            if (!isTaken(entries, index)) {
                return index;
            }
        }
    }

    private static boolean isTaken(List<GidEntry> entries, int index) {
        for (GidEntry entry : entries) {
            if (entry.index() == index) {
                return true;
            }
        }
        return false;
    }

    /** The IP address that a GID stands for: of 4 bytes, or of 16. */
    static byte[] address(Gid gid) {
        if (Gids.isIpv4(gid)) {
            int ipv4 = Gids.ipv4(gid);
            return new byte[] {(byte) (ipv4 >> 24), (byte) (ipv4 >> 16), (byte) (ipv4 >> 8), (byte) ipv4};
        }
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (gid.high() >> 56 - 8 * i);
            bytes[8 + i] = (byte) (gid.low() >> 56 - 8 * i);
        }
        return bytes;
    }

    /** The scope with which that address is to be used on this port. */
    int scope(Gid gid) {
        return Gids.isLinkLocal(gid) ? scope() : 0;
    }
}
