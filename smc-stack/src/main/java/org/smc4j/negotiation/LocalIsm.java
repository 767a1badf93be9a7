package org.smc4j.negotiation;

import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.Gid;
import org.smc4j.wire.Checks;

/**
 * An ISM device of this host.
 *
 * @param name         unique on the host
 * @param gid          128 bits of an emulated device; a native one has the high half only
 * @param chid         0xFF00 to 0xFFFF of an emulated device
 * @param v2Capable    whether the reserved VLAN can be registered with it
 * @param vlanCapable  whether any VLAN can
 * @param reachability asks the device
 */
public record LocalIsm(String name, Gid gid, int chid, boolean v2Capable, boolean vlanCapable, PnetId pnetId,
                       Reachability reachability) {
    /** The VLAN with which SMC-D v2 asks for a peer, whatever the VLAN of the connection is. */
    public static final int RESERVED_VLAN = 0x1FFF;

    private static final int LOOPBACK_CHID = 0xFFFF;

    /** The query of the device (spec/60-ism.md §2). */
    public interface Reachability {
        /** @param vlan 0 if the connection has none */
        boolean reaches(Gid peer, int vlan);
    }

    public LocalIsm {
        Checks.range("CHID", chid, 0, Checks.U16);
        Checks.that(ClcMessage.isEmulatedChid(chid) || gid.low() == 0, "a native ISM device has a GID of 64 bits");
    }

    boolean isEmulated() {
        return ClcMessage.isEmulatedChid(chid);
    }

    boolean isLoopback() {
        return chid == LOOPBACK_CHID;
    }

    /** The version-1 messages carry 64 bits of a GID, which do not name an emulated device. */
    boolean isUsableWithV1() {
        return !isEmulated();
    }

    /** Whether it reaches a peer with SMC-D v2. */
    boolean reaches(Gid peer) {
        return v2Capable && reachability.reaches(peer, RESERVED_VLAN);
    }

    /** The same device in another physical network. */
    LocalIsm in(PnetId network) {
        return new LocalIsm(name, gid, chid, v2Capable, vlanCapable, network, reachability);
    }
}
