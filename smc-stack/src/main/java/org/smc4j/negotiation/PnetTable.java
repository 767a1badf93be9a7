package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.smc4j.ffi.linux.Errno;
import org.smc4j.roce.RoceDevice;

/**
 * Which physical network interfaces and devices belong to (spec/70-tunables-observability.md §3): what the hardware says, else
 * what the user has entered. Used on one thread. Refusals are the negated errno values of the kernel's table.
 */
public final class PnetTable {
    private static final int MAX_NETWORK_NAME = 15;
    private static final int MAX_DEVICE_NAME = 63;

    private final Hardware hardware;
    private final Map<String, PnetId> networks = new LinkedHashMap<>();
    private final Map<String, DeviceEntry> devices = new LinkedHashMap<>();

    /** What the hardware itself says; on most machines nothing. */
    public interface Hardware {
        Hardware NONE = new Hardware() {
            @Override
            public PnetId ofNetwork(String name) {
                return PnetId.NONE;
            }

            @Override
            public PnetId ofDevice(String name, int port) {
                return PnetId.NONE;
            }
        };

        PnetId ofNetwork(String name);

        /** @param port 1 or 2 of an RNIC; 1 for an ISM device */
        PnetId ofDevice(String name, int port);
    }

    /**
     * One line of the table.
     *
     * @param networkName of a network interface; "n/a" in the line of a device
     * @param deviceName  of an RNIC or an ISM device; "n/a" in the line of an interface
     * @param port        1 or 2 of an RNIC; 255 in the line of an interface
     */
    public record Entry(PnetId pnetId, String networkName, String deviceName, int port) {
        public static final String ABSENT = "n/a";
        public static final int ABSENT_PORT = 255;
    }

    private record DeviceEntry(PnetId pnetId, int port) {
    }

    public PnetTable(Hardware hardware) {
        this.hardware = hardware;
    }

    /**
     * Enters an interface, a device, or both.
     *
     * @param networkName at most 15 characters; need not exist yet; null: no interface
     * @param deviceName  of an RNIC or an ISM device, at most 63 characters; need not exist yet; null: no device
     * @param port        1 or 2 of an RNIC; without meaning for an ISM device
     * @return 0; {@code -EINVAL} if a name or the port breaks the rules; {@code -EEXIST} if nothing of it is new, because the
     *         hardware has said, or the table has one already
     */
    public int add(String pnetId, String networkName, String deviceName, int port) {
        PnetId id = PnetId.parse(pnetId);
        if (id == null || networkName == null && deviceName == null || !fits(networkName, MAX_NETWORK_NAME)
                || !fits(deviceName, MAX_DEVICE_NAME) || port < 1 || port > RoceDevice.MAX_PORTS) {
            return -Errno.EINVAL;
        }
        boolean isNew = networkName != null && !hardware.ofNetwork(networkName).isSet()
                && networks.putIfAbsent(networkName, id) == null;
        isNew |= deviceName != null && !hardware.ofDevice(deviceName, port).isSet()
                && devices.putIfAbsent(deviceName, new DeviceEntry(id, port)) == null;
        return isNew ? 0 : -Errno.EEXIST;
    }

    private static boolean fits(String name, int max) {
        return name == null || !name.isEmpty() && name.length() <= max;
    }

    /**
     * Takes out every line with this PNETID.
     *
     * @return 0; {@code -EINVAL} for what is no PNETID; {@code -ENOENT} if there was no such line
     */
    public int delete(String pnetId) {
        PnetId id = PnetId.parse(pnetId);
        if (id == null) {
            return -Errno.EINVAL;
        }
        boolean found = networks.values().removeIf(id::equals);
        found |= devices.values().removeIf(entry -> entry.pnetId().equals(id));
        return found ? 0 : -Errno.ENOENT;
    }

    /** Empties the table. */
    public void flush() {
        networks.clear();
        devices.clear();
    }

    /** The table as the user filled it: devices first, each in the order in which they were entered. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        devices.forEach((name, entry) -> entries.add(new Entry(entry.pnetId(), Entry.ABSENT, name, entry.port())));
        networks.forEach((name, id) -> entries.add(new Entry(id, name, Entry.ABSENT, Entry.ABSENT_PORT)));
        return entries;
    }

    /**
     * Of a network interface: what the hardware says of its base device, the table's line for that, the table's line for the
     * interface itself (spec/40-buffers-linkgroups.md §11).
     *
     * @param baseName of the device under it, for example of a VLAN's; its own name if there is none
     */
    public PnetId ofNetwork(String name, String baseName) {
        PnetId id = hardware.ofNetwork(baseName);
        if (!id.isSet()) {
            id = networks.getOrDefault(baseName, PnetId.NONE);
        }
        return id.isSet() ? id : networks.getOrDefault(name, PnetId.NONE);
    }

    /** Of a port of an RNIC, 1 or 2. */
    public PnetId ofPort(String device, int port) {
        PnetId id = hardware.ofDevice(device, port);
        DeviceEntry entry = devices.get(device);
        return id.isSet() || entry == null || entry.port() != port ? id : entry.pnetId();
    }

    /** Of an ISM device. */
    public PnetId ofIsm(String device) {
        PnetId id = hardware.ofDevice(device, 1);
        DeviceEntry entry = devices.get(device);
        return id.isSet() || entry == null ? id : entry.pnetId();
    }
}
