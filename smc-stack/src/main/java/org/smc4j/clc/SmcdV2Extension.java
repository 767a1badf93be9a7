package org.smc4j.clc;

import java.util.ArrayList;
import java.util.List;

import org.smc4j.wire.Checks;

/**
 * The SMC-D v2 extension of a Proposal.
 *
 * @param seid    the system EID, {@link Eid#NONE} unless the v2 extension says that it is usable
 * @param entries up to 8 GID/CHID entries in the client's order of preference
 */
public record SmcdV2Extension(Eid seid, List<IsmEntry> entries) {
    public static final int MAX_ENTRIES = 8;

    public SmcdV2Extension {
        Checks.that(seid != null, "SEID missing: use Eid.NONE");
        entries = List.copyOf(entries);
        Checks.range("count of ISM entries", entries.size(), 0, MAX_ENTRIES);
    }

    /**
     * The devices that the entries name. Two entries in a row with the same CHID of the emulated range are the halves
     * of one 128-bit GID; an emulated entry without its second half is ignored, as the kernel does.
     */
    public List<IsmDevice> devices() {
        List<IsmDevice> devices = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            IsmEntry entry = entries.get(i);
            if (!ClcMessage.isEmulatedChid(entry.chid())) {
                devices.add(new IsmDevice(new Gid(entry.gid(), 0), entry.chid()));
            } else if (i + 1 < entries.size() && entries.get(i + 1).chid() == entry.chid()) {
                i++;
                devices.add(new IsmDevice(new Gid(entry.gid(), entries.get(i).gid()), entry.chid()));
            }
        }
        return List.copyOf(devices);
    }
}
