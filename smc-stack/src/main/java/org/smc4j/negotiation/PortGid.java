package org.smc4j.negotiation;

import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.roce.RoceDevice;

/** A port with the entry of its GID table that a connection uses: of type RoCE v1 for SMC v1, RoCE v2 for SMC v2. */
public record PortGid(LocalPort port, RoceDevice.GidEntry entry) {
    public Gid gid() {
        return entry.gid();
    }

    public Mac mac() {
        return port.port().mac();
    }
}
