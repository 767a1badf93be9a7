package org.smc4j.negotiation;

import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;

/**
 * SMC-D over one device.
 *
 * @param peerGid 128 bits of an emulated device, else the high half only
 * @param vlan    that a new link group registers with the device, 0 if there is none: of the connection's interface, but always 0
 *                on the server in version 2; a device that is not {@link LocalIsm#vlanCapable} then fails with 0x03090000
 */
public record SmcdChoice(int version, LocalIsm device, Gid peerGid, Eid eid, int vlan, Terms terms) implements Choice {
    @Override
    public SmcdChoice with(Terms other) {
        return new SmcdChoice(version, device, peerGid, eid, vlan, other);
    }
}
