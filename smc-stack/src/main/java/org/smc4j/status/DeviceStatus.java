package org.smc4j.status;

import org.smc4j.diag.SmcMode;

/**
 * A port of an RNIC, or an ISM device, at one moment, in the words of {@code smcr device} and {@code smcd device}.
 *
 * @param mode       what it carries
 * @param netDevice  network interface; empty for an ISM device
 * @param device     its name
 * @param port       1 or 2; 0 for an ISM device
 * @param active     whether it can be used
 * @param critical   whether a link group would end with it: one that has no other RNIC here
 * @param pnetId     the physical network; empty if it has none
 * @param linkGroups that use it
 * @param links      that use it; 0 for an ISM device
 * @param gids       all of them, separated by commas, as an IPv6 address is written
 */
public record DeviceStatus(SmcMode mode, String netDevice, String device, int port, boolean active, boolean critical, String pnetId,
        int linkGroups, int links, String gids) {
}
