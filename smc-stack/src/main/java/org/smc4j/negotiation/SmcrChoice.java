package org.smc4j.negotiation;

import org.smc4j.clc.Eid;
import org.smc4j.clc.Gid;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;

/**
 * SMC-R over one port, on which a new link group would begin. Who the peer is, the server takes from the Proposal, the client
 * from the Accept (spec/10-clc.md §9).
 *
 * @param peerMac of the peer's port
 * @param gateway next hop to the peer; null if it is reached directly
 * @param vlan    of the connection's interface, 0 if it has none
 * @param anyVlan whether a link group of another VLAN will do: on a client that offers SMC-D in version 2 only
 *                (spec/40-buffers-linkgroups.md §4)
 */
public record SmcrChoice(int version, PortGid port, SystemId peerSystemId, Gid peerGid, Mac peerMac, Mac gateway, Eid eid,
                         int vlan, boolean anyVlan, Terms terms) implements Choice {
    @Override
    public SmcrChoice with(Terms other) {
        return new SmcrChoice(version, port, peerSystemId, peerGid, peerMac, gateway, eid, vlan, anyVlan, other);
    }
}
