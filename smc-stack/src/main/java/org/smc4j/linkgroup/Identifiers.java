package org.smc4j.linkgroup;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.smc4j.clc.Mac;
import org.smc4j.clc.SystemId;

/** The ids that one system gives out (spec/40-buffers-linkgroups.md §5). */
class Identifiers {
    /** Distance of two link group ids: a link uid is the group's id plus the link's id, which is one byte. */
    static final int GROUP_ID_STEP = 256;
    private static final int PSN_LIMIT = 1 << 24;
    private static final int MAC_BITS = 48;

    private final RandomGenerator random;
    private final int systemIdPrefix;
    private SystemId systemId = SystemId.NONE;
    private int lastGroupId;
    private int lastAlertToken;

    Identifiers(RandomGenerator random) {
        this.random = random;
        systemIdPrefix = random.nextInt(1 << 16);
    }

    int nextGroupId() {
        return lastGroupId += GROUP_ID_STEP;
    }

    /** Counts through 32 bits; 0, which means "not registered", and those in use are left out. */
    int nextAlertToken(IntPredicate inUse) {
        do {
            lastAlertToken++;
        } while (lastAlertToken == 0 || inUse.test(lastAlertToken));
        return lastAlertToken;
    }

    int initialPsn() {
        return random.nextInt(PSN_LIMIT);
    }

    /** The first active port gives the system id its last six bytes; later ones change nothing. */
    void portActive(Mac mac) {
        if (systemId.equals(SystemId.NONE)) {
            systemId = new SystemId((long) systemIdPrefix << MAC_BITS | mac.value());
        }
    }

    /** {@link SystemId#NONE} as long as no port was active. */
    SystemId systemId() {
        return systemId;
    }
}
