package org.smc4j.core;

import org.smc4j.linkgroup.LinkPorts;
import org.smc4j.linkgroup.RnicPort;
import org.smc4j.llc.LlcMessage;
import org.smc4j.negotiation.DeviceRegistry;
import org.smc4j.negotiation.LocalPort;
import org.smc4j.roce.RoceDevice.GidEntry;
import org.smc4j.roce.RoceDevice.GidType;

/** The ports of this host's RNICs, as link groups choose among them for another link. */
final class RnicPorts implements LinkPorts {
    private DeviceRegistry registry;

    /** Where the present state of ports is known. Once, before anything else. */
    void registry(DeviceRegistry all) {
        registry = all;
    }

    @Override
    public RnicPort alternate(RnicPort current, int version, int vlan) {
        for (LocalPort port : registry.ports()) {
            boolean suits = port.isActive() && !port.device().equals(current.device()) && !current.pnetId().isEmpty()
                    && port.pnetId().text().equals(current.pnetId());
            GidEntry entry = suits ? entry(port, version, vlan) : null;
            if (entry != null) {
                return port(port, entry);
            }
        }
        return null;
    }

    private static GidEntry entry(LocalPort port, int version, int vlan) {
        GidType type = version == LlcMessage.VERSION_2 ? GidType.ROCE_V2 : GidType.ROCE_V1;
        for (GidEntry entry : port.port().gids()) {
            if (entry.type() == type && entry.vlan() == vlan) {
                return entry;
            }
        }
        return null;
    }

    static RnicPort port(LocalPort port, GidEntry entry) {
        return new RnicPort(port.device(), port.number(), port.pnetId().text(), entry.networkName(), entry.gid(), entry.index(),
                port.port().mac(), port.port().mtuCode());
    }
}
