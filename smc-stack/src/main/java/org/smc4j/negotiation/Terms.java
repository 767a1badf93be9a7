package org.smc4j.negotiation;

import org.smc4j.clc.ClcMessage;
import org.smc4j.clc.FirstContactExtension;
import org.smc4j.clc.Hostname;

/**
 * What is negotiated beside the technology (spec/10-clc.md §8).
 *
 * @param release        of SMCv2; 0 without version 2
 * @param maxConnections per link group of SMC-R
 * @param maxLinks       per link group of SMC-R
 * @param featureMask    in a server's Accept all of its own, afterwards what both ends have
 */
public record Terms(int release, int maxConnections, int maxLinks, int featureMask) {
    /** Fewest connections per link group that an end may insist on. */
    public static final int MIN_CONNECTIONS = 16;
    public static final int MAX_CONNECTIONS = 255;
    public static final int MIN_LINKS = 1;
    public static final int MAX_LINKS = 2;
    /** Where nothing is negotiated: in version 1, in release 0, and in a link group that exists already. */
    public static final Terms DEFAULT = new Terms(0, MAX_CONNECTIONS, MAX_LINKS, 0);

    Terms withFeatureMask(int mask) {
        return new Terms(release, maxConnections, maxLinks, mask);
    }

    /** These terms as the peer is told them. Release 0 knows neither limits nor features; limits are for SMC-R only. */
    FirstContactExtension announce(boolean smcr, boolean direct, Hostname hostname) {
        boolean limits = smcr && release >= ClcMessage.RELEASE_1;
        return new FirstContactExtension(direct, ClcMessage.OS_LINUX, release, hostname, limits ? maxConnections : 0,
                limits ? maxLinks : 0, release >= ClcMessage.RELEASE_1 ? featureMask : 0);
    }
}
