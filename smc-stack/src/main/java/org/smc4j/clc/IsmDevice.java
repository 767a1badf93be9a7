package org.smc4j.clc;

import org.smc4j.wire.Checks;

/**
 * An ISM device that a client offers.
 *
 * @param gid  its GID; of a native device only the high half
 * @param chid its channel id, 0 to 0xFFFF
 */
public record IsmDevice(Gid gid, int chid) {
    public IsmDevice {
        Checks.range("ISM CHID", chid, 0, Checks.U16);
    }
}
