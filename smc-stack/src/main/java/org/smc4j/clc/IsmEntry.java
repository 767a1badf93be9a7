package org.smc4j.clc;

import org.smc4j.wire.Checks;

/**
 * A GID and CHID as they stand in a Proposal. An Emulated-ISM device takes two entries, see {@link
 * SmcdV2Extension#devices}.
 *
 * @param gid  64 bits of the GID
 * @param chid the channel id, 0 to 0xFFFF; 0 means none
 */
public record IsmEntry(long gid, int chid) {
    /** No device. */
    public static final IsmEntry NONE = new IsmEntry(0, 0);

    public IsmEntry {
        Checks.range("ISM CHID", chid, 0, Checks.U16);
    }
}
