package org.smc4j.linkgroup;

import org.smc4j.clc.Eid;
import org.smc4j.clc.Mac;
import org.smc4j.llc.LlcMessage;
import org.smc4j.wire.Checks;

/**
 * What both ends have agreed on for a link group of SMC-R (spec/10-clc.md §8).
 *
 * @param version        {@link LlcMessage#VERSION_1} or {@link LlcMessage#VERSION_2}
 * @param release        of version 2: 0 or 1
 * @param maxConnections 16 to 255; the server keeps to it
 * @param maxLinks       1 or 2
 * @param eid            of version 2; null in version 1
 * @param gateway        next hop to the peer; null if it is reached directly
 */
public record SmcrTerms(int version, int release, int maxConnections, int maxLinks, Eid eid, Mac gateway) {
    public static final int MAX_CONNECTIONS = 255;
    public static final int MAX_LINKS = 2;

    private static final int MIN_CONNECTIONS = 16;

    public SmcrTerms {
        Checks.range("version", version, LlcMessage.VERSION_1, LlcMessage.VERSION_2);
        Checks.range("max connections", maxConnections, MIN_CONNECTIONS, MAX_CONNECTIONS);
        Checks.range("max links", maxLinks, 1, MAX_LINKS);
    }

    /** In version 1 nothing is negotiated. */
    public static SmcrTerms version1() {
        return new SmcrTerms(LlcMessage.VERSION_1, 0, MAX_CONNECTIONS, MAX_LINKS, null, null);
    }

    /** What CONFIRM LINK says: nothing before release 1. */
    int announcedMaxConnections() {
        return version == LlcMessage.VERSION_2 && release > 0 ? maxConnections : 0;
    }
}
