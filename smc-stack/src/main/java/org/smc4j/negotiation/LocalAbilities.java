package org.smc4j.negotiation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.Hostname;
import org.smc4j.clc.SystemId;
import org.smc4j.wire.Checks;

/**
 * What this host is able to do, at one moment.
 *
 * @param technologies   what is switched on
 * @param systemId       {@link SystemId#NONE} as long as no RNIC port was active
 * @param ismDevices     in any order; here loopback comes first, then devices without PNETID, then those with one
 *                       (spec/60-ism.md §4), otherwise as given
 * @param ports          of all RNICs, in the order in which they are looked at; also those that are not active
 * @param activeNetworks PNETIDs of all network interfaces that are up
 * @param maxConnections per link group of SMC-R, 16 to 255
 * @param maxLinks       per link group of SMC-R, 1 or 2
 * @param release        of SMCv2 that this host speaks, 0 or 1
 * @param featureMask    16 bits, see {@link ClcMessage#FEATURE_EMULATED_ISM}
 * @param hostname       for people at the other end
 */
public record LocalAbilities(Set<Technology> technologies, SystemId systemId, LocalEids eids, List<LocalIsm> ismDevices,
                             List<LocalPort> ports, Set<PnetId> activeNetworks, int maxConnections, int maxLinks,
                             int release, int featureMask, Hostname hostname) {
    public LocalAbilities {
        technologies = Set.copyOf(technologies);
        List<LocalIsm> sorted = new ArrayList<>(ismDevices);
        sorted.sort(Comparator.comparingInt(LocalAbilities::place));
        ismDevices = List.copyOf(sorted);
        ports = List.copyOf(ports);
        activeNetworks = Set.copyOf(activeNetworks);
        Checks.range("max connections", maxConnections, Terms.MIN_CONNECTIONS, Terms.MAX_CONNECTIONS);
        Checks.range("max links", maxLinks, Terms.MIN_LINKS, Terms.MAX_LINKS);
        Checks.range("release", release, 0, ClcMessage.RELEASE_1);
        Checks.range("feature mask", featureMask, 0, Checks.U16);
    }

    private static int place(LocalIsm device) {
        if (device.isLoopback()) {
            return 0;
        }
        return device.pnetId().isSet() ? 2 : 1;
    }

    boolean has(Technology technology) {
        return technologies.contains(technology);
    }

    /** Whether SMC-D v2 is possible at all: one device is enough. */
    boolean isIsmV2Capable() {
        return has(Technology.SMCD_V2) && ismDevices.stream().anyMatch(LocalIsm::v2Capable);
    }
}
