package org.smc4j.negotiation;

import org.smc4j.roce.RoceDevice;

/**
 * A port of an RNIC of this host, as it was when it was looked at.
 *
 * @param device name of the RNIC
 */
public record LocalPort(String device, RoceDevice.Port port, PnetId pnetId) {
    public int number() {
        return port.number();
    }

    public boolean isActive() {
        return port.active();
    }

    /** Whether it is the RNIC side of this network interface. */
    boolean isOf(String networkName) {
        for (RoceDevice.GidEntry entry : port.gids()) {
            if (entry.networkName().equals(networkName)) {
                return true;
            }
        }
        return false;
    }
}
